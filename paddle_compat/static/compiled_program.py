"""`paddle.static.CompiledProgram`: a Program with strategies, and with data parallelism on several devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base._ir_graph import Graph
from paddle_compat.core.clone import copy_program
from paddle_compat.core.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    PreconditionNotMetError,
    failed_assertion,
    missing_member,
    type_error,
)
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.operator import OpRole
from paddle_compat.core.place import CPUPlace, place_of_name
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.engine import trainer
from paddle_compat.engine.data_parallel import data_parallel
from paddle_compat.engine.divided import divided
from paddle_compat.engine.executor import fetch_names
from paddle_compat.engine.processes import join
from paddle_compat.engine.readers import fed_by_readers
from paddle_compat.engine.replicas import Replicas
from paddle_compat.static._device_values import merged, split
from paddle_compat.static._drawings import draw
from paddle_compat.static.build_strategy import BuildStrategy
from paddle_compat.static.execution_strategy import ExecutionStrategy, iterations
from paddle_compat.static.executor import as_numpy, operators_in, scheduled
from paddle_compat.static.places import cpu_places, cuda_places


class CompiledProgram:
    """A Program made ready to run with strategies, on one device or, after `with_data_parallel`, on several at once.

    Args:
        program_or_graph (Program | core.Graph): what is to run, as it is now: later changes of it are not seen.
        build_strategy (BuildStrategy): how it is to be optimised.

    Raises:
        TypeError: it is neither.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 2])
        ...     loss = paddle.mean(x)
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> both = paddle.static.CompiledProgram(main).with_data_parallel(places=paddle.static.cpu_places(2))
        >>> exe.run(both, feed={"x": np.array([[1, 1], [3, 3]], "float32")}, fetch_list=[loss])
        [array([1., 3.], dtype=float32)]
        >>> paddle.disable_static()

    Follows Paddle 1.8; its data parallelism is that of Paddle 1.8 to 2.4.
    """

    def __init__(self, program_or_graph: Any, build_strategy: Any = None) -> None:
        if not isinstance(program_or_graph, Program | Graph):
            raise type_error("program_or_graph", "a Program or a Graph", program_or_graph, "CompiledProgram")
        self._program = program_or_graph._to_program() if isinstance(program_or_graph, Graph) else program_or_graph
        self._graph = _as_it_is(self._program)  # later changes of the Program are not seen
        self._build_strategy = build_strategy
        self._exec_strategy: Any = None
        self._loss_name: str | None = None
        self._share_vars_from: Any = None
        self._places: Any = None
        self._is_data_parallel = False
        self._compiled = False
        self._scope: Scope | None = None
        self._place: Any = None
        self._executor: Replicas | None = None
        self._trains = False  # whether what runs has a backward part
        self._alone: Program | None = None  # what runs on one device

    def with_data_parallel(
        self,
        loss_name: str | None = None,
        build_strategy: Any = None,
        exec_strategy: Any = None,
        share_vars_from: Any = None,
        places: Any = None,
    ) -> CompiledProgram:
        """Run it on several devices, each with its part of the data; gradients are averaged over them.

        Args:
            loss_name (str): the name of the loss; needed where the Program trains.
            build_strategy (BuildStrategy): how it is to be optimised.
            exec_strategy (ExecutionStrategy): how it is to be run.
            share_vars_from (CompiledProgram): one that has run already, whose parameters this one uses.
            places: a place, places, or their names; None: all GPUs, or CPU_NUM times the CPU, as the Executor's place is.
        Returns:
            The CompiledProgram itself.
        Raises:
            AssertionError: it is data parallel already, or trains and has no loss.
        """
        if self._is_data_parallel:
            raise failed_assertion(
                "with_data_parallel", "a CompiledProgram that is not data parallel yet", "one that is", "CompiledProgram"
            )
        self._is_data_parallel = True
        self._build_strategy = build_strategy if build_strategy is not None else self._build_strategy
        self._exec_strategy, self._loss_name, self._share_vars_from = exec_strategy, loss_name, share_vars_from
        self._places = None if places is None else [
            place_of_name(p, "places", "with_data_parallel") for p in (places if isinstance(places, (list, tuple)) else [places])
        ]
        # Paddle knows a backward part by its operators' names here: gradients that are scales or constants need no loss
        if loss_name is None and any(op.type.endswith("_grad") for op in self._graph.global_block().ops):
            raise AssertionError(
                "The loss name of CompiledProgram is None. Expected the loss's name as argument `loss_name`, as the Program has a "
                "backward part. Received: None"
            )
        return self

    # ---- running, which `Executor.run` asks for
    def _executor_run(
        self,
        executor: Any,
        feed: Any,
        fetch_list: Any,
        scope: Scope | None,
        return_numpy: bool,
        return_merged: bool,
        use_prune: bool = False,
    ) -> list[Any]:
        scope = scope or global_scope()
        self._compile(scope, executor.place)
        replicas = self._executor
        if replicas is None:
            found = self._run_alone(executor, feed, fetch_list, scope, return_numpy, use_prune)
            return found if return_merged or self._program.age > 1 else [[value] for value in found]
        alone = self._build_strategy is not None and self._build_strategy.async_mode  # the first replica's values are all that is given
        if alone and not return_merged:
            raise InvalidArgumentError(
                "Invalid value for argument `return_merged` of `Executor.run`. Expected True, as the strategy has `async_mode`. "
                "Received: False"
            )
        feeds = self._feeds(replicas.program, feed, len(replicas.devices), replicas.devices[0].type)
        names = tuple(fetch_names(fetch_list))
        given: list[list[Any]] = []
        for _ in range(replicas.program._iterations):
            with scheduled(self._program, scope), trainer.step(scope, self._program):
                given = replicas.run([fed_by_readers(replicas.program, each, scope) for each in feeds], names)
            feeds = [{} for _ in feeds]  # readers feed the next one
        given = given[:1] if alone else given
        columns: list[list[Any]] = [[replica[i] for replica in given] for i in range(len(names))]
        if return_merged:
            values = [merged(column, name) if column else LoDTensor() for column, name in zip(columns, names)]
            return as_numpy(values) if return_numpy else values
        return [as_numpy(column) if return_numpy else column for column in columns]

    def _run_alone(self, executor: Any, feed: Any, fetch_list: Any, scope: Scope, return_numpy: bool, use_prune: bool) -> list[Any]:
        program = self._alone
        if use_prune or operators_in(fetch_list):
            program = self._program  # as Paddle prunes what the Program is now, not what it was
        elif program is None:
            program, build = self._graph, self._build_strategy
            if build is not None:
                program = copy_program(program)
                _tell(program, build)
                self._draw(program)
            self._alone = program
        if isinstance(feed, dict):
            feed = {name: value for name, value in feed.items() if self._takes(program, name)}
        return executor.run(program, feed, fetch_list, scope=scope, return_numpy=return_numpy, use_prune=use_prune)

    def _feeds(self, program: Program, feed: Any, count: int, kind: str) -> list[Mapping[str, Any]]:
        """What each device is fed, but for what readers give."""
        if isinstance(feed, (list, tuple)):
            if any(not isinstance(each, dict) for each in feed):
                raise type_error("feed", "a list of dicts, one for each device", feed, "Executor.run")
            if len(feed) > count and not self._trains:
                raise OutOfRangeError(f"There are more feeds than devices. Expected at most {count} dicts. Received: {len(feed)}")
            names = {n for each in feed for n in each if not self._is_kept(program, n)}
            least = min((sum(name in each for each in feed) for name in names), default=0)
            if len(feed) > count or least < (count if self._trains else max(len(feed), 1)):
                raise PreconditionNotMetError(
                    f"The feed data number {least if least < count else len(feed)} does not match the device number {count}. Expected one "
                    f"dict with all names for each device. Received: {len(feed)} dicts. A data loader that feeds several devices has to "
                    "drop what is left over at the end (drop_last=True)."
                )
            feeds: list[Mapping[str, Any]] = [{n: v for n, v in each.items() if self._takes(program, n)} for each in feed]
        elif isinstance(feed, dict):
            named = {name: value for name, value in feed.items() if self._takes(program, name)}
            feeds = list(split(program, named, count, "CPU" if kind == "cpu" else "GPU", self._trains))
        else:
            feeds = [{} for _ in range(count)]
        return feeds

    def _is_kept(self, program: Program, name: str) -> bool:
        """Whether the devices keep its value, so that not all of them need to be fed with it every time."""
        var = program.global_block().vars.get(name)
        return var is not None and var.persistable

    def _takes(self, program: Program, name: str) -> bool:
        """Whether the Program has that variable; 1.8 refuses others."""
        if name in program.global_block().vars:
            return True
        if program.age == 1:
            raise ValueError(f"Invalid value for argument `feed`: var {name} not in this block. Expected variables. Received: {name}")
        return False

    def _compile(self, scope: Scope, place: Any) -> CompiledProgram:
        """Make it ready for a scope and a place, which the first run does, too."""
        if self._compiled:
            for name, given, own in (("scope", scope, self._scope), ("place", place, self._place)):
                if given is not own and (name == "scope" or repr(given) != repr(own)):
                    raise ValueError(f"Cannot compile program with different {name}. Expected the one of its first run. Received: {given}")
            return self
        if self._is_data_parallel:
            self._executor = self._replicas(scope, place)
        self._compiled, self._scope, self._place = True, scope, place
        return self

    def _replicas(self, scope: Scope, place: Any) -> Replicas:
        """The replicas, made by the first run."""
        places = self._places
        if places is None:
            places = cpu_places() if isinstance(place, CPUPlace) else cuda_places()
        if not places:
            raise AssertionError("No places for execution. Expected at least one. Received: none (see the environment variable CPU_NUM)")
        shared = self._shared(len(places))
        devices = [torch.device("cpu") if isinstance(place, CPUPlace) else place.torch_device for place in places]
        build: Any = self._build_strategy if self._build_strategy is not None else BuildStrategy()
        processes = join(devices[0], build.num_trainers, build.trainer_id, build.trainers_endpoints)
        program = self._written(len(places), processes.size if processes else 1)
        _tell(program, build)
        how = self._exec_strategy
        if how is not None:  # which Paddle fills in, too
            how.use_cuda = not isinstance(places[0], CPUPlace)
            how.num_threads = how.num_threads or len(places) * (4 if how.use_cuda else 2)
        self._draw(program)
        self._places, self._trains = list(places), _trains(program)
        made = Replicas(program, scope, devices, shared, processes, self._divided(program, devices))
        if how is not None:
            made.runs_per_drop, made.threads = how.num_iteration_per_drop_scope, how.num_threads
            program._iterations = iterations(how, build)
        return made

    def _draw(self, program: Program) -> None:
        """Write the drawings that `debug_graphviz_path` and passes ask for: of the Program as it was given, and as every device runs it."""
        if self._build_strategy is None:
            return
        for drawing in self._build_strategy._drawings():
            draw(self._graph, drawing)
        path = self._build_strategy.debug_graphviz_path
        if path:
            draw(self._graph, f"{path}_original_graph")
            draw(self._graph, f"{path}_fused_graph")  # what is fused here is fused when it is lowered
            draw(program, f"{path}_multi_devices_graph")

    def _shared(self, count: int) -> Replicas | None:
        """The replicas whose parameters these use."""
        source = self._share_vars_from
        if source is None:
            return None
        if not source._is_data_parallel:
            raise ValueError("The shared Program is not data parallel, cannot share variables from it. Expected one that is. Received: not")
        if source._executor is None:
            raise ValueError("The shared Program is not compiled and executed, so there is no variables to share. Run it before.")
        if len(source._executor.devices) != count:
            raise PreconditionNotMetError(
                f"places_.size() = {count} is not equal to local_scopes.size() = {len(source._executor.devices)}. Expected as many devices "
                "as the CompiledProgram has that variables are shared from."
            )
        return source._executor

    def _written(self, devices: int, processes: int) -> Program:
        """The Program as every device runs it."""
        sums = not _sums_itself(self._graph)  # such a Program divides by the number of processes, too
        count = devices * processes if sums else devices
        scale = getattr(self._build_strategy, "gradient_scale_strategy", None)
        kinds = BuildStrategy.GradientScaleStrategy
        weight = 1.0 if scale == kinds.One else None if scale == kinds.Customized else 1.0 / count
        together = bool(getattr(self._build_strategy, "sync_batch_norm", False))
        return data_parallel(self._graph, weight, together, bool(getattr(self._build_strategy, "fuse_all_reduce_ops", True)), sums)

    def _divided(self, program: Program, devices: Sequence[torch.device]) -> list[Program] | None:
        """The Program for each device, where the strategy asks that each parameter be updated on one of them, and they share memory."""
        reduces = getattr(self._build_strategy, "reduce_strategy", None) == BuildStrategy.ReduceStrategy.Reduce
        apart = any(device.type != "cpu" for device in devices) or program._compiles or self._share_vars_from is not None
        return divided(program, len(devices)) if reduces and not apart and _trains(program) else None

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.CompiledProgram")


def _trains(program: Program) -> bool:
    """Whether it has a backward part."""
    return any(op.role != OpRole.NotSpecified and op.role & OpRole.Backward for op in program.global_block().ops)


def _sums_itself(program: Program) -> bool:
    """Whether its own operators sum gradients over the processes of the job, as those that a transpiler or fleet has put there."""
    sums = (op for block in program.blocks for op in block.ops if op.type.startswith("c_allreduce_"))
    return any(op.role != OpRole.NotSpecified and op.role & (OpRole.Backward | OpRole.Optimize) and op.forward is None for op in sums)


def _tell(program: Program, build: Any) -> None:
    """Say in a Program how a strategy wants it run."""
    program._compiles, program._writes_in_place = bool(build.build_cinn_pass), bool(build.enable_inplace)
    program._fuses_updates = build._fuses_updates


def _as_it_is(program: Program) -> Program:
    """A copy that later changes of the Program do not reach; one for all CompiledPrograms, as long as it does not change."""
    if program._compiled_as is None or program._compiled_as[0] != program._edits:
        program._compiled_as = program._edits, copy_program(program)
    return program._compiled_as[1]


__all__ = ["BuildStrategy", "CompiledProgram", "ExecutionStrategy"]

__getattr__ = missing(__name__)
