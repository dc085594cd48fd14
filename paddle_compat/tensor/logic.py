"""Comparisons, connectives, and questions about whole tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3, become, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import elementwise
from paddle_compat.ops import logic as ops
from paddle_compat.tensor import _calls
from paddle_compat.tensor._calls import (
    BITS,
    COMPLEX,
    FLOATS,
    INTS,
    agree,
    check,
    ended,
    named,
    need,
    promoted,
    static,
)
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor.ops import bitwise_invert, bitwise_invert_, bitwise_not, bitwise_not_, logical_not, logical_not_

_COMPARED = ("bool", "int8", "uint8", "int16", *INTS, *FLOATS)
_LOGICAL = ("bool", "int8", "int16", *INTS, *FLOATS, *COMPLEX)


def _describe(function: Any, api: str, what: str, kinds: Sequence[str], example: str, gives: str, out: bool = False) -> Any:
    left, right = example.split("; ")
    function.__name__ = function.__qualname__ = api
    more = "        out: a tensor to write to.\n" if out else ""
    function.__doc__ = f"""{what}

    Args:
        x, y: tensors of {", ".join(kinds)}; their shapes broadcast.
{more}        name: prefix of the output's name.
    Returns:
        A tensor of the common shape.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.{api}(paddle.to_tensor({left}), paddle.to_tensor({right})).tolist()
        {gives}

    Follows Paddle 2.6.
    """
    return function


def _comparison(api: str, operator: Op, what: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, name: str | None = None) -> Any:
        if api == "equal" and not _calls.is_tensor(y):
            from paddle_compat.tensor.creation import full

            need(y, "y", "equal", int, bool, float, *(() if static(x) else (complex,)))
            y = full([], y, "complex64" if isinstance(y, complex) and dtype_name(x.dtype) not in COMPLEX else x.dtype)
        x, y = promoted(x, y)
        for value, label in ((x, "x"), (y, "y")):
            check(value, label, api, _COMPARED, _COMPARED + COMPLEX)
        out = operator(x, y, _helper=named(api, name))
        out.stop_gradient = True
        return out

    described = _describe(function, api, what, _COMPARED, "[1, 2, 3]; [1, 3, 2]", gives)
    kernels: dict[str, Any] = {f"{api}_kernel": operator.fn.compute}  # type: ignore[attr-defined]
    alike = "(kind := x_.dtype) is y_.dtype and kind in NUMERIC"
    put = direct("x y", f"{api}_kernel(x_, y_)", alike, kind="torch.bool", **kernels)
    return put(paddle3(input="x", other="y", out=True)(described))


def _connective(api: str, operator: Op, what: str, kinds: Sequence[str], example: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, out: Any = None, name: str | None = None) -> Any:
        if kinds is _LOGICAL:
            x, y = promoted(x, y, False)
        check(x, "x", api, kinds)
        check(y, "y", api, kinds)
        if x.dtype != y.dtype:
            refusal: Any = failed_assertion if static(x) and api.startswith("bitwise") else invalid_argument
            refusal = type_error if SINCE_3 and kinds is _LOGICAL else refusal
            raise refusal("y", f"the data type of x, {dtype_name(x.dtype)}", dtype_name(y.dtype), api)
        recorded = out is not None and static(x)
        result = operator(x, y, _helper=named(api, name), _outputs={"Out": out} if recorded else None)
        return result if out is None or recorded else become(out, result, api)

    described = _describe(function, api, what, kinds, example, gives, out=True)
    kernels: dict[str, Any] = {f"{api}_kernel": operator.fn}
    truths = "out is None and x_.dtype in BOOL and y_.dtype in BOOL"
    put = direct("x y", f"{api}_kernel(x_, y_)", truths, kind="torch.bool", **kernels)
    return put(paddle3(input="x", other="y")(described))


equal = _comparison("equal", ops.equal, "x == y; y may be a number.", "[True, False, False]")
not_equal = _comparison("not_equal", ops.not_equal, "x != y.", "[False, True, True]")
less_than = _comparison("less_than", ops.less_than, "x < y.", "[False, True, False]")
less_equal = _comparison("less_equal", ops.less_equal, "x <= y.", "[True, True, False]")
greater_than = _comparison("greater_than", ops.greater_than, "x > y.", "[False, False, True]")
greater_equal = _comparison("greater_equal", ops.greater_equal, "x >= y.", "[True, False, True]")
logical_and = _connective("logical_and", ops.logical_and, "x and y.", _LOGICAL, "[True, False]; [True, True]", "[True, False]")
logical_or = _connective("logical_or", ops.logical_or, "x or y.", _LOGICAL, "[True, False]; [True, True]", "[True, True]")
logical_xor = _connective("logical_xor", ops.logical_xor, "Either x or y.", _LOGICAL, "[True, False]; [True, True]", "[False, True]")
bitwise_and = _connective("bitwise_and", elementwise.bitwise_and, "The bits of both.", BITS, "[5, 6]; [3, 3]", "[1, 2]")
bitwise_or = _connective("bitwise_or", elementwise.bitwise_or, "The bits of either.", BITS, "[5, 6]; [3, 3]", "[7, 7]")
bitwise_xor = _connective("bitwise_xor", elementwise.bitwise_xor, "The bits that differ.", BITS, "[5, 6]; [3, 3]", "[6, 5]")


_TOLERANCES = {"isclose": ("float64",), "allclose": ("float32", "float64")}  # what Tensors that stand for tolerances hold
_NEAR = (  # what goes a short way
    "(kind := x_.dtype) is y_.dtype and kind in FLOATS and x_.shape == y_.shape and not (x_.requires_grad or y_.requires_grad) "
    "and type(rtol) is float and type(atol) is float and type(equal_nan) is bool"
)


@direct(
    "x y",
    "isclose_kernel(x_, y_, rtol=rtol, atol=atol, equal_nan=equal_nan)",
    _NEAR,
    kind="torch.bool",
    isclose_kernel=ops.isclose.fn,
)
@paddle3(input="x", other="y", out=True)
def isclose(x: Any, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, name: str | None = None) -> Any:
    """Which elements differ by no more than atol + rtol * |y|.

    Args:
        x, y: tensors of floats.
        rtol, atol: the tolerances.
        equal_nan: whether NaN is close to NaN.
        name: prefix of the output's name.
    Returns:
        A bool tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.isclose(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.0, 2.1])).tolist()
        [True, False]

    Follows Paddle 2.6.
    """
    kinds = ("float16", "float32", "float64", *COMPLEX)
    return _close("isclose", ops.isclose, kinds, x, y, rtol, atol, equal_nan, name)


@direct(
    "x y",
    "allclose_kernel(x_, y_, rtol=rtol, atol=atol, equal_nan=equal_nan)",
    _NEAR,
    kind="torch.bool",
    allclose_kernel=ops.allclose.fn,
)
def allclose(x: Any, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, name: str | None = None) -> Any:
    """Whether all elements differ by no more than atol + rtol * |y|.

    Args:
        x, y: tensors of floats.
        rtol, atol: the tolerances.
        equal_nan: whether NaN is close to NaN.
        name: prefix of the output's name.
    Returns:
        A bool tensor without dimensions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.allclose(paddle.to_tensor([1.0]), paddle.to_tensor([1.000001])).item()
        True

    Follows Paddle 2.6.
    """
    kinds = ("bool", *INTS, "float16", "float32", "float64")
    return _close("allclose", ops.allclose, kinds, x, y, rtol, atol, equal_nan, name)


def _close(api: str, operator: Op, kinds: Sequence[str], x: Any, y: Any, rtol: Any, atol: Any, equal_nan: Any, name: Any) -> Any:
    if not static(x, y) and {dtype_name(v.dtype) for v in (x, y) if _calls.is_tensor(v)} & {*COMPLEX}:
        x, y = promoted(x, y, False)
    check(x, "input", api, kinds)
    check(y, "input", api, kinds)
    if not agree(x, y):
        if static(x, y):
            check(x, "input", api, FLOATS)
            check(y, "input", api, FLOATS)
        raise invalid_argument("y", f"the data type of x, {dtype_name(x.dtype)}", dtype_name(y.dtype), api)
    empty = api == "allclose" and (0 in x.shape or 0 in y.shape)
    if not empty and (len(x.shape) != len(y.shape) or any(-1 != a != b != -1 for a, b in zip(x.shape, y.shape))):
        raise invalid_argument("y", f"the shape of x, {list(x.shape)}", list(y.shape), api)
    given: list[Any] = []
    for tolerance, argument in ((rtol, "rtol"), (atol, "atol")):
        if type(tolerance) is Tensor and not static(x):
            if tolerance.size != 1 or dtype_name(tolerance.dtype) not in _TOLERANCES[api]:
                raise invalid_argument(argument, f"one number of {' or '.join(_TOLERANCES[api])}", tolerance, api)
            given.append(tolerance)
        else:
            need(tolerance, argument, api, *((float, int) if SINCE_3 and api == "isclose" and static(x) else (float,)))
            given.append(None)
    need(equal_nan, "equal_nan", api, bool)
    attrs: dict[str, Any] = {n: str(v) for n, v, t in zip(("rtol", "atol"), (rtol, atol), given) if t is None}
    return operator(x, y, *given, **attrs, equal_nan=equal_nan, _helper=named(api, name))


@direct("x y", "equal_all_kernel(x_, y_)", "x_.dtype is y_.dtype", kind="torch.bool", equal_all_kernel=ops.equal_all.fn)
def equal_all(x: Any, y: Any, name: str | None = None) -> Any:
    """Whether shapes and all elements are equal.

    Args:
        x, y: tensors.
        name: prefix of the output's name.
    Returns:
        A bool tensor without dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.equal_all(paddle.to_tensor([1, 2]), paddle.to_tensor([1, 2])).item()
        True

    Follows Paddle 2.6.
    """
    _calls.check_alike("equal_all", x=x, y=y)
    return ops.equal_all(x, y, _helper=named("equal_all", name))


def is_empty(x: Any, name: str | None = None) -> Any:
    """Whether a tensor has no elements.

    Args:
        x: a tensor of numbers.
        name: has no effect.
    Returns:
        A bool tensor without dimensions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_empty(paddle.ones([1])).item()
        False

    Follows Paddle 2.6.
    """
    check(x, "x", "is_empty", INTS + ("float32", "float64"))
    need(name, "name", "is_empty", str, type(None))
    return ended(ops.is_empty(x, _helper=named("is_empty", name)))


@paddle3(obj="x")
def is_tensor(x: Any) -> bool:
    """Whether a value is a tensor: a Variable in static mode, a Tensor in eager mode.

    Args:
        x: anything.
    Returns:
        A bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_tensor(paddle.ones([1])), paddle.is_tensor(1)
        (True, False)

    Follows Paddle 2.6.
    """
    return _calls.is_tensor(x)


equal_, not_equal_, less_than_, less_equal_ = map(in_place, (equal, not_equal, less_than, less_equal))
greater_than_, greater_equal_ = map(in_place, (greater_than, greater_equal))
logical_and_, logical_or_, logical_xor_ = map(in_place, (logical_and, logical_or, logical_xor))
bitwise_and_, bitwise_or_, bitwise_xor_ = map(in_place, (bitwise_and, bitwise_or, bitwise_xor))
eq, ne, lt, le, gt, ge = equal, not_equal, less_than, less_equal, greater_than, greater_equal
less, less_, greater = less_than, less_than_, greater_than


__all__ = [
    "bitwise_invert", "bitwise_invert_", "eq", "ge", "greater", "gt", "le", "less", "less_", "lt", "ne",
    "allclose", "bitwise_and", "bitwise_and_", "bitwise_not", "bitwise_not_", "bitwise_or", "bitwise_or_", "bitwise_xor", "bitwise_xor_",
    "equal", "equal_", "equal_all", "greater_equal", "greater_equal_", "greater_than", "greater_than_", "is_empty", "is_tensor", "isclose",
    "less_equal", "less_equal_", "less_than", "less_than_", "logical_and", "logical_and_", "logical_not", "logical_not_", "logical_or",
    "logical_or_", "logical_xor", "logical_xor_", "not_equal", "not_equal_",
]  # fmt: skip

__getattr__ = missing(__name__)
