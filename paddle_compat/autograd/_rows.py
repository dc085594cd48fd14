"""Matrices of derivatives whose rows are computed when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.eager_backward import gradients
from paddle_compat.tensor._tensor_indexing import getitem


def derivatives(y: torch.Tensor, xs: Sequence[torch.Tensor], seed: torch.Tensor | None = None) -> list[torch.Tensor]:
    """The gradients of y, which can be differentiated again; zeros where y does not depend on an x."""
    found = gradients([y], xs, [seed], create_graph=True)
    return [torch.zeros_like(x, requires_grad=True) if g is None else g for g, x in zip(found, xs)]


class Rows:
    """The derivatives of every element of y with respect to every element of some tensors, one row for each element of y.

    Args:
        y: of shape [rows], or [batch, rows].
        xs: each of shape [columns], or [batch, columns]; their columns stand side by side.
        batched: whether the first dimension is a batch, whose members do not depend on each other.
    """

    def __init__(self, y: torch.Tensor, xs: Sequence[torch.Tensor], batched: bool) -> None:
        self._y, self._xs, self._batched = y, xs, batched
        self._axis = 1 if batched else 0
        self._known: dict[int, torch.Tensor] = {}
        self._all: torch.Tensor | None = None

    def row(self, index: int) -> torch.Tensor:
        """One row (of every member of the batch)."""
        if index not in self._known:
            target = self._y.select(self._axis, index).sum() if self._batched else self._y[index]
            flat = [g if self._batched else g.reshape(-1) for g in derivatives(target, self._xs)]
            self._known[index] = torch.cat(flat, self._axis) if len(flat) > 1 else flat[0]
        return self._known[index]

    def whole(self) -> torch.Tensor:
        """All rows."""
        if self._all is None:
            count = self._y.shape[self._axis]
            self._all = torch.stack([self.row(n) for n in range(count)], self._axis)
        return self._all

    def part(self, item: Any) -> Tensor:
        """The part that an index names; of an integer row only that row is computed."""
        place = item[self._axis] if isinstance(item, tuple) and len(item) > self._axis else item if not self._axis else None
        count = self._y.shape[self._axis]
        if type(place) is int and -count <= place < count and not (isinstance(item, tuple) and Ellipsis in item[: self._axis + 1]):
            row = Tensor(self.row(place % count))
            rest: tuple[Any, ...] = (item[: self._axis] + item[self._axis + 1 :]) if isinstance(item, tuple) else ()
            return getitem(row, rest) if rest else row
        return getitem(Tensor(self.whole()), item)


def through(rows: Callable[[Any], Rows]) -> dict[str, Callable[..., Any]]:
    """Members that treat a matrix as the Tensor of all its rows."""

    def member(name: str) -> Callable[..., Any]:
        def call(self: Any, *args: Any) -> Any:
            return getattr(Tensor(rows(self).whole()), name)(*(Tensor(rows(v).whole()) if type(v) is type(self) else v for v in args))

        return call

    names = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "matmul", "neg", "lt", "le", "gt", "ge")
    return {f"__{name}__": member(f"__{name}__") for name in names}
