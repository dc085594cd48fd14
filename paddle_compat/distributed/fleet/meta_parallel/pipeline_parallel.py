"""Training by small batches, whose gradients add up before a step is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_parallel.meta_parallel_base import MetaParallelBase
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import PipelineLayer
from paddle_compat.tensor.manipulation import slice

__all__ = ["PipelineParallel"]


class PipelineParallel(MetaParallelBase):
    """A `PipelineLayer` that is trained by small batches.

    Args:
        layers (PipelineLayer): the model, with a loss.
        hcg (HybridCommunicateGroup): the groups of its process.
        strategy (DistributedStrategy): `pipeline_configs` says the `micro_batch_size`, and how many are the `accumulate_steps`.
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

    Follows Paddle 2.6.
    """

    def __init__(self, layers: Any, hcg: Any, strategy: Any) -> None:
        if not isinstance(layers, PipelineLayer):
            raise TypeError(f"The Layer should be a derived class of PipelineLayer. Received: {type(layers).__name__}")
        super().__init__(layers, hcg, strategy)
        self.micro_batch_size = strategy.pipeline_configs["micro_batch_size"]
        self.accumulate_steps = strategy.pipeline_configs["accumulate_steps"]
        self.total_loss: Any = None

    def _parts(self, data: Any) -> Iterator[tuple[Any, Any]]:
        """Inputs and labels of each small batch."""
        inputs, labels = data
        for step in range(self.accumulate_steps):
            yield self._part(inputs, step), self._part(labels, step)

    def _part(self, value: Any, step: int) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(self._part(each, step) for each in value)
        if not isinstance(value, Tensor):
            return value
        size = self.micro_batch_size
        if value.shape[0] != size * self.accumulate_steps:
            expected = f"{size * self.accumulate_steps} samples, {self.accumulate_steps} small batches of {size}"
            raise failed_assertion("data", expected, value.shape[0], "PipelineParallel.train_batch")
        return slice(value, [0], [size * step], [size * (step + 1)])

    def _loss(self, inputs: Any, labels: Any) -> Any:
        loss_fn = self._layers._loss_fn
        if loss_fn is None:
            raise failed_assertion("loss_fn", "a PipelineLayer with a loss", None, "PipelineParallel.train_batch")
        given = labels if isinstance(labels, tuple) else (labels,)
        return loss_fn(self._layers(inputs), *given)

    def train_batch(self, data: Any, optimizer: Any, lr_scheduler: Any = None, scaler: Any = None) -> Any:
        """Make one step.

        Args:
            data (tuple|list): inputs and labels, Tensors or tuples of them.
            optimizer (Optimizer): what makes the step.
            lr_scheduler (LRScheduler|None): goes on by one.
            scaler (GradScaler|None): scales the losses.
        Returns:
            Tensor: the mean of the losses.
        Raises:
            AssertionError: the batch has another size, or the model no loss.
        """
        self._layers.train()
        total = None
        for inputs, labels in self._parts(data):
            loss = self._loss(inputs, labels) / self.accumulate_steps
            (loss if scaler is None else scaler.scale(loss)).backward()
            total = loss.detach() if total is None else total + loss.detach()
        if scaler is None:
            optimizer.step()
        else:
            scaler.step(optimizer)
            scaler.update()
        optimizer.clear_grad()
        if lr_scheduler is not None:
            lr_scheduler.step()
        self.total_loss = total
        return total

    def eval_batch(self, data: Any, compute_loss: bool = False) -> Any:
        """Call the model without a step.

        Args:
            data (tuple|list): inputs and labels.
            compute_loss (bool): whether the losses are wanted.
        Returns:
            Tensor: the mean of the losses; list: else what the model returns for each small batch.
        Raises:
            AssertionError: the batch has another size, or the model no loss.
        """
        self._layers.eval()
        with no_grad():
            if not compute_loss:
                return [self._layers(inputs) for inputs, _ in self._parts(data)]
            losses = [self._loss(*part) for part in self._parts(data)]
            return sum(losses[1:], losses[0]) / self.accumulate_steps


__getattr__ = missing(__name__)
