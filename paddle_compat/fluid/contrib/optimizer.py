"""`paddle.fluid.contrib.optimizer`: the Momentum that Paddle 2.0 to 2.4 kept beside `fluid.optimizer`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.optimizer import Momentum as _Momentum


class Momentum(_Momentum):
    """`paddle.optimizer.Momentum` in the words of fluid.

    Args:
        learning_rate (float|LRScheduler): the size of a step.
        momentum (float): what a step keeps of those before.
        parameter_list (list): the parameters; needed in eager mode.
        use_nesterov (bool): look ahead by a step.
        regularization (WeightDecayRegularizer): what is added to gradients.
        grad_clip (ClipGradBase): how gradients are clipped.
        multi_precision (bool): keep float32 copies of parameters of half precision.
        rescale_grad (float): what gradients are multiplied by.
        name (str): in front of the names of its variables.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.fluid.contrib.optimizer import Momentum
        >>> layer = paddle.nn.Linear(2, 1)
        >>> layer(paddle.ones([1, 2])).sum().backward()
        >>> Momentum(0.1, 0.9, layer.parameters(), rescale_grad=0.5).step()

    Follows Paddle 2.4.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: float,
        parameter_list: Any = None,
        use_nesterov: bool = False,
        regularization: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        name: str | None = None,
    ) -> None:
        super().__init__(
            learning_rate, momentum, parameter_list, use_nesterov, regularization, grad_clip, multi_precision, rescale_grad, name=name
        )


__all__ = ["Momentum"]

__getattr__ = missing(__name__)
