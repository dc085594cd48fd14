"""How optimizers' operators update some rows of a table: by the same kernels as everywhere, on the rows that were touched alone.

An operator sees the touched rows as if they were the whole parameter, their states as its accumulators, and a gradient that has each of
these rows once. So rows that nobody touches stand still, as with Adam's `lazy_mode`.
"""

from __future__ import annotations

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import Op, find_op

# what one row's step does not depend on other rows for
BY_ROW = frozenset({
    "sgd", "momentum", "adam", "adamw", "adamax", "adagrad", "decayed_adagrad", "adadelta", "rmsprop", "ftrl", "proximal_gd",
    "proximal_adagrad",
})  # fmt: skip


def by_row(type_: str) -> Op:
    """The definition of an optimizer's operator that can update a table's rows.

    Raises:
        UnsupportedError: it looks at the whole parameter.
    """
    found = find_op(type_)
    if found is None or type_ not in BY_ROW:
        raise UnsupportedError("is_distributed=True", f"the optimizer's operator `{type_}`, which looks at the whole table", "adam or sgd")
    return found


def as_whole(rows: torch.Tensor, gradients: torch.Tensor, height: int) -> torch.Tensor:
    """A sparse gradient.

    Args:
        rows: (n), the row that each gradient is for.
        gradients: (n, width).
        height: of the table.
    """
    shape = (height, *gradients.shape[1:])
    return torch.sparse_coo_tensor(rows[None], gradients, shape, check_invariants=False)
