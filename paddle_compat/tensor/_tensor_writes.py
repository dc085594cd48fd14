"""Methods of Tensors that write values: a cast copy, and one value over many elements."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat import _alias
from paddle_compat.core import op
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import arrangement
from paddle_compat.ops.math import cast
from paddle_compat.tensor._calls import need
from paddle_compat.tensor._in_place import check_writable, write


@direct(
    "self",
    "self_.clone() if (kind := TYPES[dtype]) is self_.dtype else self_.to(kind)",
    "self_.dtype in CAST and (TYPES[dtype] in REAL or not self_.requires_grad)",
    kind="kind",
)
def astype(self: Tensor, dtype: Any) -> Tensor:
    """A copy of another data type; in scripts of Paddle 3 the Tensor itself, where it is of that already.

    Args:
        dtype: a data type.
    Returns:
        Tensor.
    Raises:
        TypeError: dtype is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([1.7]).astype("int64").tolist()
        [1]

    Follows Paddle 2.6.
    """
    kind = convert_dtype("float64" if dtype is None else dtype)  # as numpy
    return cast(self, in_dtype=int(self.dtype), out_dtype=int(kind))


def _filled(x: Tensor, value: float) -> Tensor | None:
    """x with one value, where there is nothing to see to; None elsewhere."""
    target = x._t
    if not op.plain or type(target) is not torch.Tensor or target.requires_grad or x._open or not target.is_floating_point():
        return None
    try:
        target.fill_(value) if value else target.zero_()
    except RuntimeError:  # of elements that share memory
        return None
    return x


def fill_(x: Tensor, value: float) -> Tensor:
    """Give every element one value.

    Args:
        x (Tensor): it is overwritten.
        value (int | float): the value.
    Returns:
        Tensor: x.
    Raises:
        TypeError: value is no number.
        ValueError: x is a leaf that has a gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([2]).fill_(3).tolist()
        [3.0, 3.0]

    Follows Paddle 2.6.
    """
    if type(value) is float and _filled(x, value) is not None:
        return x
    need(value, "value", "Tensor.fill_", float, int)
    check_writable(x, "fill_")
    return write(x, arrangement.fill_any(x.detach(), value=float(value))._t)


def zero_(x: Tensor) -> Tensor:
    """Make every element zero.

    Args:
        x (Tensor): it is overwritten.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).zero_().tolist()
        [0.0, 0.0]

    Follows Paddle 2.6.
    """
    return x if _filled(x, 0.0) is not None else fill_(x, 0)


def fill_diagonal_(x: Tensor, value: float, offset: int = 0, wrap: bool = False, name: str | None = None) -> Tensor:
    """Give the elements of the main diagonal one value.

    Args:
        x (Tensor): it is overwritten.
        value (int | float): the value.
        offset (int): how far to the right the diagonal lies.
        wrap (bool): whether a new diagonal begins below that of a matrix with more rows than columns.
        name: has no effect.
    Returns:
        Tensor: x.
    Raises:
        ValueError: x has less than two dimensions, or is a leaf that has a gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([2, 2]).fill_diagonal_(3).tolist()
        [[3.0, 0.0], [0.0, 3.0]]

    Follows Paddle 2.6.
    """
    if x._t.dim() < 2:
        raise invalid_argument("x", "at least 2 dimensions", x.shape, "Tensor.fill_diagonal_")
    check_writable(x, "fill_diagonal_")
    everywhere = wrap or x.ndim > 2  # the operator by itself stops after as many elements as the last two dimensions would have
    return write(x, arrangement.fill_diagonal(x, value=float(value), offset=offset, wrap=everywhere)._t)


def _astype(self: Tensor, dtype: Any) -> Tensor:
    """`astype` in scripts of Paddle 3."""
    if dtype is not None and convert_dtype(dtype) == self.dtype:
        return self
    return astype(self, dtype)


_astype.__name__, _astype.__qualname__ = "astype", "Tensor.astype"
_astype.__doc__ = astype.__doc__
METHODS: dict[str, Any] = {
    "astype": _astype if _alias.since("3") else astype, "fill_": fill_, "fill_diagonal_": fill_diagonal_, "zero_": zero_
}  # fmt: skip
