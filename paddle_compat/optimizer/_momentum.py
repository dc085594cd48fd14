"""SGD and Momentum."""

from __future__ import annotations

from typing import Any

from paddle_compat.optimizer._updates import Accumulator
from paddle_compat.optimizer.optimizer import Optimizer
from paddle_compat.regularizer import L2Decay


class SGD(Optimizer):
    """parameter -= learning_rate * gradient.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
    Raises:
        ValueError: learning_rate is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.SGD(learning_rate=0.1).get_lr()
        0.1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "sgd"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        if learning_rate is None:
            raise ValueError("Invalid value for argument `learning_rate` of `SGD`. Expected a rate. Received: None")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._multi_precision = multi_precision


class Momentum(Optimizer):
    """velocity = momentum * velocity + gradient; parameter -= learning_rate * velocity.

    Args:
        learning_rate (float|LRScheduler), parameters (list|None), weight_decay (float|regularizer|None), grad_clip
            (ClipGradBase|None), name (str|None): as of `Optimizer`; L2 decay is part of the update operator here.
        momentum (float): how much of the velocity stays.
        use_nesterov (bool): look ahead: gradient + momentum * velocity takes the velocity's place.
        multi_precision (bool): keep float32 copies of half-precision parameters and update those.
        rescale_grad (float): factor on the gradients; the real operator leaves dense ones alone on the CPU.
        use_multi_tensor (bool): kept; neighbouring updates are always done together.
    Raises:
        ValueError: learning_rate or momentum is None.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.optimizer.Momentum(learning_rate=0.1, momentum=0.9).get_lr()
        0.1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "momentum"
    _decays_in_update = True
    _accumulator_table = (Accumulator("velocity", "Velocity", wide=True),)
    _attribute_table = {"mu": "_momentum", "use_nesterov": "_use_nesterov", "rescale_grad": "_rescale_grad"}

    def __init__(
        self,
        learning_rate: Any = 0.001,
        momentum: float = 0.9,
        parameters: Any = None,
        use_nesterov: bool = False,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        for argument, value in (("learning_rate", learning_rate), ("momentum", momentum)):
            if value is None:
                raise ValueError(f"Invalid value for argument `{argument}` of `Momentum`. Expected a number. Received: None")
        self._group_decays: dict[str, Any] = {}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        # the update operator does L2 decay itself
        self._decay = self.regularization if isinstance(self.regularization, L2Decay) else None
        if self._decay is not None:
            self.regularization = None
        self._momentum = momentum
        self._use_nesterov = bool(use_nesterov)
        self._multi_precision = multi_precision
        self._rescale_grad = rescale_grad
        self._default_dict = {"momentum": momentum, "use_nesterov": use_nesterov, "rescale_grad": rescale_grad}

    def _attributes(self, param: Any) -> dict[str, Any]:
        own = getattr(param, "regularizer", None)
        decay = self._group_decays.get(param.name, self._decay) if own is None else own if isinstance(own, L2Decay) else None
        method = {"regularization_method": "l2_decay", "regularization_coeff": decay._coeff} if decay else {}
        return {**super()._attributes(param), **method}

    def _create_regularization_of_grad(self, param: Any, grad: Any, regularization: Any = None) -> Any:
        if isinstance(getattr(param, "regularizer", None), L2Decay):
            return grad
        return super()._create_regularization_of_grad(param, grad, regularization)

    def _set_group_decay(self, params: list[Any], decay: Any) -> None:
        """L2 decay of a group is the operator's, beside an L1 decay of the optimizer; a group whose decay is None has none there."""
        rule = L2Decay(decay) if isinstance(decay, (float, int)) else decay
        in_update = rule is None or isinstance(rule, L2Decay)
        super()._set_group_decay(params, None if in_update else rule)
        self._group_decays.update({param.name: rule if in_update else None for param in params})

    def _group_settings(self) -> dict[str, str]:
        return {"momentum": "_momentum", "use_nesterov": "_use_nesterov", "rescale_grad": "_rescale_grad"}
