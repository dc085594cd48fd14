"""Updates from sparse gradients: rows of a table, in torch's sparse COO form, a row perhaps several times."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from paddle_compat.ops._update_parts import Number

Tensor = torch.Tensor


class Occurrences(NamedTuple):
    """Where each of some numbers occurs.

    Attributes:
        rows: the numbers, each once, ascending.
        back: for every occurrence the place of its number in `rows`.
        order: the occurrences, those of one number next to each other, first come first; `starts`: where each number's begin there.
    """

    rows: Tensor
    back: Tensor
    order: Tensor
    starts: Tensor

    @classmethod
    def of(cls, ids: Tensor) -> Occurrences:
        """Those of ids of one dimension, on the CPU."""
        array = ids.numpy()
        bits = len(array).bit_length()
        if len(array) and 0 <= array.min() and int(array.max()) >> (63 - bits) == 0:  # number and place in one: the fastest sort
            places = (array << bits) | np.arange(len(array))
            places.sort()
            order, found = places & ((1 << bits) - 1), places >> bits
        else:
            order = np.argsort(array, kind="stable")
            found = array[order]
        first = np.concatenate([found[:1] == found[:1], found[1:] != found[:-1]])
        starts, back = np.flatnonzero(first), np.empty(len(array), np.int64)
        back[order] = np.cumsum(first) - 1
        return cls(*map(torch.from_numpy, (found[starts], back, order, starts)))

    def merged(self, values: Tensor) -> Tensor:
        """The sum of the values of each number's occurrences, added in their order; `values` has a row for every occurrence."""
        if values.dim() == 2 and values.numel():
            return F.embedding_bag(self.order, values, self.starts, mode="sum")  # a fifth of the time of adding by index
        return values.new_zeros((len(self.rows), *values.shape[1:])).index_add_(0, self.back, values)


def merged_rows(grad: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Row numbers, each once, and the sum of the values of each."""
    rows, values = grad._indices()[0], grad._values().to(dtype)
    if grad.is_coalesced():
        return rows, values
    if rows.device.type == "cpu":
        found = Occurrences.of(rows)
        return found.rows, found.merged(values)
    unique, place = torch.unique(rows, return_inverse=True)
    return unique, values.new_zeros((unique.shape[0], *values.shape[1:])).index_add_(0, place, values)


def on_rows(step: Callable[..., None], grad: Tensor, *state: Tensor) -> None:
    """Take a step on the gradient's rows of parameter and accumulators only.

    Args:
        step: changes what it is given in place; called with the rows of every `state`, then the merged gradient.
    """
    rows, values = merged_rows(grad, state[0].dtype)
    parts = [s.index_select(0, rows) for s in state]
    step(*parts, values)
    for whole, part in zip(state, parts):
        whole.index_copy_(0, rows, part)


def subtract_rows(param: Tensor, grad: Tensor, speed: Number) -> None:
    """param[row] -= speed * value for every row of the gradient; repeated rows need no merging first."""
    rows, values = grad._indices()[0], grad._values().to(param.dtype) * -speed
    if isinstance(speed, float):  # on the CPU, rows scattered whole take two thirds of what adding a sparse tensor does
        param.scatter_add_(0, rows.view(-1, *[1] * (values.dim() - 1)).expand_as(values), values)
    else:
        param.index_add_(0, rows, values)


def where_rows(grad: Tensor, present: Number, absent: Number) -> Tensor:
    """A column that holds `present` in the gradient's rows and `absent` in all others."""
    shape = (grad.shape[0], *(1 for _ in grad._values().shape[1:]))
    column = torch.full(shape, 1.0, dtype=grad.dtype, device=grad.device) * absent
    column[grad._indices()[0]] = present
    return column
