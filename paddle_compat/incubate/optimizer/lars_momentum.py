"""`paddle.incubate.optimizer.LarsMomentumOptimizer`."""

from __future__ import annotations

from typing import Any

from paddle_compat.optimizer._updates import Accumulator
from paddle_compat.optimizer.optimizer import Optimizer


class LarsMomentumOptimizer(Optimizer):
    """Momentum whose rate follows the ratio of the norms of parameter and gradient (LARS).

    Args:
        learning_rate (float|LRScheduler), parameter_list (list|None), regularization (regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        momentum (float): how much of the velocity stays.
        lars_coeff (float): factor on the ratio.
        lars_weight_decay (float): decay, part of the gradient and of the ratio.
        exclude_from_weight_decay (list|None): parameters whose names contain one of these do not decay.
        epsilon (float): added to the ratio's denominator.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
        rescale_grad (float): factor on the gradients.
    Raises:
        AssertionError: learning_rate or momentum is None.

    Follows Paddle 2.6.
    """

    type = "lars_momentum"
    _accumulator_table = (Accumulator("velocity", "Velocity", wide=True),)
    _attribute_table = {
        "mu": "_momentum",
        "lars_coeff": "_lars_coeff",
        "epsilon": "_epsilon",
        "rescale_grad": "_rescale_grad",
    }

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        lars_coeff: float = 0.001,
        lars_weight_decay: float = 0.0005,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        exclude_from_weight_decay: list[str] | None = None,
        epsilon: float = 0,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
    ) -> None:
        for argument, value in (("learning_rate", learning_rate), ("momentum", momentum)):
            if value is None:
                raise AssertionError(
                    f"Invalid value for argument `{argument}` of `LarsMomentumOptimizer`. Expected a number. Received: None"
                )
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self._momentum = momentum
        self._lars_coeff = float(lars_coeff)
        self._lars_weight_decay = float(lars_weight_decay)
        self._epsilon = float(epsilon)
        self._exclude_from_weight_decay = exclude_from_weight_decay or []
        self._multi_precision = multi_precision
        self._rescale_grad = float(rescale_grad)

    def _attributes(self, param: Any) -> dict[str, Any]:
        excluded = any(part in param.name for part in self._exclude_from_weight_decay)
        return {**super()._attributes(param), "lars_weight_decay": [0.0 if excluded else self._lars_weight_decay]}
