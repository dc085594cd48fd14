"""Functions of one tensor, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.direct import at_once, direct
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3_2, become, paddle3, placed
from paddle_compat.ops import activation, arrangement, elementwise, logic, math
from paddle_compat.tensor._calls import ALL, BITS, COMPLEX, FLOATS, INTS, check, is_int, is_tensor, named, need, smooth, static
from paddle_compat.tensor._in_place import in_place

Unary = Callable[..., Any]


def _described(function: Unary, api: str, dtypes: Sequence[str], what: str, example: str, gives: str, out: str = "") -> Unary:
    place = "paddle.tensor" if api == "sigmoid" else "paddle"  # 2.6 keeps it out of paddle.*
    function.__name__ = function.__qualname__ = api
    function.__doc__ = f"""{what}

    Args:
        x: a tensor of {", ".join(dtypes)}.
{out}        name: prefix of the output's name.
    Returns:
        A tensor of the same shape.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> print(*[f"{{v:.4g}}" for v in {place}.{api}(paddle.to_tensor({example})).tolist()])
        {gives}

    Follows Paddle 2.6.
    """
    return function


def _unary(api: str, operator: Op, dtypes: Sequence[str], what: str, example: str, gives: str) -> Unary:
    slot = operator.inputs[0].name
    smooth = not set(INTS) & set(dtypes) and api not in ("sgn", "angle")

    def function(x: Any, name: str | None = None) -> Any:
        if smooth and is_tensor(x) and is_int(x):  # as Paddle 3
            return arrangement.assign(x, _helper=named("assign", name)) if api in ("ceil", "floor") else function(x.astype("float32"), name)
        check(x, slot.lower(), api, dtypes)
        return operator(x, _helper=named(operator.type, name))

    return at_once(operator)(paddle3(input="x", out=True)(_described(function, api, dtypes, what, example, gives)))


def _logical(api: str, operator: Op, dtypes: Sequence[str], what: str, example: str, gives: str) -> Unary:
    def function(x: Any, out: Any = None, name: str | None = None) -> Any:
        check(x, "x", api, dtypes)
        recorded = out is not None and static(x)
        result = operator(x, _helper=named(api, name), _outputs={"Out": out} if recorded else None)
        return result if out is None or recorded else become(out, result, api)

    function = _described(function, api, dtypes, what, example, gives, "        out: a tensor to write to.\n")
    return direct("x", f"torch.{api}(x_)", "out is None and x_.dtype in BOOL", kind="x_.dtype")(paddle3(input="x")(function))


def _complex_part(api: str, operator: Op) -> Unary:
    def function(x: Any, name: str | None = None) -> Any:
        check(x, "x", api, COMPLEX)
        return operator(x, _helper=named(api, name))

    function.__name__ = function.__qualname__ = api
    function.__doc__ = f"""The {api}{"inary" if api == "imag" else ""} part.

    Args:
        x: a complex tensor.
        name: prefix of the output's name.
    Returns:
        A tensor of the same shape, float32 or float64.
    Raises:
        TypeError: x is not complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.{api}(paddle.complex(paddle.to_tensor([1.0]), paddle.to_tensor([1.0]))).tolist()
        [1.0]

    Follows Paddle 2.6.
    """
    return function


_DOUBLE = ("float32", "float64")
_SIGNED = ("int8", "uint8", "int16", *INTS, "float16", *_DOUBLE, *COMPLEX)
_DIRECTED = ("float16", *_DOUBLE, *COMPLEX)
_ANY = INTS + FLOATS + COMPLEX
_SMOOTH = FLOATS + COMPLEX

abs = _unary("abs", math.abs, _ANY, "The absolute value.", "[-1.5, 2.0]", "1.5 2")
acos = _unary("acos", math.acos, _SMOOTH, "The inverse cosine.", "[0.0, 1.0]", "1.571 0")
acosh = _unary("acosh", math.acosh, _SMOOTH, "The inverse hyperbolic cosine.", "[1.0, 2.0]", "0 1.317")
asin = _unary("asin", math.asin, _SMOOTH, "The inverse sine.", "[0.0, 1.0]", "0 1.571")
asinh = _unary("asinh", math.asinh, _SMOOTH, "The inverse hyperbolic sine.", "[0.0, 1.0]", "0 0.8814")
atan = _unary("atan", math.atan, _SMOOTH, "The inverse tangent.", "[0.0, 1.0]", "0 0.7854")
atanh = _unary("atanh", math.atanh, _SMOOTH, "The inverse hyperbolic tangent.", "[0.0, 0.5]", "0 0.5493")
ceil = _unary("ceil", math.ceil, FLOATS, "The next whole number up.", "[-0.5, 0.5]", "-0 1")
cos = _unary("cos", math.cos, _SMOOTH, "The cosine.", "[0.0, 1.0]", "1 0.5403")
cosh = _unary("cosh", math.cosh, _SMOOTH, "The hyperbolic cosine.", "[0.0, 1.0]", "1 1.543")
erf = _unary("erf", math.erf, FLOATS, "The error function.", "[0.0, 1.0]", "0 0.8427")
exp = _unary("exp", math.exp, _ANY, "e to the power x.", "[0.0, 1.0]", "1 2.718")
expm1 = _unary("expm1", math.expm1, _ANY, "e to the power x, less 1.", "[0.0, 1.0]", "0 1.718")
floor = _unary("floor", math.floor, FLOATS, "The next whole number down.", "[-0.5, 0.5]", "-1 0")
reciprocal = _unary("reciprocal", math.reciprocal, _SMOOTH, "1 / x.", "[2.0, 4.0]", "0.5 0.25")
rsqrt = _unary("rsqrt", math.rsqrt, FLOATS, "1 over the square root.", "[1.0, 4.0]", "1 0.5")
sigmoid = _unary("sigmoid", activation.sigmoid, _SMOOTH, "1 / (1 + exp(-x)).", "[0.0, 1.0]", "0.5 0.7311")
sin = _unary("sin", math.sin, _SMOOTH, "The sine.", "[0.0, 1.0]", "0 0.8415")
sinh = _unary("sinh", math.sinh, _SMOOTH, "The hyperbolic sine.", "[0.0, 1.0]", "0 1.175")
sqrt = _unary("sqrt", math.sqrt, _SMOOTH, "The square root.", "[1.0, 4.0]", "1 2")
square = _unary("square", math.square, _ANY, "x * x.", "[2.0, 3.0]", "4 9")
tan = _unary("tan", math.tan, _SMOOTH, "The tangent.", "[0.0, 1.0]", "0 1.557")
tanh = _unary("tanh", activation.tanh, _SMOOTH, "The hyperbolic tangent.", "[0.0, 1.0]", "0 0.7616")
log = _unary("log", math.log, _ANY, "The natural logarithm.", "[1.0, 2.0]", "0 0.6931")
log2 = _unary("log2", math.log2, _ANY, "The logarithm to base 2.", "[1.0, 8.0]", "0 3")
log10 = _unary("log10", math.log10, _ANY, "The logarithm to base 10.", "[1.0, 100.0]", "0 2")
log1p = _unary("log1p", math.log1p, _ANY, "The natural logarithm of 1 + x.", "[0.0, 1.0]", "0 0.6931")
digamma = _unary("digamma", math.digamma, FLOATS, "The derivative of lgamma.", "[1.0, 2.0]", "-0.5772 0.4228")
lgamma = _unary("lgamma", math.lgamma, FLOATS, "log |gamma(x)|.", "[1.0, 4.0]", "0 1.792")
erfinv = _unary("erfinv", math.erfinv, FLOATS, "The inverse of the error function.", "[0.0, 0.5]", "0 0.4769")
i0 = _unary("i0", math.i0, _DOUBLE, "The modified Bessel function of order 0.", "[0.0, 1.0]", "1 1.266")
i0e = _unary("i0e", math.i0e, _DOUBLE, "i0(x) * exp(-|x|).", "[0.0, 1.0]", "1 0.4658")
i1 = _unary("i1", math.i1, _DOUBLE, "The modified Bessel function of order 1.", "[0.0, 1.0]", "0 0.5652")
i1e = _unary("i1e", math.i1e, _DOUBLE, "i1(x) * exp(-|x|).", "[0.0, 1.0]", "0 0.2079")
sign = _unary("sign", math.sign, _SIGNED, "-1, 0 or 1.", "[-2.0, 0.0, 3.0]", "-1 0 1")
sgn = _unary("sgn", math.sign, _DIRECTED, "-1, 0 or 1; of complex numbers the direction.", "[-2.0, 3.0]", "-1 1")
angle = _unary("angle", math.angle, _SMOOTH, "The angle of a complex number.", "[-1.0, 1.0]", "3.142 0")
conj = _unary("conj", math.conj, _ANY, "The complex conjugate.", "[-1.0, 1.0]", "-1 1")
logical_not = _logical("logical_not", logic.logical_not, ALL[:2] + ALL[3:], "Not x.", "[True, False]", "0 1")
bitwise_not = _logical("bitwise_not", elementwise.bitwise_not, BITS, "All bits of x turned round.", "[1, 2]", "-2 -3")
isfinite = _unary("isfinite", logic.isfinite_v2, _ANY, "Which elements are finite.", '[1.0, float("inf")]', "1 0")
isinf = _unary("isinf", logic.isinf_v2, ("int8", "uint8", "int16", *_ANY), "Which elements are infinite.", '[1.0, float("inf")]', "0 1")
isnan = _unary("isnan", logic.isnan_v2, _ANY, "Which elements are NaN.", '[1.0, float("nan")]', "0 1")
real = _complex_part("real", math.real)
imag = _complex_part("imag", math.imag)


def trunc(input: Any, name: str | None = None) -> Any:
    """The next whole number towards zero.

    Args:
        input: a tensor of int32, int64, float32 or float64.
        name: prefix of the output's name.
    Returns:
        A tensor like the input.
    Raises:
        TypeError: the input is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.trunc(paddle.to_tensor([-1.5, 1.5])).tolist()
        [-1.0, 1.0]

    Follows Paddle 2.6.
    """
    check(input, "X", "trunc", INTS + _DOUBLE)
    return math.trunc(input, _helper=named("trunc", name))


@placed("decimals name")
@direct("x", "round_kernel(x_)", "name is None and x_.dtype in FLOATS", round_kernel=torch.round if SINCE_3_2 else math.round.fn)
@paddle3(input="x", out=True)
def round(x: Any, name: str | None = None, *, decimals: int = 0) -> Any:
    """The nearest number of so many decimals; halves go away from zero, but to the even neighbour where decimals are given.

    In scripts for Paddle 3.2 they always go there.

    Args:
        x: a tensor of floats.
        name: prefix of the output's name.
        decimals: how many; -1 rounds to tens. Also as the second argument.
    Returns:
        A tensor of the same shape.
    Raises:
        TypeError: x is of another data type.
        ValueError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.round(paddle.to_tensor([0.5, 1.4])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    if isinstance(name, int):  # where Paddle 3 has it
        name, decimals = None, name
    if is_tensor(x) and dtype_name(x.dtype) in INTS:
        return x if decimals else arrangement.assign(x, _helper=named("assign", name))
    check(x, "x", "round", FLOATS, FLOATS + COMPLEX)
    if not decimals and (not SINCE_3_2 or dtype_name(x.dtype) in COMPLEX):
        return math.round(x, _helper=named("round", name))
    from paddle_compat.tensor._arithmetic import divide, multiply
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.search import where

    factor = full([], float(10 ** max(decimals, -decimals)), x.dtype)
    raised, lowered = (multiply, divide) if decimals > 0 else (divide, multiply)
    moved = raised(x, factor) if decimals else x
    half = abs(moved - math.trunc(moved)) == 0.5
    nearest = where(half, 2.0 * math.round(moved / 2.0), math.round(moved))
    return lowered(nearest, factor) if decimals else nearest


@paddle3(input="x", out=True)
def frac(x: Any, name: str | None = None) -> Any:
    """What is left of x without its whole part.

    Args:
        x: a tensor of int32, int64, float32 or float64.
        name: has no effect.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.frac(paddle.to_tensor([-1.5, 1.25])).tolist()
        [-0.5, 0.25]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import subtract

    if dtype_name(x.dtype) not in INTS + _DOUBLE:
        raise type_error("x", "a tensor of int32, int64, float32 or float64", x, "frac")
    return subtract(x, trunc(x))


def logit(x: Any, eps: float | None = None, name: str | None = None) -> Any:
    """log(x / (1 - x)).

    Args:
        x: a tensor of floats.
        eps: x is kept this far away from 0 and 1.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.logit(paddle.to_tensor([0.5, 1.0]), 0.25).tolist()
        [0.0, 1.0986123085021973]

    Follows Paddle 2.6.
    """
    x = smooth(x, "logit")
    return math.logit(x, eps=0.0 if eps is None else eps, _helper=named("logit", name))


def polygamma(x: Any, n: int, name: str | None = None) -> Any:
    """The n-th derivative of digamma.

    Args:
        x: a tensor of float32 or float64.
        n: how often to differentiate.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: n is no int.
        ValueError: n is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.polygamma(paddle.to_tensor(2.0), 1).item(), 4)
        0.6449

    Follows Paddle 2.6.
    """
    need(n, "n", "polygamma", int)
    if n < 0:
        raise ValueError(f"Invalid value for argument `n` of `polygamma`. Expected at least 0. Received: {n}")
    if n == 0:
        return digamma(x)
    x = smooth(x, "polygamma")
    check(x, "x", "polygamma", _DOUBLE)
    return math.polygamma(x, n=n, _helper=named("polygamma", name))


@direct(
    "x",
    "x_.clone() if (kind := TYPES[dtype]) is x_.dtype else x_.to(kind)",
    "x_.dtype in CAST and (TYPES[dtype] in REAL or not x_.requires_grad)",
    kind="kind",
)
def cast(x: Any, dtype: Any) -> Any:
    """x in another data type.

    Args:
        x: a tensor.
        dtype: the data type; None, as for numpy, is float64.
    Returns:
        A tensor of x's shape.
    Raises:
        TypeError: dtype is no data type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cast(paddle.to_tensor([1.7, -1.7]), "int64").tolist()
        [1, -1]

    Follows Paddle 2.6.
    """
    target = convert_dtype("float64" if dtype is None else dtype)
    if not static(x):
        check(x, "x", "cast")
        return math.cast(x, in_dtype=int(x.dtype), out_dtype=int(target))
    check(x, "x", "cast", ("bool", "uint8", "int8", "int16", "int32", "int64") + FLOATS + COMPLEX)
    helper = named("cast")
    out = math.cast(x, in_dtype=int(x.dtype), out_dtype=int(target), _helper=helper)
    out.stop_gradient = x.stop_gradient
    return out


abs_, acos_, acosh_, asin_, asinh_ = map(in_place, (abs, acos, acosh, asin, asinh))
atan_, atanh_, ceil_, cos_, cosh_ = map(in_place, (atan, atanh, ceil, cos, cosh))
erf_, exp_, expm1_, floor_, reciprocal_ = map(in_place, (erf, exp, expm1, floor, reciprocal))
round_, rsqrt_, sigmoid_, sin_, sinh_ = map(in_place, (round, rsqrt, sigmoid, sin, sinh))
sqrt_, square_, tan_, tanh_ = map(in_place, (sqrt, square, tan, tanh))
log_, log2_, log10_, log1p_ = map(in_place, (log, log2, log10, log1p))
digamma_, lgamma_, erfinv_, i0_ = map(in_place, (digamma, lgamma, erfinv, i0))
logical_not_, bitwise_not_ = map(in_place, (logical_not, bitwise_not))
trunc_, frac_, logit_, polygamma_, cast_ = map(in_place, (trunc, frac, logit, polygamma, cast))
bitwise_invert, bitwise_invert_ = bitwise_not, bitwise_not_


__all__ = [
    "bitwise_invert", "bitwise_invert_",
    "abs", "abs_", "acos", "acos_", "acosh", "acosh_", "angle", "asin", "asin_", "asinh", "asinh_", "atan", "atan_",
    "atanh", "atanh_", "bitwise_not", "bitwise_not_", "cast", "cast_", "ceil", "ceil_", "conj", "cos", "cos_", "cosh",
    "cosh_", "digamma", "digamma_", "erf", "erf_", "erfinv", "erfinv_", "exp", "exp_", "expm1", "expm1_", "floor",
    "floor_", "frac", "frac_", "i0", "i0_", "i0e", "i1", "i1e", "imag", "isfinite", "isinf", "isnan", "lgamma",
    "lgamma_", "log", "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_", "logical_not", "logical_not_",
    "logit", "logit_", "polygamma", "polygamma_", "real", "reciprocal", "reciprocal_", "round", "round_", "rsqrt",
    "rsqrt_", "sgn", "sigmoid", "sigmoid_", "sign", "sin", "sin_", "sinh", "sinh_", "sqrt", "sqrt_", "square",
    "square_", "tan", "tan_", "tanh", "tanh_", "trunc", "trunc_",
]  # fmt: skip

__getattr__ = missing(__name__)
