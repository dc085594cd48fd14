"""`paddle.fluid.contrib.extend_optimizer`: optimizers whose weight decay is no part of the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._lazy import modules
from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import name_scope, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.fluid._optimizer_base import Optimizer
from paddle_compat.fluid.layers import assign, elementwise_sub


def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type[Optimizer]:
    """A class of optimizers that subtract a part of each parameter before they update it.

    Args:
        base_optimizer: an optimizer's class. The new one takes, by name, its arguments, `weight_decay` (a float or Variable: the
            part) and `apply_decay_param_fun` (which parameters, by name, decay; None: all).
    Returns:
        The class.
    Raises:
        TypeError: the argument is no optimizer's class.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> AdamW = fluid.contrib.extend_with_decoupled_weight_decay(fluid.optimizer.AdamOptimizer)
        >>> optimizer = AdamW(learning_rate=0.1, weight_decay=0.01)

    Follows Paddle 1.8.
    """
    if not issubclass(base_optimizer, Optimizer):
        raise TypeError(
            "Invalid type for argument `base_optimizer` of `extend_with_decoupled_weight_decay`. Expected a class derived from "
            f"Optimizer. Received: {base_optimizer.__name__}"
        )

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecay, base_optimizer):  # type: ignore[misc, valid-type]
        """The optimizer with weight decay of its own."""

        def __init__(
            self, weight_decay: float | Variable, apply_decay_param_fun: Callable[[str], bool] | None = None, **kwargs: Any
        ) -> None:
            super().__init__(weight_decay, apply_decay_param_fun, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class DecoupledWeightDecay:
    """What such an optimizer does beside its base; made by `extend_with_decoupled_weight_decay`."""

    def __init__(self, weight_decay: float | Variable, apply_decay_param_fun: Any = None, **kwargs: Any) -> None:
        if not isinstance(weight_decay, (float, Variable)):
            raise type_error("weight_decay", "float or Variable", weight_decay, "extend_with_decoupled_weight_decay")
        self._decay, self._decays = weight_decay, apply_decay_param_fun
        self._decayed: list[str] = []
        super().__init__(**kwargs)

    def minimize(self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None) -> Any:
        """Append gradients, decay and updates; see `Optimizer.minimize`."""
        base: Any = self
        pairs = base.backward(loss, startup_program, parameter_list, no_grad_set)
        with program_guard(loss.block.program, startup_program):
            self._append_decay([(p, g) for p, g in pairs if g is not None and self._takes(p)])
        return base.apply_optimize(loss, startup_program, pairs), pairs

    def _takes(self, param: Any) -> bool:
        some = isinstance(self._decay, Variable) or self._decay != 0.0
        return some and (self._decays is None or self._decays(param.name))

    def _append_decay(self, pairs: list[tuple[Any, Any]]) -> None:
        """All products first, so that no parameter's decay sees another's."""
        parts = []
        for param, grad in pairs:
            self._decayed.append(param.name)
            with param.block.program._optimized_guard([param, grad]), name_scope("weight decay"):
                parts.append(param * self._decay)
        for (param, grad), part in zip(pairs, parts):
            with param.block.program._optimized_guard([param, grad]), name_scope("weight decay"):
                assign(elementwise_sub(param, part), param)

    def __str__(self) -> str:
        return f"Weight Decay, params: {','.join(self._decayed)}"


__all__ = ["extend_with_decoupled_weight_decay"]

__getattr__ = missing(__name__)

modules(__name__, {"extend_optimizer_with_weight_decay": ("extend_with_decoupled_weight_decay",)})
