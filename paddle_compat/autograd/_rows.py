"""Matrices of derivatives whose rows are computed when somebody asks for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.eager_backward import gradients


def derivatives(y: torch.Tensor, xs: Sequence[torch.Tensor], seed: torch.Tensor | None = None) -> list[torch.Tensor]:
    """The gradients of y, which can be differentiated again; zeros where y does not depend on an x."""
    found = gradients([y], xs, [seed], create_graph=True)
    return [torch.zeros_like(x, requires_grad=True) if g is None else g for g, x in zip(found, xs)]


class Lines(ABC):
    """A matrix whose rows are computed when somebody asks for them."""

    def __init__(self, count: int, batched: bool) -> None:
        self.count, self._batched = count, batched
        self._axis = 1 if batched else 0
        self._known: dict[int, Any] = {}
        self._all: Any = None

    @abstractmethod
    def compute(self, index: int) -> Any:
        """One row (of every member of the batch)."""

    @abstractmethod
    def together(self, rows: list[Any]) -> Any:
        """The matrix that rows make."""

    @abstractmethod
    def public(self, value: Any) -> Any:
        """What users see of a row or matrix."""

    def row(self, index: int) -> Any:
        """One row, computed once."""
        if index not in self._known:
            self._known[index] = self.compute(index)
        return self._known[index]

    def whole(self) -> Any:
        """All rows."""
        if self._all is None:
            self._all = self.together([self.row(n) for n in range(self.count)])
        return self._all

    def part(self, item: Any) -> Any:
        """The part that an index names; of an integer row only that row is computed."""
        place = item[self._axis] if isinstance(item, tuple) and len(item) > self._axis else item if not self._axis else None
        inside = type(place) is int and -self.count <= place < self.count
        if type(place) is int and inside and not (isinstance(item, tuple) and Ellipsis in item[: self._axis + 1]):
            row = self.public(self.row(place % self.count))
            rest: tuple[Any, ...] = (item[: self._axis] + item[self._axis + 1 :]) if isinstance(item, tuple) else ()
            return row[rest] if rest else row
        return self.public(self.whole())[item]


class Rows(Lines):
    """The derivatives of every element of y with respect to every element of some tensors, one row for each element of y.

    Args:
        y: of shape [rows], or [batch, rows].
        xs: each of shape [columns], or [batch, columns]; their columns stand side by side.
        batched: whether the first dimension is a batch, whose members do not depend on each other.
    """

    def __init__(self, y: torch.Tensor, xs: Sequence[torch.Tensor], batched: bool) -> None:
        super().__init__(y.shape[1 if batched else 0], batched)
        self._y, self._xs = y, xs

    def compute(self, index: int) -> torch.Tensor:
        target = self._y.select(self._axis, index).sum() if self._batched else self._y[index]
        flat = [g if self._batched else g.reshape(-1) for g in derivatives(target, self._xs)]
        return torch.cat(flat, self._axis) if len(flat) > 1 else flat[0]

    def together(self, rows: list[Any]) -> torch.Tensor:
        return torch.stack(rows, self._axis)

    def public(self, value: Any) -> Tensor:
        return Tensor(value)


def through(rows: Callable[[Any], Lines]) -> dict[str, Callable[..., Any]]:
    """Members that treat a matrix as the Tensor of all its rows."""

    def member(name: str) -> Callable[..., Any]:
        def call(self: Any, *args: Any) -> Any:
            mine, *others = [rows(v).public(rows(v).whole()) if type(v) is type(self) else v for v in (self, *args)]
            return getattr(mine, name)(*others)

        return call

    names = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "matmul", "neg", "lt", "le", "gt", "ge")
    return {f"__{name}__": member(f"__{name}__") for name in names}
