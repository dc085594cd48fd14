"""Matrices of derivatives in a Program: operators that compute a row are recorded when somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor as T
from paddle_compat.autograd._rows import Lines
from paddle_compat.core.backward import gradients
from paddle_compat.core.variable import Variable


def recorded_derivatives(ys: Sequence[Variable], xs: Sequence[Variable], seeds: Sequence[Variable] | None = None) -> list[Variable]:
    """The gradients of ys by xs, which can be differentiated again; zeros where no y depends on an x."""
    found = gradients(list(ys), list(xs), seeds) or [None] * len(xs)
    return [T.zeros_like(x) if g is None else g for g, x in zip(found, xs)]


class RecordedRows(Lines):
    """The derivatives of every element of y with respect to every element of some Variables, one row for each element of y.

    Args:
        y: of shape [rows], or [batch, rows].
        xs: their elements (those of each member of the batch) are the columns, side by side.
        batched: whether the first dimension is a batch, whose members do not depend on each other.
    """

    def __init__(self, y: Any, xs: Sequence[Variable], batched: bool) -> None:
        super().__init__(y.shape[1 if batched else 0], batched)
        self._y, self._xs = y, xs

    def compute(self, index: int) -> Variable:
        target = self._y[:, index] if self._batched else self._y[index]
        flat = [level(g, self._batched) for g in recorded_derivatives([target], self._xs)]
        return T.concat(flat, self._axis) if len(flat) > 1 else flat[0]

    def together(self, rows: list[Any]) -> Variable:
        return T.stack(rows, self._axis)

    def public(self, value: Any) -> Variable:
        return value


def level(value: Variable, batched: bool) -> Variable:
    """All elements side by side, those of each member of a batch for themselves."""
    if not batched:
        return T.reshape(value, [-1])
    return T.flatten(value, 1) if len(value.shape) > 1 else T.unsqueeze(value, -1)
