"""Lowering of `pylayer`: a block whose gradient is another block."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.operator import GRAD_SUFFIX, Operator

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


class _OwnGradient(torch.autograd.Function):
    """Values of one block, gradients of another."""

    @staticmethod
    def forward(ctx: Any, run: _Run, *values: torch.Tensor) -> Any:
        ctx.run, ctx.counted = run, len(values)
        made = run.body.forward(*(values[i] for i in run.order))
        outputs = made[: len(made) - len(run.kept)]
        # what the second block reads of the first one's own
        ctx.around = list(run.around)
        for place, value in zip(run.kept, made[len(outputs) :]):
            ctx.around[place] = value
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        found: list[Any] = [None] * ctx.counted
        run = ctx.run
        for position, value in zip(run.positions, run.gradient.forward(*grads, *ctx.around)):
            found[position] = value
        return None, *found


class _Run:
    """What a run of the operator goes by: its blocks, and which values are whose."""

    def __init__(
        self, body: Any, gradient: Any, order: Sequence[int], around: list[Any], positions: Sequence[int], kept: Sequence[int]
    ) -> None:
        self.body, self.gradient, self.order, self.around, self.positions, self.kept = body, gradient, order, around, positions, kept


def with_own_gradient(
    body: Any, gradient: Any, values: list[Any], order: Sequence[int], around: list[Any], positions: Sequence[int], kept: Sequence[int]
) -> tuple[Any, ...]:
    """Run a block whose gradient another block computes.

    Args:
        body: called with the values in this `order`.
        gradient: called with the outputs' gradients, then the values `around`; None: there is no gradient.
        values: the operator's inputs, then what else the body reads.
        positions: where among the values those stand that the second block has gradients for.
        kept: where among the values `around` those stand that the body makes, behind its outputs.
    """
    if gradient is None:
        return tuple(body.forward(*(values[i] for i in order)))
    return _OwnGradient.apply(_Run(body, gradient, order, around, positions, kept), *values)


def lower(low: _Lowering, op: Operator) -> None:
    """Lower the operator to one call."""
    blocks, inputs, outputs = op.attrs["blocks"], op.input("Input"), op.output("Out")
    gradient, around, positions, kept, inner = None, [], [], [], []
    if len(blocks) > 1:
        written = {n for each in blocks[1].ops for n in each.output_arg_names}
        positions = [i for i, n in enumerate(inputs) if n + GRAD_SUFFIX in written]
        returned = [inputs[i] + GRAD_SUFFIX for i in positions]
        gradient, needed = low.step_block(blocks[1], [n + GRAD_SUFFIX for n in outputs], returned)
        own = {n for each in blocks[0].ops for n in each.output_arg_names if n in blocks[0].vars}
        needed = needed[len(outputs) :]
        kept = [i for i, n in enumerate(needed) if n in own]
        inner = [needed[i] for i in kept]
        around = [None if n in own else low._read(n) for n in needed]
    body, reads = low.step_block(blocks[0], [], [*outputs, *inner])
    values = [*inputs, *(n for n in reads if n not in inputs)]
    taken = [low._input(op, "Input", i, n) if i < len(inputs) else low._read(n) for i, n in enumerate(values)]
    order = [values.index(n) for n in reads]
    node = low._call(with_own_gradient, (body, gradient, taken, order, around, positions, kept), name="pylayer")
    low.nodes[node.name] = op
    for i, name in enumerate(outputs):
        low._write(name, low._call(operator.getitem, (node, i), name=name))
