"""Recomputing in a DistModel: what `recompute()` was called with is computed again for the backward pass."""

from __future__ import annotations

from collections.abc import Sequence

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator, OpRole
from paddle_compat.core.program import Block

# Operators whose gradients need no value, so that those at the end of a segment need not run again
_NEED_NOTHING = frozenset({
    "assign", "cast", "elementwise_add", "elementwise_sub", "reshape", "reshape2", "scale", "sum", "transpose", "transpose2",
})  # fmt: skip


def recompute(block: Block, segments: Sequence[Sequence[Operator]]) -> None:
    """Write the operators of each segment once more before the first gradient operator that needs their values, which reads them there.

    What draws random numbers or moves running statistics on runs once, and its results are kept.

    Raises:
        FailedAssertionError: there are no segments.
    """
    if not segments:
        expected = "a layer that calls paddle.distributed.fleet.utils.recompute"
        raise failed_assertion("strategy.recompute.enable", expected, "one that does not", "to_static")
    for number, segment in enumerate(segments):
        _again(block, _repeated(segment), number)


def _repeated(segment: Sequence[Operator]) -> list[Operator]:
    """The operators of a segment that run again."""
    kept = [op for op in segment if _repeats(op)]
    while kept and kept[-1].type in _NEED_NOTHING:
        kept.pop()
    return kept


def _repeats(op: Operator) -> bool:
    definition = find_op(op.type)
    written = [op.block._find_var_recursive(name) for name in op.output_arg_names]
    stays = any(var is not None and var.persistable for var in written)
    return definition is not None and not definition.random and not stays and "sub_block" not in op.attrs


def _again(block: Block, ops: Sequence[Operator], number: int) -> None:
    own = {id(op) for op in ops}
    grads = [op for op in block.ops if op.forward is not None and id(op.forward) in own]
    if not grads:
        return
    names = {name: f"{name}.subprog_{number}" for op in ops for name in op.output_arg_names if name != EMPTY_VAR}
    for name, made in names.items():
        var = block.vars[name]
        block._add_var(name=made, shape=var.shape, dtype=var.dtype, type=var.type, stop_gradient=var.stop_gradient)

    def renamed(slots: dict[str, list[str]]) -> dict[str, list[str]]:
        return {slot: [names.get(name, name) for name in given] for slot, given in slots.items()}

    role = {"op_role": OpRole.Backward}
    copies = {id(op): Operator(block, op.type, renamed(op.inputs), renamed(op.outputs), op.attrs | role) for op in ops}
    position = block.ops.index(grads[0])
    block.ops[position:position] = copies.values()
    for grad in grads:
        assert grad.forward is not None
        grad.forward = copies[id(grad.forward)]
        grad.inputs = renamed(grad.inputs)
        grad.attrs["_grads"] = {own_grad: names.get(name, name) for own_grad, name in grad.attrs["_grads"].items()}
    block.program._touch()


__all__ = ["recompute"]
