"""Values between two bounds."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.paddle3 import SINCE_3_2, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import FLOATS, INTS, NUMBERS, check, is_tensor, named, need
from paddle_compat.tensor._in_place import in_place


def _bounded(x: Any, min: Any, max: Any, name: str | None, widened: bool) -> Any:
    """x between two bounds; as float32 where it is of whole numbers, may be widened and a bound is a float."""
    check(x, "x", "clip", NUMBERS)
    min, max = (bound.item(0) if isinstance(bound, Tensor) and bound.size > 1 else bound for bound in (min, max))  # as 2.6.2
    low, high = (bound if is_tensor(bound) else None for bound in (min, max))
    for value, label in ((min, "min"), (max, "max")):
        if value is not None and not is_tensor(value):
            need(value, label, "clip", int, float)
    if widened and dtype_name(x.dtype) in INTS and any(_is_float(bound) for bound in (min, max)):
        x = ops.cast(x, in_dtype=int(x.dtype), out_dtype=int(VarType.FP32))
    limit = {VarType.INT32: 2.0**31, VarType.INT64: 2.0**63, VarType.FP16: 65504.0}.get(x.dtype, 3.4028234663852886e38)
    attrs: dict[str, Any] = {
        "min": -limit if low is not None or min is None else float(min),
        "max": limit if high is not None or max is None else float(max),
    }
    return ops.clip(x, low, high, _helper=named("clip", name), **attrs)


def _is_float(bound: Any) -> bool:
    """Whether the bound is a float or a tensor of floats."""
    return dtype_name(bound.dtype) in FLOATS if is_tensor(bound) else isinstance(bound, float)


@direct(
    "x",
    "between(x_, float(min), float(max))",
    "type(min) in NUMBERS and type(max) in NUMBERS and min <= max and x_.dtype in FLOATS",
    kind="x_.dtype",
    between=ops.between,
)
@paddle3(input="x", out=True)
def clip(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """x between two bounds. At the bounds themselves the gradient is 0, and passes since Paddle 3.2.

    Args:
        x: a tensor of numbers.
        min, max: numbers or tensors of one element; None: no bound. Of a Tensor of several elements the first one counts.
        name: prefix of the output's name.
    Returns:
        A tensor like x. In Paddle 3.2 whole numbers between floats become float32.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.clip(paddle.to_tensor([-2.0, 0.5, 3.0]), -1.0, 1.0).tolist()
        [-1.0, 0.5, 1.0]

    Follows Paddle 2.6.
    """
    return _bounded(x, min, max, name, SINCE_3_2)


@paddle3(input="x", out=True)
def _kept(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    return _bounded(x, min, max, name, False)


_kept.__name__, _kept.__doc__ = clip.__name__, clip.__doc__
clip_ = in_place(_kept)  # what is overwritten keeps its type
clamp, clamp_ = clip, clip_

__all__ = ["clamp", "clamp_", "clip", "clip_"]
