"""`paddle.regularizer`: decay of parameters, added to their gradients."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.op import definition_of

__all__ = ["L1Decay", "L2Decay"]


class WeightDecayRegularizer:
    """Base of the regularizers: called with a parameter and its gradient, gives the term that is added to it.

    Follows Paddle 2.6.
    """

    def __call__(self, param: Any, grad: Any, block: Any) -> Any:
        """The decay term of a parameter."""
        raise UnimplementedError(f"{type(self).__name__} does not define __call__.")


class _Decay(WeightDecayRegularizer):
    _operators: tuple[str, ...]  # applied one after the other, the last one times the coefficient

    def __init__(self, coeff: float = 0.0) -> None:
        if coeff is None:
            raise AssertionError("Invalid value for argument `coeff`. Expected a float. Received: None")
        self._coeff = coeff

    def __call__(self, param: Any, grad: Any, block: Any) -> Any:
        """The decay term of a parameter: operators appended to the block, or in eager mode a Tensor."""
        if grad is not None and grad.dtype != param.dtype:
            param = param.astype(grad.dtype)  # gradients in float32 of parameters in low precision
        if block is None:
            return self._now(param)
        outs = [block._add_var(dtype=param.dtype, shape=param.shape, lod_level=param.lod_level) for _ in self._operators]
        for type_, source, out in zip(self._operators, [param, *outs], outs):
            attrs = {"scale": self._coeff} if type_ == "scale" else {}
            block.append_op(type=type_, inputs={"X": [source]}, outputs={"Out": [out]}, attrs=attrs)
        return outs[-1]

    def _now(self, param: Any) -> Any:
        value = param
        for type_ in self._operators:
            definition = definition_of(type_)
            value = definition(value, scale=self._coeff) if type_ == "scale" else definition(value)
        return value

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"


class L1Decay(_Decay):
    """The gradient of coeff * sum(|parameter|).

    Args:
        coeff (float): the coefficient.
    Raises:
        AssertionError: coeff is None.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.regularizer.L1Decay(0.01))
        L1Decay, coeff=0.010000

    Follows Paddle 2.6.
    """

    _operators = ("sign", "scale")


class L2Decay(_Decay):
    """The gradient of coeff / 2 * sum(parameter^2).

    Args:
        coeff (float): the coefficient.
    Raises:
        AssertionError: coeff is None.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.regularizer.L2Decay(0.01))
        L2Decay, coeff=0.010000

    Follows Paddle 2.6.
    """

    _operators = ("scale",)

__getattr__ = missing(__name__)
