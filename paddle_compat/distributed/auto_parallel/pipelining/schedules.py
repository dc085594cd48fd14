"""`paddle.distributed.auto_parallel.pipelining.schedules`: in which order small batches go through stages, and back."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, failed_assertion, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import is_dist, torch_mesh
from paddle_compat.distributed.auto_parallel.interface import get_mesh
from paddle_compat.distributed.auto_parallel.pipelining._batch import Batch
from paddle_compat.distributed.auto_parallel.pipelining.microbatch import TensorChunkSpec as TensorChunkSpec
from paddle_compat.distributed.auto_parallel.pipelining.microbatch import merge_chunks as merge_chunks
from paddle_compat.distributed.auto_parallel.pipelining.microbatch import split_args_kwargs_into_chunks as split_args_kwargs_into_chunks
from paddle_compat.distributed.auto_parallel.pipelining.stage import PipelineStage as PipelineStage
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.distributed.fleet.meta_parallel import _schedules
from paddle_compat.distributed.fleet.meta_parallel._schedules import Turn
from paddle_compat.distributed.fleet.meta_parallel.pp_utils._messages import Line, parts_of
from paddle_compat.nn import Layer


class _Schedule(ABC):
    """What all schedules do; each says in which order (`_order`)."""

    def __init__(
        self, stages: Sequence[Any], n_microbatches: int, loss_fn: Callable[..., Any] | None, args_chunk_spec: Any,
        kwargs_chunk_spec: Any, output_merge_spec: Any,
    ) -> None:  # fmt: skip
        for stage in stages:
            if not isinstance(stage, PipelineStage):
                raise type_error("stage", "a PipelineStage", stage, type(self).__name__)
        first, count = stages[0], len(stages)
        wanted = [_schedules.number_of(first.group_rank, chunk, first.group_size) for chunk in range(count)]
        if [stage.stage_index for stage in stages] != wanted or first.num_stages != first.group_size * count:
            said = f"stages {wanted} of {first.group_size * count}, as process {first.group_rank} of {first.group_size}"
            found = [f"{stage.stage_index} of {stage.num_stages}" for stage in stages]
            raise InvalidArgumentError(
                f"Invalid value for argument `stages` of `{type(self).__name__}`. Expected {said}. Received: {found}"
            )
        self._stages, self._n_microbatches, self._loss_fn = list(stages), n_microbatches, loss_fn
        self._args_chunk_spec, self._kwargs_chunk_spec, self._output_merge_spec = args_chunk_spec, kwargs_chunk_spec, output_merge_spec
        for stage in stages:
            stage.has_backward = True

    @abstractmethod
    def _order(self, process: int) -> list[Turn]:
        """What a process does for a batch."""

    def step(self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_output: bool = False, **kwargs: Any) -> Any:
        """Let a batch go through the stages and back. Gradients of the small batches' losses are added up; no update is made.

        Args:
            args: what the first stage is called with; others look at none of it.
            target (Tensor|tuple|None): the labels, which the last stage needs.
            losses (list|None): gets the losses of the small batches, on the last stage, in place of what is in it.
            return_output (bool): whether the outputs are wanted, on the last stage.
            kwargs: what every stage is called with by name.
        Returns:
            The outputs of all small batches together; None where they are not wanted, and on other stages.
        Raises:
            TypeError: losses is no list, there is no target or no loss function on the last stage.
            ValueError: there are fewer rows than small batches.
            UnavailableError: another stage has failed.
        """
        if losses is not None and not isinstance(losses, list):
            raise type_error("losses", f"a list: losses must be a list but got a {type(losses)}", losses, "step")
        first, count = self._stages[0], self._n_microbatches
        args = args if first.is_first else ()
        given = split_args_kwargs_into_chunks(args, kwargs, count, self._args_chunk_spec if args else None, self._kwargs_chunk_spec)
        targets = None
        if self._stages[-1].is_last and target is not None:
            targets = [each for (each,) in split_args_kwargs_into_chunks((target,), None, count)[0]]
        own = self._let_meet((*args, *kwargs.values(), target))
        orders = [self._order(process) for process in range(first.group_size)]
        line = Line(first.group, own) if first.group_size > 1 else None
        batch = Batch(self._stages, orders, line, given, targets, self._loss_fn)
        batch.go()
        for stage in self._stages:
            stage._sum_shared_gradients()
        if losses is not None:
            losses[:] = batch.losses
        return merge_chunks(batch.outputs, self._output_merge_spec) if return_output and self._stages[-1].is_last else None

    def _let_meet(self, given: tuple[Any, ...]) -> Any:
        """Where there are dist tensors, make the meshes of all processes, which meet for that; this process's, or None."""
        parameters = [each for stage in self._stages for each in stage.layer.parameters()]
        if not any(isinstance(each, Tensor) and is_dist(each) for each in (*parameters, *parts_of(list(given)))):
            return None
        mesh, first = get_mesh(), self._stages[0]
        if mesh is None or "pp" not in mesh.dim_names:
            raise failed_assertion("mesh", "one with a dimension pp, which set_mesh has set, for dist tensors", mesh, "step")
        of_stages = [torch_mesh(_of_stage(mesh, process), "step") for process in range(first.group_size)]
        return of_stages[first.group_rank]


def _of_stage(mesh: Any, process: int) -> Any:
    """The part of a mesh that has the stages of a process."""
    if mesh.ndim == 1:
        return ProcessMesh([mesh.process_ids[process]], mesh.dim_names)
    return mesh.get_mesh_with_dim("pp", process)


class PipelineScheduleSingle(_Schedule):
    """Base of the schedules where each process has one stage.

    Args:
        stage (PipelineStage): this process's.
        n_microbatches (int): how many small batches a batch is cut into.
        loss_fn (callable|None): takes outputs and labels of a small batch; the last stage needs it.
        args_chunk_spec, kwargs_chunk_spec: along which dimensions arguments are cut, as of `split_args_kwargs_into_chunks`.
        output_merge_spec: along which dimensions outputs are put together, as of `merge_chunks`.
    Raises:
        TypeError: stage is no PipelineStage.
        ValueError: it is not the one of this process.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining import schedules
        >>> schedule = schedules.Schedule1F1B(schedules.PipelineStage(paddle.nn.Linear(4, 2), 0, 1), 2, paddle.nn.MSELoss())
        >>> schedule.step(paddle.ones([2, 4]), target=paddle.ones([2, 2]), return_output=True).shape
        [2, 2]

    Follows Paddle 3.3.
    """

    def __init__(
        self, stage: PipelineStage, n_microbatches: int, loss_fn: Callable[..., Any] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None,
    ) -> None:  # fmt: skip
        super().__init__([stage], n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec)
        self._stage = stage


class PipelineScheduleMulti(_Schedule):
    """Base of the schedules where each process has several stages.

    Args:
        stages (list): this process's; with n processes, numbers i, i + n and so on.
        n_microbatches (int): how many small batches a batch is cut into.
        loss_fn (callable|None): takes outputs and labels of a small batch; the last stage needs it.
        args_chunk_spec, kwargs_chunk_spec: along which dimensions arguments are cut, as of `split_args_kwargs_into_chunks`.
        output_merge_spec: along which dimensions outputs are put together, as of `merge_chunks`.
        stage_index_to_group_rank (dict|None): the process of each stage; the one that is said above.
        use_full_backward (bool|None): gradients of inputs and of weights come together.
    Raises:
        TypeError: one is no PipelineStage.
        ValueError: they are not those of this process.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining import schedules
        >>> stages = [schedules.PipelineStage(paddle.nn.Linear(2, 2), place, 2) for place in range(2)]
        >>> schedule = schedules.ScheduleVPP(stages, 2, paddle.nn.MSELoss())
        >>> schedule.step(paddle.ones([2, 2]), target=paddle.ones([2, 2]), return_output=True).shape
        [2, 2]

    Follows Paddle 3.3.
    """

    def __init__(
        self, stages: list[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Any] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None, stage_index_to_group_rank: dict[int, int] | None = None,
        use_full_backward: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(stages, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec)


class ScheduleFThenB(PipelineScheduleSingle):
    """All small batches forward, then all back.

    Args:
        stage, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec: as of `PipelineScheduleSingle`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.schedules import PipelineStage, ScheduleFThenB
        >>> layer, losses = paddle.nn.Linear(4, 2), []
        >>> schedule = ScheduleFThenB(PipelineStage(layer, 0, 1), 3, paddle.nn.MSELoss())
        >>> out = schedule.step(paddle.ones([6, 4]), target=paddle.ones([6, 2]), losses=losses, return_output=True)
        >>> out.shape, len(losses), layer.weight.grad.shape
        ([6, 2], 3, [4, 2])

    Follows Paddle 3.3.
    """

    def _order(self, process: int) -> list[Turn]:
        return _schedules.forward_then_backward(process, self._stage.group_size, 1, self._n_microbatches)


class Schedule1F1B(PipelineScheduleSingle):
    """Back through a stage as soon as it can be, so that few small batches are under way.

    Args:
        stage, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec: as of `PipelineScheduleSingle`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.schedules import PipelineStage, Schedule1F1B
        >>> schedule = Schedule1F1B(PipelineStage(paddle.nn.Linear(4, 2), 0, 1), 3, paddle.nn.MSELoss())
        >>> schedule.step(paddle.ones([6, 4]), target=paddle.ones([6, 2]))

    Follows Paddle 3.3.
    """

    def _order(self, process: int) -> list[Turn]:
        return _schedules.one_by_one(process, self._stage.group_size, 1, self._n_microbatches)


class ScheduleVPP(PipelineScheduleMulti):
    """As `Schedule1F1B`, where each process has several stages, which small batches come to by turns.

    Args:
        stages, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec: as of `PipelineScheduleMulti`.
    Raises:
        ValueError: the small batches do not make whole rounds.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.schedules import PipelineStage, ScheduleVPP
        >>> stages = [PipelineStage(paddle.nn.Linear(4, 4), place, 2) for place in range(2)]
        >>> losses = []
        >>> ScheduleVPP(stages, 2, paddle.nn.MSELoss()).step(paddle.ones([2, 4]), target=paddle.ones([2, 4]), losses=losses)
        >>> len(losses)
        2

    Follows Paddle 3.3.
    """

    def __init__(
        self, stages: list[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Any] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(stages, n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec)
        rounds = max(1, n_microbatches // stages[0].group_size)
        if n_microbatches % rounds:
            said = f"the number of small batches to be a multiple of the number of rounds ({rounds})"
            raise InvalidArgumentError(
                f"Invalid value for argument `n_microbatches` of `ScheduleVPP`. Expected {said}. Received: {n_microbatches}"
            )
        self._round = n_microbatches // rounds

    def _order(self, process: int) -> list[Turn]:
        return _schedules.in_rounds(process, self._stages[0].group_size, len(self._stages), self._n_microbatches, self._round)


class PipelineChunk(Layer):
    """Layers that `get_pipeline_schedule` makes a stage of: each is called with what the one before returns.

    Args:
        layers (list): the layers.
        is_first (bool): whether the model begins here: the first layer is called with a tuple of `input_ids`, `attention_mask` and
            `position_ids`, else with one of what the stage is given.
        is_last (bool): whether it ends here: of what the last layer returns in a tuple, the first.
    Raises:
        AssertionError: it is both.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.schedules import PipelineChunk
        >>> chunk = PipelineChunk([lambda given: given[0] + 1.0, paddle.nn.ReLU()])
        >>> chunk(paddle.zeros([1])).tolist()
        [1.0]

    Follows Paddle 3.3.
    """

    def __init__(self, layers: Any = None, is_first: bool = False, is_last: bool = False) -> None:
        super().__init__()
        if is_first and is_last:
            raise failed_assertion("is_last", "False of a first stage: Pipeline stage cannot be both first and last", True, "PipelineChunk")
        self.layers, self.is_first, self.is_last = layers, is_first, is_last

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """The parameters of the layers, which stay those of the model that they are from.

        Args:
            include_sublayers (bool): whether layers inside of them count.
        Returns:
            list: of Tensors.
        """
        layers = [layer for layer in self.layers or () if isinstance(layer, Layer)]
        return [each for layer in layers for each in layer.parameters(include_sublayers)]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the layers, one after the other.

        Args:
            args: what the stage is given; kwargs: what all stages are called with by name.
        Returns:
            What the last one returns.
        """
        value: Any = tuple(kwargs.get(name) for name in ("input_ids", "attention_mask", "position_ids")) if self.is_first else args
        for layer in self.layers:
            value = layer(value)
        return value[0] if self.is_last and isinstance(value, tuple) else value


_MODES = ("VPP", "1F1B", "FThenB")


def get_pipeline_schedule(model: Any, acc_steps: int, loss_fn: Callable[..., Any], mode: str, pp_degree: int, group: Any) -> Any:
    """A schedule of the `layers` of a language model, which are shared out evenly.

    Args:
        model (Layer): with `layers`, and a `config` with `num_hidden_layers`; for "VPP" with `virtual_pp_degree`, too.
        acc_steps (int): how many small batches a batch is cut into.
        loss_fn (callable): takes outputs and labels of a small batch.
        mode (str): "VPP", "1F1B" or "FThenB".
        pp_degree (int): how many processes share out the stages.
        group (Group): these processes.
    Returns:
        ScheduleVPP|Schedule1F1B|ScheduleFThenB: of stages that are `PipelineChunk`s.
    Raises:
        AssertionError: there is no such mode.

    Example:
        >>> import types
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.schedules import get_pipeline_schedule
        >>> model = paddle.nn.Layer()
        >>> model.config, model.layers = types.SimpleNamespace(num_hidden_layers=1), [paddle.nn.Linear(2, 2)]
        >>> type(get_pipeline_schedule(model, 2, paddle.nn.MSELoss(), "1F1B", 1, None)).__name__
        'Schedule1F1B'

    Follows Paddle 3.3.
    """
    if mode not in _MODES:
        said = f"one of {list(_MODES)}: Invalid pipeline schedule mode: {mode}"
        raise failed_assertion("mode", said, mode, "get_pipeline_schedule")
    config, chunks = model.config, model.config.virtual_pp_degree if mode == "VPP" else 1
    total, rank = pp_degree * chunks, 0 if group is None else group.rank
    size = config.num_hidden_layers // total
    if size * total < config.num_hidden_layers:
        left = list(range(size * total, config.num_hidden_layers))
        warnings.warn(f"The last layers are in no stage, as in Paddle 3.3: {left} of {config.num_hidden_layers}", stacklevel=2)
    stages = []
    for number in (_schedules.number_of(rank, chunk, pp_degree) for chunk in range(chunks)):
        layers = list(model.layers[number * size : (number + 1) * size])
        chunk = PipelineChunk(layers, number == 0, number == total - 1 and total > 1)
        stages.append(PipelineStage(chunk, number, total, group=group))
    if mode == "VPP":
        return ScheduleVPP(stages, acc_steps, loss_fn)
    return (Schedule1F1B if mode == "1F1B" else ScheduleFThenB)(stages[0], acc_steps, loss_fn)


__all__: list[str] = []
__getattr__ = missing(__name__)
