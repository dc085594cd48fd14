"""Operators on SelectedRows: gradients that hold some rows of a table, in torch's sparse COO form."""

from __future__ import annotations

import torch

from paddle_compat.core.op import Meta, op
from paddle_compat.ops._sparse_updates import merged_rows

Tensor = torch.Tensor


def _infer_rows(x: Meta) -> Meta:
    return Meta(x.shape, x.dtype, 0, "rows")


def _infer_values(x: Meta) -> Meta:
    # how many rows there are, only a run knows; Paddle says the height of the table
    return Meta(x.shape, x.dtype, 0)


@op(inputs=("X",), infer=_infer_rows)
def merge_selected_rows(x: Tensor) -> Tensor:
    """The rows of a sparse gradient, repeated ones added up."""
    rows, values = merged_rows(x, x.dtype)
    return torch.sparse_coo_tensor(rows[None], values, x.shape, is_coalesced=True, check_invariants=False)


@op(inputs=("X",), infer=_infer_values)
def get_tensor_from_selected_rows(x: Tensor) -> Tensor:
    """The values of a sparse gradient's rows, as a dense tensor of as many rows."""
    return x._values()
