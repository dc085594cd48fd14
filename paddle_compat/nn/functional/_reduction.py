"""What losses do with the loss of each sample."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.dtype import is_float
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import paddle


def check_reduction(reduction: str, api: str, *more: str) -> None:
    """ValueError for a reduction that there is not."""
    if reduction not in ("mean", "sum", "none", *more):
        raise invalid_argument("reduction", "'mean', 'sum' or 'none'", reduction, api)


def same_shape(api: str, **values: Any) -> None:
    """ValueError for tensors of several shapes."""
    shapes = {name: list(value.shape) for name, value in values.items()}
    if len({tuple(s) for s in shapes.values()}) > 1:
        raise invalid_argument(" and ".join(shapes), "one shape", shapes, api)


def widened(x: Any, y: Any) -> tuple[Any, Any]:
    """Two Tensors of floating types in the wider one of them."""
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype != y.dtype and is_float(x.dtype) and is_float(y.dtype):
        wide = max(x.dtype, y.dtype)
        return paddle.cast(x, wide), paddle.cast(y, wide)
    return x, y


def reduced(loss: Any, reduction: str, name: str | None = None) -> Any:
    """The mean or sum of a loss, or the loss itself."""
    if reduction == "mean":
        return paddle.mean(loss, name=name)
    if reduction == "sum":
        return paddle.sum(loss, name=name)
    return loss
