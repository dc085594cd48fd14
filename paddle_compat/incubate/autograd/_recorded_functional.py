"""Derivatives of functions of Variables, recorded into a Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor as T
from paddle_compat.autograd._recorded_rows import RecordedRows, level, recorded_derivatives
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable


def vjp(func: Any, xs: Any, v: Any) -> tuple[Any, Any]:
    """The value of a function, and the product of a vector and its Jacobian."""
    ys, inputs, outs = _called(func, xs)
    return ys, _like(xs, recorded_derivatives(outs, inputs, vector(v, outs, "Variables")))


def jvp(func: Any, xs: Any, v: Any) -> tuple[Any, Any]:
    """The value of a function, and the product of its Jacobian and a vector."""
    ys, inputs, outs = _called(func, xs)
    direction = vector(v, inputs, "Variables") or [T.ones_like(x) for x in inputs]
    seeds = [T.zeros_like(y) for y in outs]  # as in eager mode: the gradient of a gradient by its seed turns the product round
    for seed in seeds:
        seed.stop_gradient = False
    return ys, _like(ys, recorded_derivatives(recorded_derivatives(outs, inputs, seeds), seeds, direction))


def jacobian(func: Any, xs: Any, batched: bool) -> tuple[RecordedRows, tuple[int, ...]]:
    """The rows of a function's derivatives, and the shape of their matrix."""
    _, inputs, outs = _called(func, xs)
    return _matrix(outs, inputs, batched)


def hessian(func: Any, xs: Any, batched: bool) -> tuple[RecordedRows, tuple[int, ...]]:
    """The rows of the second derivatives of a function that gives one number (for each member of a batch), and their matrix's shape."""
    _, inputs, outs = _called(func, xs)
    if len(outs) > 1 or any(size != 1 for size in outs[0].shape[1 if batched else 0 :]):
        raise RuntimeError(
            "The function given to `Hessian` should return a single element (for each member of the batch). Received: "
            f"{[y.shape for y in outs]}"
        )
    return _matrix(recorded_derivatives(outs, inputs), inputs, batched)


def _matrix(outs: Sequence[Variable], inputs: Sequence[Variable], batched: bool) -> tuple[RecordedRows, tuple[int, ...]]:
    flat = [level(y, batched) for y in outs]
    rows = RecordedRows(T.concat(flat, -1) if len(flat) > 1 else flat[0], inputs, batched)
    columns = 0
    for x in inputs:
        size = 1
        for length in x.shape[1 if batched else 0 :]:
            size *= length
        columns += size
    return rows, (outs[0].shape[0], rows.count, columns) if batched else (rows.count, columns)


def _called(func: Any, xs: Any) -> tuple[Any, list[Variable], list[Variable]]:
    """What a function returns for copies of the inputs that gradients flow to, the copies, and the Variables returned."""
    if not callable(func):
        raise type_error("func", "a function", func)
    inputs = []
    for x in list(xs) if isinstance(xs, (list, tuple)) else [xs]:
        if not isinstance(x, Variable):
            raise type_error("xs", "a Variable or a list of Variables", x)
        copy = T.assign(x)
        copy.stop_gradient = False
        inputs.append(copy)
    ys = func(*inputs)
    return ys, inputs, list(ys) if isinstance(ys, (list, tuple)) else [ys]


def vector(v: Any, like: Sequence[Any], kinds: str) -> list[Any] | None:
    """The Tensors or Variables of a vector, which must be like the others; None: ones."""
    if v is None:
        return None
    given = list(v) if isinstance(v, (list, tuple)) else [v]
    if len(given) != len(like):
        raise RuntimeError(f"Invalid value for argument `v`. Expected {len(like)} {kinds}. Received: {len(given)}, an invalid length")
    for n, (one, other) in enumerate(zip(given, like)):
        if tuple(one.shape) != tuple(other.shape):
            raise RuntimeError(
                f"Invalid value for argument `v`: v[{n}] has an invalid shape. Expected {other.shape}. Received: {one.shape}"
            )
    return given


def _like(template: Any, values: Sequence[Variable]) -> Any:
    """One Variable where there was one, a tuple where there were several."""
    return tuple(values) if isinstance(template, (list, tuple)) else values[0]
