"""Gradients that are ordinary operators in Paddle: the gradient of a scale is a scale, that of a split a concat.

Each function here makes a `grad_maker` (see `core.op`): from the names of the gradients of outputs and inputs to the
operators that compute the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paddle_compat.core.operator import Operator

Names = Mapping[str, list[str]]
Maker = Callable[[Operator, Names, Names], list[tuple[Any, ...]]]
Attrs = Callable[[Operator], dict[str, Any]]


def by_op(
    type_: str,
    attrs: Attrs = lambda op: {},
    *,
    source: str = "Out",
    target: str = "X",
    reads: str = "X",
    writes: str = "Out",
    keeps: Sequence[str] = (),
) -> Maker:
    """One operator from the gradient of `source` to that of `target`.

    Args:
        type_: the operator.
        attrs: its attributes, from the forward operator.
        reads, writes: its slots.
        keeps: forward inputs that it takes too.
    """

    def make(op: Operator, grad_outs: Names, grad_ins: Names) -> list[tuple[Any, ...]]:
        wanted = [n or "@EMPTY@" for n in grad_ins.get(target, [])]
        if not wanted or not grad_outs.get(source):
            return []
        inputs = {
            reads: list(grad_outs[source]),
            **{slot: list(op.inputs[slot]) for slot in keeps if slot in op.inputs},
        }
        return [(type_, inputs, {writes: wanted}, {**attrs(op), **device_of(op)})]

    return make


def scales(factors: Mapping[str, float]) -> Maker:
    """For each variable in these input slots, a scale of the output's gradient."""

    def make(op: Operator, grad_outs: Names, grad_ins: Names) -> list[tuple[Any, ...]]:
        return [
            (
                "scale",
                {"X": list(grad_outs["Out"])},
                {"Out": [name]},
                {"scale": factor, "bias": 0.0, "bias_after_scale": True, **device_of(op)},
            )
            for slot, factor in factors.items()
            for name in grad_ins.get(slot, [])
            if name
        ]

    return make


def copies(*names: str) -> Attrs:
    """The forward operator's own attributes of these names."""
    return lambda op: {n: op.attrs[n] for n in names if n in op.attrs}


def device_of(op: Operator) -> dict[str, Any]:
    """The device that `device_guard` gave an operator: its gradient runs there too."""
    return copies("op_device")(op)
