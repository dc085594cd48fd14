"""Derivatives of functions of Tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.autograd._rows import Lines, Rows, derivatives, through
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.eager_backward import gradients
from paddle_compat.incubate.autograd import _recorded_functional as recorded_functional


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """The value of a function, and the product of a vector and its Jacobian.

    Args:
        func: takes the Tensors, returns one or several.
        xs: a Tensor, or a list of them.
        v: Tensors like those that `func` returns; None: ones.
    Returns:
        tuple: what `func` returns, and a Tensor like each of `xs`.
    Raises:
        TypeError: `func` is no function, or `xs` holds something else than Tensors.
        RuntimeError: `v` has another number of Tensors, or another shape.

    Example:
        >>> import paddle_compat as paddle
        >>> y, g = paddle.incubate.autograd.vjp(lambda x: x * x, paddle.to_tensor([3.0, 4.0]))
        >>> y.tolist(), g.tolist()
        ([9.0, 16.0], [6.0, 8.0])

    Follows Paddle 2.6.
    """
    if mode.is_static():
        return recorded_functional.vjp(func, xs, v)
    ys, inputs, outs = _called(func, xs)
    seeds = _vector(v, outs)
    found = gradients([y._t for y in outs], [x._t for x in inputs], seeds, create_graph=True)
    return ys, _like(xs, [torch.zeros_like(x._t, requires_grad=True) if g is None else g for g, x in zip(found, inputs)])


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """The value of a function, and the product of its Jacobian and a vector.

    Args:
        func: takes the Tensors, returns one or several.
        xs: a Tensor, or a list of them.
        v: Tensors like `xs`; None: ones.
    Returns:
        tuple: what `func` returns, and a Tensor like each of these.
    Raises:
        TypeError: `func` is no function, or `xs` holds something else than Tensors.
        RuntimeError: `v` has another number of Tensors, or another shape.

    Example:
        >>> import paddle_compat as paddle
        >>> y, d = paddle.incubate.autograd.jvp(lambda x: (x * x).sum(), paddle.to_tensor([3.0, 4.0]))
        >>> float(y), float(d)
        (25.0, 14.0)

    Follows Paddle 2.6.
    """
    if mode.is_static():
        return recorded_functional.jvp(func, xs, v)
    ys, inputs, outs = _called(func, xs)
    direction = [torch.ones_like(x._t) if d is None else d for d, x in zip(_vector(v, inputs), inputs)]
    # the Jacobian is what the gradient multiplies its seed with, so that the gradient of this product has it the other way round
    seeds = [torch.zeros_like(y._t, requires_grad=True) for y in outs]
    turned = gradients([y._t for y in outs], [x._t for x in inputs], list(seeds), create_graph=True)
    pairs = [(g, d) for g, d in zip(turned, direction) if g is not None]
    found = gradients([g for g, _ in pairs], seeds, [d for _, d in pairs], create_graph=True)
    return ys, _like(ys, [torch.zeros_like(s) if g is None else g for g, s in zip(found, seeds)])


class Jacobian:
    """The derivatives of a function: a matrix whose rows are computed when they are asked for.

    Args:
        func: takes the Tensors, returns one or several.
        xs: a Tensor, or a list of them; their elements are the columns.
        is_batched (bool): whether the first dimension of all is a batch, whose members do not depend on each other.

    Example:
        >>> import paddle_compat as paddle
        >>> matrix = paddle.incubate.autograd.Jacobian(lambda x: x * x, paddle.to_tensor([[1.0, 2.0]]))
        >>> matrix.shape, matrix[:].tolist()
        ((2, 2), [[2.0, 0.0], [0.0, 4.0]])

    Follows Paddle 2.6.
    """

    _rows: Lines

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        if mode.is_static():
            self._rows, self._shape = recorded_functional.jacobian(func, xs, is_batched)
            return
        _, inputs, outs = _called(func, xs)
        self._make(outs, inputs, is_batched)

    def _make(self, outs: Sequence[Tensor], inputs: Sequence[Tensor], batched: bool) -> None:
        start = 1 if batched else 0
        flat = [y._t.flatten(start) if y.ndim > start else y._t.unsqueeze(-1) for y in outs]
        parts = [_Flat(x._t, batched) for x in inputs]
        self._rows = _FlatRows(torch.cat(flat, start) if len(flat) > 1 else flat[0], parts, batched)
        columns = sum(part.columns for part in parts)
        rows = self._rows.count
        self._shape = (flat[0].shape[0], rows, columns) if batched else (rows, columns)

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns, behind the size of the batch."""
        return self._shape

    def __getitem__(self, indexes: Any) -> Any:
        return self._rows.part(indexes)

    locals().update(through(lambda self: self._rows))


class Hessian(Jacobian):
    """The second derivatives of a function that gives one number, or one for each member of a batch.

    Args:
        func: takes the Tensors, returns a Tensor of one element (for each member of the batch).
        xs: a Tensor, or a list of them.
        is_batched (bool): whether the first dimension of all is a batch.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.autograd.Hessian(lambda x: (x * x * x).sum(), paddle.to_tensor([1.0, 2.0]))[:].tolist()
        [[6.0, 0.0], [0.0, 12.0]]

    Follows Paddle 2.6.
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        if mode.is_static():
            self._rows, self._shape = recorded_functional.hessian(func, xs, is_batched)
            return
        _, inputs, outs = _called(func, xs)
        if len(outs) > 1 or outs[0].size != (outs[0].shape[0] if is_batched else 1):
            raise RuntimeError(
                "The function given to `Hessian` should return a single element (for each member of the batch). Received: "
                f"{[y.shape for y in outs]}"
            )
        firsts = [Tensor(g) for g in derivatives(outs[0]._t.sum(), [x._t for x in inputs])]
        self._make(firsts, inputs, is_batched)


class _Flat:
    """An input, as columns."""

    def __init__(self, x: torch.Tensor, batched: bool) -> None:
        self.x = x
        self.columns = x.numel() // (x.shape[0] if batched else 1)


class _FlatRows(Rows):
    """Rows whose inputs have any number of dimensions."""

    def __init__(self, y: torch.Tensor, parts: Sequence[_Flat], batched: bool) -> None:
        super().__init__(y, [part.x for part in parts], batched)

    def compute(self, index: int) -> torch.Tensor:
        target = self._y.select(self._axis, index).sum()
        found = derivatives(target, self._xs)
        return torch.cat([g.reshape(g.shape[0], -1) if self._batched else g.reshape(-1) for g in found], self._axis)


def _called(func: Any, xs: Any) -> tuple[Any, list[Tensor], list[Tensor]]:
    """What a function returns for copies of the inputs that gradients start from, the copies, and the Tensors returned."""
    if not callable(func):
        raise type_error("func", "a function", func)
    given = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    for x in given:
        if not isinstance(x, Tensor):
            raise type_error("xs", "a Tensor or a list of Tensors", x)
    inputs = [Tensor(x._t.detach().requires_grad_()) if x.stop_gradient else Tensor(x._t.view_as(x._t)) for x in given]
    with torch.enable_grad():
        ys = func(*inputs)
    return ys, inputs, list(ys) if isinstance(ys, (list, tuple)) else [ys]


def _vector(v: Any, like: Sequence[Tensor]) -> list[torch.Tensor | None]:
    """The Tensors of a vector, which must be like the others; None: ones."""
    given = recorded_functional.vector(v, like, "Tensors")
    return [None] * len(like) if given is None else [one._t for one in given]


def _like(template: Any, values: Sequence[torch.Tensor]) -> Any:
    """One Tensor where there was one, a tuple where there were several."""
    made = tuple(Tensor(value) for value in values)
    return made if isinstance(template, (list, tuple)) else made[0]


__all__ = ["Hessian", "Jacobian", "jvp", "vjp"]

__getattr__ = missing(__name__)
