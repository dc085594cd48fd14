"""`paddle.distributed.fleet.meta_parallel.dualpipev`: pipelines whose stages have a part on the way forth and one on the way back."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_parallel import _schedules
from paddle_compat.distributed.fleet.meta_parallel._pipeline_run import Run
from paddle_compat.distributed.fleet.meta_parallel.pipeline_parallel import PipelineParallel

__all__ = ["DualPipeVParallel"]


class _Run(Run):
    """A batch whose parts are called with lists, as Paddle does here."""

    def _in_hand(self, value: Any) -> Any:
        return list(value) if isinstance(value, tuple) else [value] if isinstance(value, Tensor) else value


class DualPipeVParallel(PipelineParallel):
    """As `PipelineParallel`, where the first stage has the model's begin and its end, the second what comes next to both, and so on.

    All parts but the model's first, and the loss, are called with a list of what they get.

    Args:
        layers (PipelineLayer): the model, with a loss, and `use_dualpipev`.
        hcg (HybridCommunicateGroup): the groups of its process.
        strategy (DistributedStrategy): as of `PipelineParallel`.
    Raises:
        AssertionError: the model has no such parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 3}
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> loss = lambda out, label: paddle.nn.functional.mse_loss(out[0], label)
        >>> parts = [paddle.nn.Linear(4, 4), lambda x: x[0] + 1.0]
        >>> layers = fleet.meta_parallel.PipelineLayer(parts, num_stages=1, loss_fn=loss, use_dualpipev=True)
        >>> model = fleet.meta_parallel.DualPipeVParallel(layers, fleet.get_hybrid_communicate_group(), strategy)
        >>> sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
        >>> model.train_batch([paddle.ones([6, 4]), paddle.ones([6, 4])], sgd).shape, model.get_static_scheduler()
        ([1], 'f0_vp0;f0_vp1;f1_vp0;b0_vp1;f1_vp1;b0_vp0;b1_vp1;b1_vp0;')

    Follows Paddle 3.3.
    """

    _runs = _Run

    def __init__(self, layers: Any, hcg: Any, strategy: Any) -> None:
        super().__init__(layers, hcg, strategy)
        if not layers._folded:
            raise failed_assertion("layers", "a PipelineLayer with use_dualpipev=True", "one without", "DualPipeVParallel")

    @property
    def _chunks(self) -> int:
        return 2

    @property
    def _last_stage(self) -> int:
        return 0

    def _order(self, stage: int) -> list[_schedules.Turn]:
        return _schedules.folded(stage, self.num_stages, self.accumulate_steps)

    def forward_backward_pipeline(self, data: Any, scaler: Any = None, forward_only: bool = False, compute_loss: bool = True) -> Any:
        """Add the gradients of a batch to those that are there, without a step; or leave out the way back.

        Args:
            data (tuple|list): inputs and labels.
            scaler (GradScaler|None): scales the losses.
            forward_only (bool): leave out the way back.
            compute_loss (bool): with forward_only, whether the losses are wanted; else what the model returns.
        Returns:
            Tensor|list: the mean of the losses, of one element; without compute_loss what the model returns for each small batch.
        Raises:
            AssertionError: there are fewer small batches than twice as many as the stages.
            UnavailableError: another stage has failed.
        """
        if not forward_only:
            return super().forward_backward_pipeline(data, scaler)
        self._compute_loss = compute_loss
        return self._forward_only(data)

    def train_batch(self, data: Any, optimizer: Any, lr_scheduler: Any = None, scaler: Any = None) -> Any:  # type: ignore[override]
        """Make one step.

        Args:
            data (tuple|list|iterator): inputs and labels, which the first stage looks at.
            optimizer (Optimizer): what makes the step: of `fleet.distributed_optimizer`, where there are several stages.
            lr_scheduler (LRScheduler|None): goes on by one.
            scaler (GradScaler|None): scales the losses.
        Returns:
            Tensor: the mean of the losses, of one element.
        Raises:
            AssertionError: there are fewer small batches than twice as many as the stages.
            UnavailableError: another stage has failed.
        """
        batches = self._prepare_training(data, optimizer, lr_scheduler)
        loss = self.forward_backward_pipeline(batches, scaler)
        self._optimizer_step()
        return loss

    def _broadcast_final_loss(self, run: Run, each: bool = False) -> Any:
        found = super()._broadcast_final_loss(run, each)
        return [loss.reshape([-1]) for loss in found] if isinstance(found, list) else found.reshape([-1])


__getattr__ = missing(__name__)
