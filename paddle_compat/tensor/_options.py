"""What Paddle 3 lets the arithmetic of two tensors do besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import BITS, FLOATS, is_int, is_tensor, named, number, promoted, static

# of two floating types Paddle 2.6 takes the wider, too, if it runs at once
_WIDENING = frozenset[str]() if SINCE_3 else frozenset({"add", "subtract", "multiply"})
_APART = frozenset({"heaviside"})
_ALIKE = frozenset({"maximum", "minimum", "fmax", "fmin", "atan2", "nextafter"})  # which make nothing of a tensor without dimensions


def met(api: str, x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors in the type in which a function takes them.

    Args:
        api: the function.
        x, y: the tensors.
    Returns:
        Two tensors, of one type if the function knows one for both.
    """
    both = is_tensor(x) and is_tensor(y) and x.dtype != y.dtype
    if both and api in _APART and not static(x, y):
        raise invalid_argument("y", f"a tensor of {dtype_name(x.dtype)}, as x is one", dtype_name(y.dtype), api)
    if api in _APART or both and api in _WIDENING and {dtype_name(x.dtype), dtype_name(y.dtype)} <= {*FLOATS} and not static(x, y):
        return x, y
    if SINCE_3 and api == "divide":
        x, y = fractions(x, y)
    return promoted(x, y, api not in _ALIKE, api == "floor_divide" and not static(x, y), api == "multiply")


def fractions(x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors as Paddle 3 divides them: whole numbers that meet in one type in float32; not so truth values alone.

    Args:
        x, y: what is divided.
    Returns:
        Both.
    """
    if is_tensor(x) and is_tensor(y) and (kinds := {dtype_name(x.dtype), dtype_name(y.dtype)}) <= {*BITS} and kinds != {"bool"}:
        x, y = promoted(x, y)
        return (x.astype("float32"), y.astype("float32")) if x.dtype == y.dtype else (x, y)
    return x, y


def beside(api: str, x: Any, y: float) -> tuple[Any, Any]:
    """A tensor and a number, as a quotient or a remainder of Paddle 3 takes them.

    Args:
        api: the function.
        x: a tensor.
        y: a number.
    Returns:
        Two tensors.
    """
    from paddle_compat.tensor.creation import full

    kind = dtype_name(x.dtype)
    if api == "floor_divide" and isinstance(y, float) and kind not in ("float32", "float64"):
        kind = get_default_dtype()
    elif api == "floor_divide" and type(y) is int and (kind == "bool" or kind not in FLOATS and not static(x)):
        kind = "int64"
    return (x if kind == dtype_name(x.dtype) else x.astype(kind)), full([], y, kind)


def with_option(api: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two tensors with what Paddle 3 lets it do besides: multiples of y, rounded quotients.

    Args:
        api: its name.
        function: what it computes without.
    Returns:
        The function that has the option, or the same one.
    """

    def scaled(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1) -> Any:
        alpha = number(alpha)
        if is_tensor(alpha) or alpha != 1:
            y = multiple(y, alpha, api)
        return function(x, y, name)

    def rounded(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None) -> Any:
        if rounding_mode is None:
            return function(x, y, name)
        if rounding_mode == "floor" and is_tensor(y):
            from paddle_compat.tensor._arithmetic import floor_divide

            return floor_divide(x, y, name)
        if rounding_mode not in ("trunc", "floor"):
            raise invalid_argument("rounding_mode", "None, 'trunc' or 'floor'", repr(rounding_mode), api)
        if SINCE_3 and is_tensor(x) and is_tensor(y) and is_int(x) and x.dtype == y.dtype:  # which `divide` makes fractions of
            return rounded(x.astype("float64"), y.astype("float64"), name, rounding_mode="trunc").astype(x.dtype)
        out = function(x, y, name)
        out = out if is_int(out) else ops.trunc(out, _helper=named("trunc", name))
        return out.detach() if isinstance(out, Tensor) else out

    options: dict[str, Callable[..., Any]] = {"add": scaled, "subtract": scaled, "divide": rounded}
    return options.get(api, function)


def multiple(y: Any, alpha: Any, api: str) -> Any:
    """alpha * y, of y's type.

    Args:
        y: a tensor.
        alpha: a number, or a tensor.
        api: the function that adds it.
    Returns:
        A tensor.
    Raises:
        TypeError: alpha is nothing of the kind, or of a larger kind than y: a fraction of integers.
    """
    if not is_tensor(y):
        return y  # which the function refuses
    out = y * alpha if is_tensor(alpha) or isinstance(alpha, (int, float)) else None
    if out is None or out.dtype != y.dtype:
        raise type_error("alpha", f"a number, or a tensor, that leaves y {dtype_name(y.dtype)}", repr(alpha), api)
    return out
