"""`paddle.distributed.fleet.meta_parallel.pipeline_parallel`: models in stages, that small batches go through one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.amp.auto_cast import auto_cast
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.dtype import dtype_name, torch_dtype
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.place import current_place
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import communication
from paddle_compat.distributed.fleet.meta_parallel import _schedules
from paddle_compat.distributed.fleet.meta_parallel._micro_batches import FakeMicroDataset, PipelineDatasetPreprocessor
from paddle_compat.distributed.fleet.meta_parallel._pipeline_run import Run, losses_of
from paddle_compat.distributed.fleet.meta_parallel.meta_parallel_base import MetaParallelBase
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import PipelineLayer
from paddle_compat.distributed.fleet.utils import timer_helper
from paddle_compat.optimizer.lr import LRScheduler

__all__ = [
    "FakeMicroDataset",
    "NoPipelineParallel",
    "PipelineDatasetPreprocessor",
    "PipelineParallel",
    "PipelineParallelMicroStepCallback",
    "PipelineParallelMicroStepLocations",
    "PipelineParallelWithInterleave",
    "PipelineParallelWithInterleaveFthenB",
    "VPPFhenBInBalancedMemory",
    "register_global_pipeline_parallel_hook",
]

_DTYPES = ("float32", "float16", "bfloat16", "float64")  # of losses, by the number that they are told by


class PipelineParallelMicroStepLocations(Enum):
    """Where hooks of a pipeline are called: around the way of each small batch through a stage, and around its way back.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel import PipelineParallelMicroStepLocations
        >>> PipelineParallelMicroStepLocations("forward_begin").name
        'FORWARD_BEGIN'

    Follows Paddle 3.3.
    """

    FORWARD_BEGIN = "forward_begin"
    FORWARD_END = "forward_end"
    BACKWARD_BEGIN = "backward_begin"
    BACKWARD_END = "backward_end"


class PipelineParallelMicroStepCallback:
    """The hooks of a pipeline.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel import PipelineParallelMicroStepLocations as Locations
        >>> from paddle_compat.distributed.fleet.meta_parallel.pipeline_parallel import PipelineParallelMicroStepCallback
        >>> hooks, seen = PipelineParallelMicroStepCallback(), []
        >>> hooks.register_hook(Locations.FORWARD_BEGIN, lambda **told: seen.append(told["step_id"]))
        >>> hooks.on_location(Locations.FORWARD_BEGIN, step_id=3); seen
        [3]

    Follows Paddle 3.3.
    """

    def __init__(self) -> None:
        self.hooks: dict[Any, list[Any]] = {each: [] for each in PipelineParallelMicroStepLocations}

    def register_hook(self, location: Any, hook: Callable[..., Any]) -> None:
        """Let a function be called somewhere.

        Args:
            location (PipelineParallelMicroStepLocations): where.
            hook (callable): takes what is told there by name: `input_tensor`, `output_tensor`, `output_tensor_grad`, `input_tensor_grad`
                and `step_id`, as far as they are there.
        Raises:
            AssertionError: there is no such location.
        """
        if location not in self.hooks:
            valid = "'forward_begin', 'forward_end', 'backward_begin', or 'backward_end'"
            raise AssertionError(f"Invalid location '{location}'. Valid locations are {valid}. Received: {location!r}")
        self.hooks[location].append(hook)

    def on_location(self, location: Any, **kwargs: Any) -> None:
        """Call the functions of a location.

        Args:
            location (PipelineParallelMicroStepLocations): which.
            kwargs: what they are told.
        """
        for hook in self.hooks[location]:
            hook(**kwargs)


pipeline_parallel_callbacks_ = PipelineParallelMicroStepCallback()


def register_global_pipeline_parallel_hook(location: Any, hook: Callable[..., Any]) -> None:
    """Let a function be called somewhere in all pipelines.

    Args:
        location (PipelineParallelMicroStepLocations): where.
        hook (callable): takes what is told there by name.
    Raises:
        AssertionError: there is no such location.

    Example:
        >>> from paddle_compat.distributed.fleet import meta_parallel
        >>> meta_parallel.register_global_pipeline_parallel_hook(
        ...     meta_parallel.PipelineParallelMicroStepLocations.FORWARD_END, lambda **told: None
        ... )

    Follows Paddle 3.3.
    """
    pipeline_parallel_callbacks_.register_hook(location, hook)


class PipelineParallel(MetaParallelBase):
    """A `PipelineLayer` whose stages small batches go through: back through a stage as soon as it can be (1F1B).

    Args:
        layers (PipelineLayer): the model, with a loss.
        hcg (HybridCommunicateGroup): the groups of its process.
        strategy (DistributedStrategy): `pipeline_configs` says the `micro_batch_size`, and how many are the `accumulate_steps`;
            `hybrid_configs["pp_configs"]` whether gradients are divided instead of losses (`delay_scale_loss`), and `enable_timer`.
    Raises:
        TypeError: layers is no PipelineLayer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 3}
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> layers = fleet.meta_parallel.PipelineLayer([paddle.nn.Linear(4, 1)], num_stages=1, loss_fn=paddle.nn.MSELoss())
        >>> model = fleet.meta_parallel.PipelineParallel(layers, fleet.get_hybrid_communicate_group(), strategy)
        >>> sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
        >>> data = [paddle.ones([6, 4]), paddle.ones([6, 1])]
        >>> model.train_batch(data, sgd).shape, model.eval_batch(data, compute_loss=True).shape
        ([], [])
        >>> model.get_static_scheduler(), model.is_pipeline_first_stage(), model.is_pipeline_last_stage()
        ('f0;b0;f1;b1;', True, True)
        >>> model.register_hook(fleet.meta_parallel.PipelineParallelMicroStepLocations.FORWARD_END, lambda **told: print(told["step_id"]))
        >>> model.set_virtual_pipeline_rank(0); model.timer_printer(); model.forward_backward_pipeline(data).shape
        0
        1
        []

    Follows Paddle 2.6.
    """

    _runs = Run
    _dp_comm_overlap = _sharding_comm_overlap = _comm_overlap = False  # gradients meet when the step is made
    _virtual_pp_world_size: int | None = None
    _virtual_pp_rank: int | None = None

    def __init__(self, layers: Any, hcg: Any, strategy: Any) -> None:
        if not isinstance(layers, PipelineLayer):
            raise TypeError(f"The Layer should be a derived class of PipelineLayer. Received: {type(layers).__name__}")
        super().__init__(layers, hcg, strategy)
        self.micro_batch_size = strategy.pipeline_configs["micro_batch_size"]
        self.accumulate_steps = strategy.pipeline_configs["accumulate_steps"]
        configs = strategy.hybrid_configs["pp_configs"]
        self._delay_scale_loss, self._enable_timer = configs.delay_scale_loss, configs.enable_timer
        self.num_stages, self.stage_id = hcg.get_pipe_parallel_world_size(), hcg.get_stage_id()
        self.pp_group, self.global_rank = hcg.get_pipe_parallel_group(), hcg.get_global_rank()
        self.loss_fn_idx, self._compute_loss = 0, True
        self.total_loss: Any = None
        self.optimizer: Any = None
        self.lr_scheduler: Any = None
        self.scaler: Any = None
        self.callbacks = PipelineParallelMicroStepCallback()
        if self._enable_timer:
            if not timer_helper.is_timer_initialized():
                timer_helper.set_timers()
            self.timers = timer_helper.get_timers()

    @property
    def _chunks(self) -> int:
        """How many parts each stage has."""
        return int(self._layers.get_num_virtual_stages() or 1)

    @property
    def _last_stage(self) -> int:
        """The stage that makes the losses."""
        return self.num_stages - 1

    def _order(self, stage: int) -> list[_schedules.Turn]:
        """What a stage does for a batch."""
        order = _schedules.interleaved if self._chunks > 1 else _schedules.one_by_one
        return order(stage, self.num_stages, self._chunks, self.accumulate_steps)

    def is_pipeline_first_stage(self, ignore_virtual: bool = False) -> bool:
        """Whether batches begin on this stage.

        Args:
            ignore_virtual (bool): whether any part of it counts; else the one that `set_virtual_pipeline_rank` names.
        Returns:
            bool.
        """
        if not ignore_virtual and self._virtual_pp_world_size is not None and self._virtual_pp_rank != 0:
            return False
        return self.stage_id == 0

    def is_pipeline_last_stage(self, ignore_virtual: bool = False) -> bool:
        """Whether losses are made on this stage.

        Args:
            ignore_virtual (bool): whether any part of it counts; else the one that `set_virtual_pipeline_rank` names.
        Returns:
            bool.
        """
        parts = self._virtual_pp_world_size
        if not ignore_virtual and parts is not None and self._virtual_pp_rank != parts - 1:
            return False
        return self.stage_id == self.num_stages - 1

    def set_virtual_pipeline_rank(self, rank: int) -> None:
        """Say which part of this stage is meant.

        Args:
            rank (int): from 0 on.
        """
        self._virtual_pp_rank = rank

    def register_hook(self, location: Any, hook: Callable[..., Any]) -> None:
        """Let a function be called somewhere in this pipeline.

        Args:
            location (PipelineParallelMicroStepLocations): where.
            hook (callable): takes what is told there by name.
        Raises:
            AssertionError: there is no such location.
        """
        self.callbacks.register_hook(location, hook)

    def _tell(self, location: str, **told: Any) -> None:
        for callbacks in (self.callbacks, pipeline_parallel_callbacks_):
            callbacks.on_location(PipelineParallelMicroStepLocations[location], **told)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        """Inside, a stopwatch runs, if there are any."""
        if not self._enable_timer:
            yield
            return
        self.timers(name).start()
        try:
            yield
        finally:
            self.timers(name).stop()

    def timer_printer(self) -> None:
        """Print how long each kind of work of this stage took, if `enable_timer` is set."""
        if self._enable_timer:
            self.timers.log(list(self.timers.timers))

    def get_static_scheduler(self) -> str:
        """What this stage does for a batch.

        Returns:
            str: as "f0;f1;b0;b1;".
        """
        return _schedules.shown(self._order(self.stage_id), self._chunks > 1)

    def _wrap_data(self, data: Any) -> FakeMicroDataset:
        """A batch as small batches."""
        if isinstance(data, FakeMicroDataset):
            return data
        return FakeMicroDataset(data, self.stage_id == 0, self.stage_id == self._last_stage, self.accumulate_steps, self.micro_batch_size)

    def _prepare_training(self, data: Any, optimizer: Any, lr_scheduler: Any) -> Any:
        """Remember what makes the next step; the small batches."""
        from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer import HybridParallelOptimizer

        if self.num_stages > 1 and not isinstance(optimizer, HybridParallelOptimizer):
            expected = "what fleet.distributed_optimizer gives: optimizer should be HybridParallelOptimizer subclass"
            raise failed_assertion("optimizer", expected, type(optimizer).__name__, "PipelineParallel.train_batch")
        if lr_scheduler is not None and not isinstance(lr_scheduler, LRScheduler):
            expected = "a paddle.optimizer.lr.LRScheduler"
            raise failed_assertion("lr_scheduler", expected, type(lr_scheduler).__name__, "PipelineParallel.train_batch")
        self.optimizer, self.lr_scheduler = optimizer, lr_scheduler
        self._layers.train()
        self._compute_loss = True
        return self._wrap_data(data)

    def _run(self, data: Any, scaler: Any, backward: bool) -> Run:
        """Let a batch go through the stages."""
        kept = (lambda turn: True) if backward else (lambda turn: turn.forward)
        orders = [[turn for turn in self._order(stage) if kept(turn)] for stage in range(self.num_stages)]
        run = self._runs(self, orders, data, scaler, self._compute_loss)
        run.go()
        return run

    def forward_backward_pipeline(
        self, data: Any, scaler: Any = None, static_scheduler: bool = False, return_micro_batch_loss: bool = False
    ) -> Any:
        """Add the gradients of a batch to those that are there, without a step.

        Args:
            data (tuple|list): inputs and labels.
            scaler (GradScaler|None): scales the losses.
            static_scheduler (bool): say what this stage would do, and do nothing.
            return_micro_batch_loss (bool): whether each small batch's part of the loss is wanted.
        Returns:
            Tensor: the mean of the losses; a list of them, where the model has a list of losses; str: with static_scheduler.
        Raises:
            UnavailableError: another stage has failed.
        """
        if static_scheduler:
            return self.get_static_scheduler()
        self.scaler = scaler
        run = self._run(self._wrap_data(data), scaler, True)
        if self._delay_scale_loss and self.accumulate_steps > 1:
            with torch.no_grad():
                for parameter in self._layers.parameters():
                    main = getattr(parameter, "main_grad", None)  # of mix_precision_utils
                    gradient = parameter.grad if main is None else main
                    if gradient is not None:
                        gradient._t.div_(self.accumulate_steps)
        with auto_cast(enable=False):
            with self._timed("allreduce_shared_weight_gradients"):
                self._layers.allreduce_shared_weight_gradients()
            with self._timed("broadcast_final_loss"):
                loss = self._broadcast_final_loss(run, return_micro_batch_loss)
        self.timer_printer()
        return loss

    def _broadcast_final_loss(self, run: Run, each: bool = False) -> Any:
        """The losses, which the last stage has, on all."""
        several = isinstance(self._layers._loss_fn, (list, tuple))
        last, found = self.stage_id == self._last_stage, []
        for place in range(len(losses_of(self._layers))):
            own: Any = None
            if last:
                own = run.total()[place]
                if each:
                    own = Tensor(torch.stack([losses[place]._t.detach().reshape(()) for losses in run.micro_losses]))
            found.append(own if self.num_stages == 1 else self._of_last(own, self.accumulate_steps if each else 1))
        self.total_loss = (found if several else found[0]) if last else None
        return found if several else found[0]

    def _of_last(self, own: Any, count: int) -> Any:
        """The last stage's losses, which this one has none of where it is another."""
        told = torch.zeros(count + 1, dtype=torch.float64, device=current_place().torch_device)
        if own is not None:
            told[0] = _DTYPES.index(dtype_name(own._t.dtype))
            told[1:] = own._t.detach().reshape(-1)
        communication.broadcast(Tensor(told), self._hcg.get_rank_from_stage(self._last_stage), self.pp_group)
        return own if own is not None else Tensor(told[1:].to(torch_dtype(_DTYPES[int(told[0])])))

    def _optimizer_step(self) -> None:
        """Make the step that the gradients are for."""
        if self.scaler is None:
            self.optimizer.step()
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.optimizer.clear_grad()
        if self.lr_scheduler is not None:
            self.lr_scheduler.step()

    def train_batch(
        self,
        data: Any,
        optimizer: Any,
        lr_scheduler: Any = None,
        scaler: Any = None,
        loss_fn_idx: int = 0,
        return_micro_batch_loss: bool = False,
    ) -> Any:
        """Make one step.

        Args:
            data (tuple|list|iterator): inputs and labels, as `FakeMicroDataset` takes them; each stage looks at what it needs.
            optimizer (Optimizer): what makes the step: of `fleet.distributed_optimizer`, where there are several stages.
            lr_scheduler (LRScheduler|None): goes on by one.
            scaler (GradScaler|None): scales the losses.
            loss_fn_idx (int): which of the model's losses the step is for, where there are several.
            return_micro_batch_loss (bool): whether each small batch's part of the loss is wanted.
        Returns:
            Tensor: the mean of the losses: without dimensions on the last stage, of one element on the others.
        Raises:
            AssertionError: the batch has another size, the model no loss, or the optimizer is another one.
            UnavailableError: another stage has failed.
        """
        batches = self._prepare_training(data, optimizer, lr_scheduler)
        self.loss_fn_idx = loss_fn_idx
        loss = self.forward_backward_pipeline(batches, scaler, return_micro_batch_loss=return_micro_batch_loss)
        with auto_cast(enable=False):
            self._optimizer_step()
        return loss

    def eval_batch(self, data: Any, compute_loss: bool = False, loss_fn_idx: int = 0, return_host_tensor: bool = False) -> Any:
        """Call the model without a step.

        Args:
            data (tuple|list|iterator): inputs and labels, as `FakeMicroDataset` takes them.
            compute_loss (bool): whether the losses are wanted.
            loss_fn_idx (int): which of the model's losses must be there.
            return_host_tensor (bool): whether what the model returns is wanted on the CPU.
        Returns:
            Tensor: the mean of the losses; list: else what the model returns for each small batch, on the last stage alone.
        Raises:
            AssertionError: the batch has another size, or the model no loss.
            UnavailableError: another stage has failed.
        """
        self._layers.eval()
        self._compute_loss, self.loss_fn_idx = compute_loss, loss_fn_idx
        found = self._forward_only(data)
        return found if compute_loss or not return_host_tensor else [_on_the_cpu(each) for each in found]

    def _forward_only(self, data: Any) -> Any:
        """The losses of a batch, or what the model returns for its small batches."""
        with no_grad():
            run = self._run(self._wrap_data(data), None, False)
            return self._broadcast_final_loss(run) if self._compute_loss else run.outputs


def _on_the_cpu(value: Any) -> Any:
    return tuple(_on_the_cpu(each) for each in value) if isinstance(value, (tuple, list)) else value.cpu()


class PipelineParallelWithInterleave(PipelineParallel):
    """As `PipelineParallel`, where each stage has several parts of the model, which batches come to by turns.

    Args:
        layers, hcg, strategy: as of `PipelineParallel`; the model has `num_virtual_pipeline_stages`.
    Raises:
        AssertionError: the model has one part for each stage.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 3}
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> parts = [paddle.nn.Linear(4, 4), paddle.nn.Linear(4, 4)]
        >>> layers = fleet.meta_parallel.PipelineLayer(
        ...     parts, num_stages=1, loss_fn=paddle.nn.MSELoss(), seg_method="layer:Linear", num_virtual_pipeline_stages=2
        ... )
        >>> model = fleet.meta_parallel.PipelineParallelWithInterleave(layers, fleet.get_hybrid_communicate_group(), strategy)
        >>> model.get_static_scheduler()
        'f0_vp0;f0_vp1;b0_vp1;f1_vp0;b0_vp0;f1_vp1;b1_vp1;b1_vp0;'

    Follows Paddle 2.6.
    """

    def __init__(self, layers: Any, hcg: Any, strategy: Any) -> None:
        super().__init__(layers, hcg, strategy)
        if layers.get_num_virtual_stages() < 2:
            expected = "a PipelineLayer with num_virtual_pipeline_stages above 1"
            raise failed_assertion("layers", expected, layers.get_num_virtual_stages(), type(self).__name__)
        self.model_chunks = layers.get_model_chunks()
        self.num_model_chunks = len(self.model_chunks)
        self._virtual_pp_world_size, self._virtual_pp_rank = self.num_model_chunks, 0

    def forward_backward_pipeline(  # type: ignore[override]
        self,
        data: Any,
        scaler: Any = None,
        forward_only: bool = False,
        compute_loss: bool = True,
        static_scheduler: bool = False,
        return_micro_batch_loss: bool = False,
    ) -> Any:
        """Add the gradients of a batch to those that are there, without a step; or leave out the way back.

        Args:
            data (tuple|list): inputs and labels.
            scaler (GradScaler|None): scales the losses.
            forward_only (bool): leave out the way back.
            compute_loss (bool): with forward_only, whether the losses are wanted; else what the model returns.
            static_scheduler, return_micro_batch_loss (bool): as of `PipelineParallel`.
        Returns:
            Tensor|list|str: as of `PipelineParallel`; with forward_only as of `eval_batch`.
        """
        if not forward_only or static_scheduler:
            return super().forward_backward_pipeline(data, scaler, static_scheduler, return_micro_batch_loss)
        self._compute_loss = compute_loss
        return self._forward_only(data)


class PipelineParallelWithInterleaveFthenB(PipelineParallelWithInterleave):
    """As `PipelineParallelWithInterleave`, for few small batches: all go through all parts before the first one goes back.

    Args:
        layers, hcg, strategy: as of `PipelineParallelWithInterleave`.

    Example:
        >>> from paddle_compat.distributed.fleet import meta_parallel
        >>> issubclass(meta_parallel.PipelineParallelWithInterleaveFthenB, meta_parallel.PipelineParallelWithInterleave)
        True

    Follows Paddle 2.6.
    """

    def _order(self, stage: int) -> list[_schedules.Turn]:
        """What a stage does for a batch."""
        return _schedules.forward_then_backward(stage, self.num_stages, self.num_model_chunks, self.accumulate_steps)


class VPPFhenBInBalancedMemory(PipelineParallelWithInterleaveFthenB):
    """As `PipelineParallelWithInterleaveFthenB`.

    Args:
        layers, hcg, strategy: as of `PipelineParallelWithInterleave`.

    Example:
        >>> from paddle_compat.distributed.fleet import meta_parallel
        >>> issubclass(meta_parallel.VPPFhenBInBalancedMemory, meta_parallel.PipelineParallelWithInterleave)
        True

    Follows Paddle 3.3.
    """


class NoPipelineParallel(PipelineParallel):
    """As `PipelineParallel`, for a model in one stage.

    Args:
        layers (PipelineLayer): the model, with a loss.
        strategy (DistributedStrategy): as of `PipelineParallel`.
        hcg (HybridCommunicateGroup|None): the groups of its process; None: those of `fleet.init`.
    Raises:
        AssertionError: there are several stages.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> layers = fleet.meta_parallel.PipelineLayer([paddle.nn.Linear(4, 1)], num_stages=1, loss_fn=paddle.nn.MSELoss())
        >>> fleet.meta_parallel.NoPipelineParallel(layers, strategy).is_pipeline_last_stage()
        True

    Follows Paddle 3.3.
    """

    def __init__(self, layers: Any, strategy: Any, hcg: Any = None) -> None:
        from paddle_compat.distributed import fleet

        super().__init__(layers, fleet.get_hybrid_communicate_group() if hcg is None else hcg, strategy)
        if self.num_stages > 1:
            raise failed_assertion("hcg", "groups of one stage", f"{self.num_stages} stages", "NoPipelineParallel")


def chosen(layers: Any, hcg: Any, strategy: Any) -> PipelineParallel:
    """A model in the wrapper that its parts and the number of small batches call for.

    Args:
        layers (PipelineLayer): the model.
        hcg (HybridCommunicateGroup): the groups of its process.
        strategy (DistributedStrategy): the settings.
    Raises:
        AssertionError: layers is no PipelineLayer.
        ValueError: there are fewer small batches than stages, and several parts for each.
    """
    if not isinstance(layers, PipelineLayer):
        expected = "a PipelineLayer: for pipeline parallel, the model should be an instance of PipelineLayer"
        raise failed_assertion("model", expected, type(layers).__name__, "fleet.distributed_model")
    configs = strategy.hybrid_configs["pp_configs"]
    if configs.use_dualpipev:
        from paddle_compat.distributed.fleet.meta_parallel.dualpipev import DualPipeVParallel

        return DualPipeVParallel(layers, hcg, strategy)
    if layers.get_num_virtual_stages() < 2:
        return PipelineParallel(layers, hcg, strategy)
    stages, batches = hcg.get_pipe_parallel_world_size(), strategy.pipeline_configs["accumulate_steps"]
    if batches >= stages and configs.best_unbalanced_scheduler:
        return VPPFhenBInBalancedMemory(layers, hcg, strategy)
    if batches >= 2 * stages:
        return PipelineParallelWithInterleave(layers, hcg, strategy)
    if batches < stages:
        raise ValueError(f"The accumulate_steps({batches}) should be greater than or equal to pp_degree({stages})")
    return PipelineParallelWithInterleaveFthenB(layers, hcg, strategy)


__getattr__ = missing(__name__)
