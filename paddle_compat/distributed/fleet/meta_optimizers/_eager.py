"""The strategies that act in eager mode: on the optimizer, and on the model that `fleet.distributed_model` is given."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.rings import ring_of
from paddle_compat.distributed.fleet.meta_optimizers.lamb_optimizer import LambOptimizer
from paddle_compat.distributed.fleet.meta_optimizers.lars_optimizer import LarsOptimizer
from paddle_compat.distributed.fleet.meta_optimizers.localsgd_optimizer import LocalSGDOptimizer
from paddle_compat.distributed.fleet.meta_optimizers.recompute_optimizer import checkpoints
from paddle_compat.distributed.fleet.recompute import recompute
from paddle_compat.optimizer.optimizer import _all


def eager_optimizer(optimizer: Any, role_maker: Any, strategy: Any) -> Any:
    """What makes the steps that a strategy asks for.

    Args:
        optimizer: the user's.
        role_maker: the role of this process.
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: the optimizer is not of the kind that a switch changes.
    """
    made = optimizer
    for layer in (LambOptimizer, LarsOptimizer, LocalSGDOptimizer):
        around = layer(made)
        around._set_basic_info(None, role_maker, optimizer, strategy)
        if around._can_apply():
            around._wrapped()
            made = LocalSteps(made, **strategy.localsgd_configs) if layer is LocalSGDOptimizer else around.inner_opt
    configs = strategy.gradient_merge_configs
    return MergedSteps(made, **configs) if strategy.gradient_merge and configs["k_steps"] > 1 else made


def model_for_local_steps(model: Any) -> Any:
    """The model itself, with the parameters and buffers of the first worker.

    Args:
        model: a Layer.
    """
    ring = ring_of(0)
    tensors = [var._t.detach() for var in (*model.parameters(), *model.buffers())]
    with torch.no_grad():
        first = ring.all_reduce([tensor if ring.rank == 0 else torch.zeros_like(tensor) for tensor in tensors])
        for tensor, value in zip(tensors, first, strict=True):
            tensor.copy_(value)
    return model


def compute_again(model: Any, strategy: Any) -> None:
    """Let the sublayers that `recompute_configs` names, as `named_sublayers` or in full, keep nothing for the backward pass.

    Args:
        model: a Layer.
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: a name is no sublayer's.
    """
    layers = {alias: layer for name, layer in model.named_sublayers() for alias in (name, layer.full_name())}
    for name in checkpoints(strategy):
        if name not in layers:
            raise UnsupportedError("fleet.DistributedStrategy.recompute_configs", f"checkpoint {name!r} in eager mode", "a sublayer's name")
        layer = layers[name]
        layer.forward = partial(recompute, layer.forward, use_reentrant=False)


class Steps:
    """An optimizer whose steps are another's and something more; all else is the other's.

    Args:
        optimizer: the other one.
    """

    def __init__(self, optimizer: Any) -> None:
        self._inner_opt = optimizer

    def __getattr__(self, name: str) -> Any:
        if name == "_inner_opt":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._inner_opt, name)

    def step(self) -> None:
        """Update the parameters."""
        self._inner_opt.step()

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """As `step`.

        Args:
            loss, startup_program, parameters, no_grad_set: of no effect, as the gradients are there.
        Returns:
            tuple: two empty lists.
        """
        self.step()
        return [], []


class MergedSteps(Steps):
    """A step is made once in `k_steps` calls. Gradients add up meanwhile, and calls that clear them wait for it.

    Args:
        optimizer: makes the steps.
        k_steps: how many calls make a step.
        avg: by the mean of the gradients; else by their sum.
    """

    def __init__(self, optimizer: Any, k_steps: int, avg: bool) -> None:
        super().__init__(optimizer)
        self._k_steps, self._avg = k_steps, avg
        self._calls = 0  # since the last step

    def _refuse_scaling(self) -> None:
        """Say that gradients which add up cannot be divided by a scaler at each step."""
        raise UnsupportedError("fleet.DistributedStrategy.gradient_merge", "True with paddle.amp.GradScaler", "static mode")

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters in every `k_steps`-th call."""
        self._calls = (self._calls + 1) % self._k_steps
        if self._calls:
            return
        if self._avg:
            for param in _all(self._inner_opt._parameter_list):
                if param._t.grad is not None:
                    param._t.grad.div_(self._k_steps)
        super().step()

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients, once a step has used them.

        Args:
            set_to_zero: leave zeros.
        """
        if not self._calls:
            self._inner_opt.clear_grad(set_to_zero)

    clear_gradients = clear_grad


class LocalSteps(Steps):
    """After each of the first `begin_step` steps, then after every `k_steps`, the workers take the mean of their parameters.

    Args:
        optimizer: makes the steps.
        k_steps: how many steps a worker makes alone.
        begin_step: the last step after which the workers meet whatever `k_steps` is.
    """

    def __init__(self, optimizer: Any, k_steps: int, begin_step: int) -> None:
        super().__init__(optimizer)
        self._k_steps, self._begin_step = k_steps, begin_step
        self._done, self._met = 0, begin_step  # steps, and at which of them the workers met

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters, and meet the others where it is time."""
        super().step()
        self._done += 1
        if self._done > self._begin_step and self._done - self._met != self._k_steps:
            return
        self._met = self._done
        ring = ring_of(0)
        tensors = [param._t.detach() for param in _all(self._inner_opt._parameter_list) if param._t.requires_grad]
        for tensor, total in zip(tensors, ring.all_reduce(tensors), strict=True):
            tensor.copy_(total / ring.size)
