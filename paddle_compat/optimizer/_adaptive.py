"""Adagrad, Adadelta and RMSProp."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import need_given
from paddle_compat.optimizer._updates import Accumulator
from paddle_compat.optimizer.optimizer import Optimizer


class Adagrad(Optimizer):
    """Gradients over the root of the sum of all their squares.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        epsilon (float): added to the root.
        initial_accumulator_value (float): what the sums start from.
    Raises:
        AssertionError: learning_rate or epsilon is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Adagrad(0.1).get_lr()
        0.1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "adagrad"
    _accumulator_table = (Accumulator("moment", "Moment", fill="initial_accumulator_value"),)
    _attribute_table = {"epsilon": "_epsilon"}

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1.0e-6,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        need_given("Adagrad", learning_rate=learning_rate, epsilon=epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._epsilon = epsilon
        self.initial_accumulator_value = initial_accumulator_value
        self._default_dict = {"epsilon": epsilon, "initial_accumulator_value": initial_accumulator_value}

    def _group_settings(self) -> dict[str, str]:
        return {"epsilon": "_epsilon", "initial_accumulator_value": "initial_accumulator_value"}


class Adadelta(Optimizer):
    """Steps as long as the root of the mean square of former steps over that of the gradients.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        epsilon (float): added to the means.
        rho (float): how much of the means stays.
    Raises:
        ValueError: learning_rate, epsilon or rho is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Adadelta(0.1).get_lr()
        0.1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "adadelta"
    _accumulator_table = (
        Accumulator("_avg_squared_grad", "AvgSquaredGrad"),
        Accumulator("_avg_squared_update", "AvgSquaredUpdate"),
    )
    _attribute_table = {"epsilon": "_epsilon", "rho": "_rho"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        epsilon: float = 1.0e-6,
        rho: float = 0.95,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        need_given("Adadelta", ValueError, learning_rate=learning_rate, epsilon=epsilon, rho=rho)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._epsilon, self._rho = epsilon, rho
        self._default_dict = {"epsilon": epsilon, "rho": rho}


class RMSProp(Optimizer):
    """Gradients over the root of the mean of their squares.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        rho (float): how much of the mean stays.
        epsilon (float): added to the mean, inside the root.
        momentum (float): how much of the last step is taken again.
        centered (bool): subtract the square of the mean gradient: the root of the variance.
    Raises:
        ValueError: a coefficient is None or negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.RMSProp(0.1).get_lr()
        0.1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "rmsprop"
    _accumulator_table = (
        Accumulator("momentum", "Moment"),
        Accumulator("mean_square", "MeanSquare"),
        Accumulator("mean_grad", "MeanGrad"),
    )
    _attribute_table = {"epsilon": "_epsilon", "decay": "_rho", "momentum": "_momentum", "centered": "_centered"}

    def __init__(
        self,
        learning_rate: Any,
        rho: float = 0.95,
        epsilon: float = 1.0e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        numbers = {"rho": rho, "epsilon": epsilon, "momentum": momentum}
        need_given("RMSProp", ValueError, learning_rate=learning_rate, **numbers)
        for argument, value in numbers.items():
            if not value >= 0:
                raise ValueError(f"Invalid value for argument `{argument}` of `RMSProp`. Expected {argument} >= 0. Received: {value}")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._rho, self._epsilon, self._momentum, self._centered = rho, epsilon, momentum, centered
        self._default_dict = {**numbers, "centered": centered}

    def _group_settings(self) -> dict[str, str]:
        return {"epsilon": "_epsilon", "rho": "_rho", "momentum": "_momentum", "centered": "_centered"}
