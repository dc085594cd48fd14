"""Functions of one tensor, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.core.op import Op
from paddle_compat.ops import activation, math
from paddle_compat.tensor._calls import COMPLEX, FLOATS, INTS, check, in_place, named

Unary = Callable[..., Any]


def _unary(api: str, operator: Op, dtypes: Sequence[str], what: str, example: str, gives: str) -> Unary:
    slot = operator.inputs[0].name

    def function(x: Any, name: str | None = None) -> Any:
        check(x, slot.lower(), api, dtypes)
        return operator(x, _helper=named(operator.type, name))

    function.__name__ = function.__qualname__ = api
    function.__doc__ = f"""{what}

    Args:
        x: a tensor of {", ".join(dtypes)}.
        name: prefix of the output's name.
    Returns:
        A tensor of the same shape.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.{api}(paddle.to_tensor({example})).tolist()]
        {gives}

    Follows Paddle 2.6.
    """
    return function


_REAL = INTS + FLOATS
_ANY = INTS + FLOATS + COMPLEX
_SMOOTH = FLOATS + COMPLEX

abs = _unary("abs", math.abs, _ANY, "The absolute value.", "[-1.5, 2.0]", "[1.5, 2.0]")
acos = _unary("acos", math.acos, _SMOOTH, "The inverse cosine.", "[0.0, 1.0]", "[1.5708, 0.0]")
acosh = _unary("acosh", math.acosh, _SMOOTH, "The inverse hyperbolic cosine.", "[1.0, 2.0]", "[0.0, 1.317]")
asin = _unary("asin", math.asin, _SMOOTH, "The inverse sine.", "[0.0, 1.0]", "[0.0, 1.5708]")
asinh = _unary("asinh", math.asinh, _SMOOTH, "The inverse hyperbolic sine.", "[0.0, 1.0]", "[0.0, 0.8814]")
atan = _unary("atan", math.atan, _SMOOTH, "The inverse tangent.", "[0.0, 1.0]", "[0.0, 0.7854]")
atanh = _unary("atanh", math.atanh, _SMOOTH, "The inverse hyperbolic tangent.", "[0.0, 0.5]", "[0.0, 0.5493]")
ceil = _unary("ceil", math.ceil, FLOATS, "The next whole number up.", "[-0.5, 0.5]", "[-0.0, 1.0]")
cos = _unary("cos", math.cos, _SMOOTH, "The cosine.", "[0.0, 1.0]", "[1.0, 0.5403]")
cosh = _unary("cosh", math.cosh, _SMOOTH, "The hyperbolic cosine.", "[0.0, 1.0]", "[1.0, 1.5431]")
erf = _unary("erf", math.erf, FLOATS, "The error function.", "[0.0, 1.0]", "[0.0, 0.8427]")
exp = _unary("exp", math.exp, _ANY, "e to the power x.", "[0.0, 1.0]", "[1.0, 2.7183]")
expm1 = _unary("expm1", math.expm1, _ANY, "e to the power x, less 1.", "[0.0, 1.0]", "[0.0, 1.7183]")
floor = _unary("floor", math.floor, FLOATS, "The next whole number down.", "[-0.5, 0.5]", "[-1.0, 0.0]")
reciprocal = _unary("reciprocal", math.reciprocal, FLOATS, "1 / x.", "[2.0, 4.0]", "[0.5, 0.25]")
round = _unary("round", math.round, FLOATS, "The nearest whole number, halves away from zero.", "[0.5, 1.4]", "[1.0, 1.0]")
rsqrt = _unary("rsqrt", math.rsqrt, FLOATS, "1 over the square root.", "[1.0, 4.0]", "[1.0, 0.5]")
sigmoid = _unary("sigmoid", activation.sigmoid, FLOATS, "1 / (1 + exp(-x)).", "[0.0, 1.0]", "[0.5, 0.7311]")
sin = _unary("sin", math.sin, _SMOOTH, "The sine.", "[0.0, 1.0]", "[0.0, 0.8415]")
sinh = _unary("sinh", math.sinh, _SMOOTH, "The hyperbolic sine.", "[0.0, 1.0]", "[0.0, 1.1752]")
sqrt = _unary("sqrt", math.sqrt, FLOATS, "The square root.", "[1.0, 4.0]", "[1.0, 2.0]")
square = _unary("square", math.square, _ANY, "x * x.", "[2.0, 3.0]", "[4.0, 9.0]")
tan = _unary("tan", math.tan, _SMOOTH, "The tangent.", "[0.0, 1.0]", "[0.0, 1.5574]")

abs_, acos_, acosh_, asin_, asinh_ = map(in_place, (abs, acos, acosh, asin, asinh))
atan_, atanh_, ceil_, cos_, cosh_ = map(in_place, (atan, atanh, ceil, cos, cosh))
erf_, exp_, expm1_, floor_, reciprocal_ = map(in_place, (erf, exp, expm1, floor, reciprocal))
round_, rsqrt_, sigmoid_, sin_, sinh_ = map(in_place, (round, rsqrt, sigmoid, sin, sinh))
sqrt_, square_, tan_ = map(in_place, (sqrt, square, tan))

__all__ = [
    "abs",
    "abs_",
    "acos",
    "acos_",
    "acosh",
    "acosh_",
    "asin",
    "asin_",
    "asinh",
    "asinh_",
    "atan",
    "atan_",
    "atanh",
    "atanh_",
    "ceil",
    "ceil_",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "erf",
    "erf_",
    "exp",
    "exp_",
    "expm1",
    "expm1_",
    "floor",
    "floor_",
    "reciprocal",
    "reciprocal_",
    "round",
    "round_",
    "rsqrt",
    "rsqrt_",
    "sigmoid",
    "sigmoid_",
    "sin",
    "sin_",
    "sinh",
    "sinh_",
    "sqrt",
    "sqrt_",
    "square",
    "square_",
    "tan",
    "tan_",
]
