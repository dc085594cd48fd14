"""Executor: runs Programs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import numpy as np
import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import EOFException, failed_assertion, missing_member, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.place import CPUPlace, Place, current_place, place_of_name
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.core.variable import Variable
from paddle_compat.engine import trainer
from paddle_compat.engine.executor import are_variables, fetch_names, run_program
from paddle_compat.engine.readers import ahead_of_readers, fed_by_readers


def _make_room(program: Program, scope: Scope) -> None:
    """Make what a Program keeps and the Scope lacks, still empty: the wheels do so before a run, whatever becomes of it."""
    for var in program.global_block().vars.values():
        if var.persistable and scope.find_var(var.name) is None:
            scope.var(var.name)


class Executor:
    """Runs Programs on a place.

    Args:
        place: CPUPlace, CUDAPlace(i), a name such as "cpu" or "gpu:0"; None: the current device.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 2])
        ...     y = paddle.mean(x)
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> exe.run(main, feed={"x": np.ones((3, 2), "float32")}, fetch_list=[y])
        [array(1., dtype=float32)]
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, place: Any = None) -> None:
        self.place: Place = current_place() if place is None else place_of_name(place, "place", "Executor")
        self._device = torch.device("cpu") if isinstance(self.place, CPUPlace) else None
        self._closed = False
        self._rooms: WeakKeyDictionary[Program, tuple[int, ref[Scope]]] = WeakKeyDictionary()
        self._prunings: WeakKeyDictionary[Program, tuple[int | None, dict[Any, Program]]] = WeakKeyDictionary()

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        use_prune: bool = False,
        return_merged: bool = True,
    ) -> list[Any]:
        """Run all operators of a Program once.

        Args:
            program: a Program or CompiledProgram; None: the default main program.
            feed: name -> numpy array, Tensor or LoDTensor.
            fetch_list: Variables or names to return; what `minimize` returns may be among them, and gives nothing.
            scope: where persistable variables live; None: the global scope.
            return_numpy: numpy arrays, else LoDTensors.
            feed_var_name, fetch_var_name, use_program_cache: kept for compatibility; runs are always cached.
            use_prune: run only what the fetches and the updates need; what `minimize` returned, fetched, says which updates.
            return_merged: matters for data parallel runs of Paddle 1.8 only.
        Returns:
            The fetched values, in order.
        Raises:
            ValueError: a feed has a wrong shape, data type or name; a fetched name is unknown.
            RuntimeError: a variable has no value (run the startup program).
            TypeError: an argument is of a wrong type.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Executor. Make a new one.")
        if program is None:
            program = default_main_program()
        if not isinstance(program, Program):
            runner = getattr(program, "_executor_run", None)
            if runner is None:
                raise type_error("program", "Program or CompiledProgram", program, "Executor.run")
            return runner(self, feed, fetch_list, scope, return_numpy, return_merged, use_prune)
        if feed is None:
            feed = {}
        elif isinstance(feed, (list, tuple)):
            if len(feed) != 1:
                raise failed_assertion("feed", "a dict, or a list with one dict", feed, "Executor.run")
            feed = feed[0]
        if scope is not None and not isinstance(scope, Scope):
            raise type_error("scope", "a Scope or None", scope, "Executor.run")
        if not isinstance(feed, dict):
            raise type_error("feed", "a dict of name and value", feed, "Executor.run")
        scope = scope or global_scope()
        if program._iterations == 1:
            return self._step(program, feed, fetch_list, scope, return_numpy, use_prune)
        found: list[Any] = [None if return_numpy else LoDTensor() for _ in fetch_names(fetch_list)]
        for _ in range(program._iterations):
            found, feed = self._step(program, feed, fetch_list, scope, return_numpy, use_prune), {}  # readers feed the next one
        return found

    def _step(
        self, program: Program, feed: Mapping[str, Any], fetch_list: Any, scope: Scope, return_numpy: bool, use_prune: bool
    ) -> list[Any]:
        device = self._device or self.place.torch_device
        if (staged := program._pipeline_opt) is not None:
            if "startup_program" in staged:
                return run_program(staged["startup_program"], feed, tuple(fetch_names(fetch_list)), scope, device, return_numpy)
            return _run_stage(program, feed, tuple(fetch_names(fetch_list)), scope, device, return_numpy)
        try:
            feed = fed_by_readers(program, feed, scope)
        except EOFException:
            if (ahead := ahead_of_readers(program)) is not None:
                run_program(ahead, feed, (), scope, device, return_numpy)
            raise
        fetches = tuple(fetch_names(fetch_list))
        fetched = operators_in(fetch_list)
        planned = program
        ops = program.blocks[0].ops
        if ops and ops[-1].type == "fetch" and program.age > 1 and not use_prune:
            fetches = _with_own(fetches, ops)
        if use_prune or fetched:
            program = self._pruned(program, tuple(feed), fetches, fetched)
        if not SINCE_3:
            planned = program  # what was pruned has no scheduler: the rate stays what it was at the last run of all
        try:
            if "lr_scheduler" not in planned.__dict__:
                return run_program(program, feed, fetches, scope, device, return_numpy)
            with scheduled(planned, scope):
                return run_program(program, feed, fetches, scope, device, return_numpy)
        except Exception:
            _make_room(program, scope)
            raise
        finally:
            version, room = self._rooms.get(program, (None, None))
            # a job's servers of Paddle 1.8 describe tables whose rows their Programs do not hold
            if program.age > 1 and (version != program._edits or room is None or room() is not scope):
                _make_room(program, scope)
                self._rooms[program] = program._edits, ref(scope)

    def _pruned(self, program: Program, feeds: tuple[str, ...], fetches: tuple[str, ...], fetched: list[Operator]) -> Program:
        """What is left of a Program; kept until it changes."""
        key = feeds, fetches, tuple(map(id, fetched))
        version, kept = self._prunings.get(program, (None, {}))
        if version != program._edits:
            version, kept = self._prunings[program] = program._edits, {}
        if key not in kept:
            kept[key] = self._prune_program(program, dict.fromkeys(feeds), list(fetches), fetched)
        return kept[key]

    def _prune_program(self, program: Program, feed: Any = None, fetch: Any = None, optimize_ops: Any = None) -> Program:
        """What of a Program the fetches and these operators, or else all updates, need: what Paddle's tests count calls of."""
        from paddle_compat.core.clone import prune_program

        updates = optimize_ops or [op for op in program.global_block().ops if op.role & OpRole.Optimize]
        return prune_program(program, list(feed or ()), [*(fetch or ()), *updates], to_run=True)

    def train_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Any = None,
        print_period: int = 100,
        fetch_handler: Any = None,
    ) -> None:
        """Run a Program on every batch of a dataset of files, which other threads read and parse meanwhile.

        Args:
            program (Program): what is run; None: the default main program.
            dataset (DatasetBase): an InMemoryDataset or a QueueDataset.
            scope (Scope): where persistable variables live; None: the global scope.
            thread (int): how many threads train at once, on batches of their own and parameters that they share; 0: as many as the
                dataset has. One thread gives the bits of `run` with the same batches.
            debug (bool): log the time that it took.
            fetch_list (list): Variables to print.
            fetch_info (list): a text for each of them.
            print_period (int): batches of the first thread between two prints.
            fetch_handler (FetchHandler): what is called every few seconds.
        Raises:
            RuntimeError: there is no dataset, a file is missing, or the pipe command fails.
            ValueError: a line is malformed; its file and number are in the text.
            TypeError: an argument is of a wrong type.
            AssertionError: fetch_info is not as long as fetch_list.
            UnsupportedError: a CompiledProgram.

        Example:
            >>> import tempfile, paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     x = paddle.static.data("x", [None, 2], "float32")
            ...     loss = paddle.sum(x)
            >>> dataset = paddle.distributed.QueueDataset()
            >>> dataset.init(batch_size=2, use_var=[x])
            >>> exe = paddle.static.Executor(paddle.CPUPlace())
            >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            ...     print("2 1 2", "2 3 4", "2 5 6", sep="\\n", file=file, flush=True)
            ...     dataset.set_filelist([file.name])
            ...     exe.train_from_dataset(main, dataset, fetch_list=[loss], fetch_info=["loss"], print_period=2)
            ...     exe.infer_from_dataset(main, dataset)
            time: [...], batch: [2], loss[1]:[11]
            >>> paddle.disable_static()

        Follows Paddle 1.8 and 2.6.
        """
        self._run_from_dataset("train", program, dataset, scope, thread, debug, fetch_list, fetch_info, print_period, fetch_handler)

    def infer_from_dataset(
        self,
        program: Any = None,
        dataset: Any = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Any = None,
        print_period: int = 100,
        fetch_handler: Any = None,
    ) -> None:
        """Run a Program on every batch of a dataset; as in Paddle, updates that it has are made: give the one for testing.

        Args:
            program, dataset, scope, thread, debug, fetch_list, fetch_info, print_period, fetch_handler: see `train_from_dataset`.
        Raises:
            RuntimeError: as `train_from_dataset`.

        Example:
            >>> import paddle_compat as paddle
            >>> exe = paddle.static.Executor(paddle.CPUPlace())
            >>> try:
            ...     exe.infer_from_dataset(paddle.static.Program(), None)
            ... except RuntimeError as error:
            ...     print(error)
            Executor.infer_from_dataset needs a dataset. Expected an InMemoryDataset or a QueueDataset. Received: None
        """
        self._run_from_dataset("infer", program, dataset, scope, thread, debug, fetch_list, fetch_info, print_period, fetch_handler)

    def _run_from_dataset(self, what: str, *arguments: Any) -> None:
        from paddle_compat.static._dataset_runs import run_from_dataset  # which most scripts do without

        if self._closed:
            raise RuntimeError("Attempted to use a closed Executor. Make a new one.")
        run_from_dataset(self, f"Executor.{what}_from_dataset", *arguments)

    def _check_fetch_list(self, fetch_list: Any) -> list[Any]:
        """What is to be fetched, in one list: what harnesses ask, too."""
        if fetch_list is None:
            return []
        items = [fetch_list] if isinstance(fetch_list, (str, Variable)) else fetch_list
        if not isinstance(items, (list, tuple)):
            raise failed_assertion("fetch_list", "a list or a tuple", fetch_list, "Executor.run")
        found: list[Any] = []
        for item in items:
            if isinstance(item, (list, tuple)):
                found += item if all(isinstance(part, (str, Variable)) for part in item) else [item]
            elif isinstance(item, (str, Variable)):
                found.append(item)
            else:
                raise type_error("fetch_list", "Variables or names", item, "Executor.run")
        return found

    def close(self) -> None:
        """Let go of what the executor holds; it cannot run afterwards. A trainer tells its parameter servers that it is done.

        Example:
            >>> import paddle_compat as paddle
            >>> exe = paddle.static.Executor()
            >>> exe.close()
            >>> exe.run(paddle.static.Program())
            Traceback (most recent call last):
            ...
            RuntimeError: Attempted to use a closed Executor. Make a new one.
        """
        self._closed = True
        trainer.leave()

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.Executor")


def operators_in(fetch_list: Any) -> list[Operator]:
    """The operators that a list of what is fetched asks for."""
    return [] if are_variables(fetch_list) else _operators(fetch_list)


def _operators(fetch_list: Any) -> list[Operator]:
    """The operators among what is fetched: those of what `minimize` returns."""
    items = fetch_list if isinstance(fetch_list, (list, tuple)) else [fetch_list]
    found: list[Operator] = []
    for item in items:
        if isinstance(item, Operator):
            found.append(item)
        elif isinstance(item, (list, tuple)):
            found += _operators(item)
    return found


def fetch_var(name: str, scope: Scope | None = None, return_numpy: bool = True) -> Any:
    """The value of a variable in a scope.

    Args:
        name: the variable's name.
        scope: None: the global one.
        return_numpy: give a numpy array rather than a LoDTensor.
    Raises:
        AssertionError: the scope has no such variable.
    """
    assert isinstance(name, str), f"Invalid value for argument `name`. Expected a variable's name. Received: {name!r}"
    found = (scope or global_scope()).find_var(name)
    assert found is not None, f"Variable `{name}` is not in the scope. Expected one that is persistable. Received: a name that it lacks"
    return found.get_tensor().numpy() if return_numpy else found.get_tensor()


def as_numpy(tensor: Any) -> Any:
    """What an executor fetched as numpy arrays.

    Args:
        tensor: a LoDTensor, or a list of them; an array stays what it is, a tensor without a value is None.
    Raises:
        RuntimeError: it holds sequences, which an array cannot tell apart.
    """
    if isinstance(tensor, (list, tuple)):
        return [as_numpy(t) for t in tensor]
    if not isinstance(tensor, LoDTensor):
        return np.asarray(tensor)
    if tensor.lod_:
        raise RuntimeError(f"A fetched tensor holds sequences. Expected return_numpy=False. Received: LoD {tensor.lod()}")
    return tensor.numpy() if tensor._is_initialized() else None


def _run_stage(
    program: Program, feed: Mapping[str, Any], fetches: tuple[str, ...], scope: Scope, device: torch.device, return_numpy: bool
) -> list[Any]:
    """One step of the stage that this process runs of a pipeline."""
    from paddle_compat.engine.pipeline import run_stage  # loads torch.distributed

    with scheduled(program, scope) if "lr_scheduler" in program.__dict__ else contextlib.nullcontext():
        return run_stage(program, feed, fetches, scope, device, return_numpy)


def _with_own(fetches: tuple[str, ...], ops: list[Operator]) -> tuple[str, ...]:
    """What a run gives back: what is asked for is written over what the Program's own operators fetch."""
    own = sorted((op.attr("col"), op.input("X")[0]) for op in ops if op.type == "fetch")
    return (*fetches, *(name for _, name in own[len(fetches) :]))


@contextlib.contextmanager
def scheduled(program: Program, scope: Scope) -> Iterator[None]:
    """A 2.x scheduler lives in Python: its value is in the Program's variable for a run, and stays unless that fails."""
    scheduler: Any = program.__dict__.get("lr_scheduler")  # a getattr of what is absent would write an error
    var = program.global_block().vars.get(scheduler._var_name) if scheduler is not None else None
    if var is None:
        yield
        return
    tensor = scope.var(var.name).tensor
    former, tensor.value = tensor.value, torch.full(tuple(var.shape), float(scheduler()), dtype=torch_dtype(var.dtype))
    try:
        yield
    except BaseException:
        tensor.value = former
        raise
