"""How two operands of different shapes meet: Paddle's `axis` rule, at run time and while shapes are inferred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import UnimplementedError, WrongInputError, invalid_argument
from paddle_compat.core.op import Meta

Shape = tuple[int, ...]


def align(x: torch.Tensor, y: torch.Tensor, axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Reshape the operand with fewer dimensions so that its first one stands at dimension `axis` of the other."""
    x_shape, y_shape = aligned_shapes(tuple(x.shape), tuple(y.shape), axis)
    return (x if x.dim() == len(x_shape) else x.reshape(x_shape)), (
        y if y.dim() == len(y_shape) else y.reshape(y_shape)
    )


def aligned_shapes(x: Shape, y: Shape, axis: int) -> tuple[Shape, Shape]:
    """`align` on shapes."""
    if axis == -1 or len(x) == len(y):
        return x, y
    if len(x) < len(y):
        y, x = aligned_shapes(y, x, axis)
        return x, y
    while len(y) > 1 and axis + len(y) > len(x) and y[-1] == 1:
        y = y[:-1]
    if not 0 <= axis <= len(x) - len(y):
        raise invalid_argument("axis", f"a dimension of {list(x)} at which {list(y)} fits", axis)
    return x, y + (1,) * (len(x) - axis - len(y))


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The common shape; an unknown dimension (-1) gives way to one that is larger than 1."""
    rank = max(map(len, shapes))
    out = []
    for position in range(-rank, 0):
        sizes = {shape[position] for shape in shapes if -position <= len(shape)} - {1}
        known = sizes - {-1}
        if len(known) > 1:
            raise invalid_argument(
                "shape", "shapes that broadcast together", " and ".join(str(list(s)) for s in shapes)
            )
        out.append(known.pop() if known else (-1 if sizes else 1))
    return tuple(out)


def infer_broadcast(x: Meta, y: Meta, *, axis: int = -1, **attrs: Any) -> Meta:
    """The inference rule of operators with two broadcast operands."""
    dtype = torch.promote_types(x.dtype, y.dtype) if y.dtype.is_complex else x.dtype
    return Meta(broadcast_shapes(*aligned_shapes(x.shape, y.shape, axis)), dtype, kind=x.kind)


def infer_predicate(x: Meta, y: Meta, *, axis: int = -1, **attrs: Any) -> Meta:
    """The inference rule of comparisons."""
    return Meta(broadcast_shapes(*aligned_shapes(x.shape, y.shape, axis)), torch.bool)


def refuse_bools(x: torch.Tensor) -> None:
    """Refuse arithmetic of truth values, for which Paddle has no kernels."""
    if x.dtype is torch.bool:
        raise UnimplementedError("Invalid data type of input `X`. Expected numbers; cast truth values first. Received: bool")


def same_dtype(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Bring a real and a complex operand together; no other types mix in Paddle."""
    if x.dtype.is_complex or y.dtype.is_complex:
        dtype = torch.promote_types(x.dtype, y.dtype)
        return x.to(dtype), y.to(dtype)
    raise unmet(x.dtype, y.dtype)


def unmet(x: torch.dtype, y: torch.dtype) -> WrongInputError:
    """The error for operands of two types that do not meet."""
    return WrongInputError(
        f"Invalid type for argument `Y`. Expected the same data type as X, {x}: Type promotion only support calculations between "
        f"floating-point numbers and between complex and real numbers. Received: {y}"
    )


def axes_of(axes: Sequence[int], rank: int) -> list[int]:
    """Dimensions counted from 0."""
    return [axis + rank if axis < 0 else axis for axis in axes]
