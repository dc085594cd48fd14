"""What rules of inference refuse while an operator is recorded: a dimension that is not there, shapes that do not fit."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat.core.errors import OutOfRangeError, invalid_argument
from paddle_compat.core.op import Meta

# the wheels take no larger one, in layer norm
LARGEST_EPSILON = 1e-3


def check_axis(axis: int, rank: int, shape: Sequence[int], name: str = "axis") -> None:
    """Refuse a dimension that a tensor of this rank does not have; a number is taken for a vector."""
    rank = max(rank, 1)
    if not -rank <= axis < rank:
        raise invalid_argument(name, f"{-rank} to {rank - 1}, as x has shape {list(shape)}", axis)


def check_index_axis(axis: int, x: Meta) -> None:
    """As `check_axis`, where Paddle says that it is out of range."""
    rank = max(len(x.shape), 1)
    if not -rank <= axis < rank:
        raise OutOfRangeError(
            f"Invalid value for argument `axis`. Expected {-rank} to {rank - 1}, as x has shape {list(x.shape)}. Received: {axis}"
        )


def check_rank(name: str, value: Meta, rank: int) -> None:
    """Refuse another number of dimensions."""
    if len(value.shape) != rank:
        raise invalid_argument(name, f"{rank} dimensions", f"shape {list(value.shape)}")


def fit(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two shapes are equal where both are known."""
    return len(one) == len(other) and all(a == b or -1 in (a, b) for a, b in zip(one, other))


def check_fits(name: str, value: Meta, *shapes: Sequence[int]) -> None:
    """Refuse a shape that is, where it is known, none of these; -1 is any size."""
    if not any(fit(value.shape, shape) for shape in shapes):
        raise invalid_argument(name, " or ".join(f"shape {list(shape)}" for shape in shapes), f"shape {list(value.shape)}")


def check_same_shape(name: str, values: Sequence[Meta | torch.Tensor]) -> None:
    """Refuse tensors of different shapes."""
    if not all(fit(v.shape, values[0].shape) for v in values[1:]):
        raise invalid_argument(name, "equal shapes", [list(v.shape) for v in values])


def check_columns(api: str, **values: torch.Tensor) -> None:
    """Refuse tensors, by their names, that are not of one shape [N, 1]; those without values may be declared as something else."""
    shape = next(iter(values.values())).shape
    for name, value in values.items():
        if not value.is_meta and (value.dim() != 2 or value.shape[1] != 1 or value.shape != shape):
            raise invalid_argument(name, "shape [N, 1], the same for all", [list(v.shape) for v in values.values()], api)


def check_as_many(axes: Sequence[int], **lists: Sequence[int]) -> None:
    """Refuse lists that have not one number for each axis."""
    for name, numbers in lists.items():
        if len(numbers) != len(axes):
            raise invalid_argument(name, f"{len(axes)} numbers, one for each of axes {list(axes)}", list(numbers))


def check_integers(name: str, value: Meta) -> None:
    """Refuse what cannot be positions."""
    if value.dtype not in (torch.int32, torch.int64):
        raise invalid_argument(name, "int32 or int64", value.dtype)


def check_rows(index: Meta | torch.Tensor) -> None:
    """Refuse a table of row numbers that is no column."""
    if len(index.shape) > 2 or len(index.shape) == 2 and index.shape[1] not in (-1, 1):
        raise invalid_argument("index", "one dimension, or a second one of size 1", f"shape {list(index.shape)}")


def check_epsilon(epsilon: float) -> None:
    """Refuse an epsilon that the wheels' norms refuse."""
    if not 0.0 <= epsilon <= LARGEST_EPSILON * (1 + 1e-6):
        raise invalid_argument("epsilon", f"0 to {LARGEST_EPSILON}", epsilon)
