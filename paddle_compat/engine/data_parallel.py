"""A Program as the replicas of a data parallel run have it: the loss's gradient weighed, all gradients summed over the ranks."""

from __future__ import annotations

from collections.abc import Iterable

from paddle_compat.core.clone import copy_program
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program


def data_parallel(program: Program, weight: float | None, sync_batch_norm: bool = False, fused: bool = True, sums: bool = True) -> Program:
    """A copy of a training Program that sums its gradients over all ranks.

    Args:
        weight: the gradient that the loss starts from; None: it is fed.
        sync_batch_norm: batch norms take the statistics of all ranks' batches.
        fused: gradients travel between processes in buckets, not each by itself.
        sums: False: the Program has its own sums.
    """
    new = copy_program(program)
    block = new.global_block()
    training = False
    pending: dict[str, None] = {}  # gradients that were written and not summed yet
    compressed = {name for op in block.ops if op.type == "dgc" for name in op.output("Grad_out")}  # summed once they are
    ops: list[Operator] = []
    for op in block.ops:
        role = op.role if op.role != OpRole.NotSpecified else 0
        backward = bool(role & OpRole.Backward)
        if pending and (not backward or not pending.keys().isdisjoint(op.input_arg_names)):
            ops += _sums(block, pending)
        if backward and role & OpRole.Loss and op.type == "fill_constant":
            training = True
            if weight is None:
                _leave_to_feed(block, op)
                continue
            op.attrs["value"] = float(weight)
        ops.append(op)
        if training and backward and sums:
            written = () if clips(op) else (op.attrs.get("op_role_var") or [])[1::2]
            pending.update(dict.fromkeys(name for name in written if op.type == "dgc" or name not in compressed))
    ops += _sums(block, pending)
    block.ops[:] = ops
    if sync_batch_norm:
        share_statistics(ops)
    if not fused:
        new._bucket_bytes = 0
    new._touch()
    return new


def clips(op: Operator) -> bool:
    """Whether an operator clips gradients: name scopes tell, one of which Paddle 1.8 misspells."""
    return bool(op.attrs.get("op_namescope", "").startswith(("/gradient_clip", "/graident_clip")))


def share_statistics(ops: Iterable[Operator]) -> None:
    """Have batch norms take the statistics of all ranks' batches."""
    for op in ops:
        if op.type == "batch_norm" and op.inputs.get("Scale") and op.inputs.get("Bias"):
            op.type = "sync_batch_norm"


def _leave_to_feed(block: Block, op: Operator) -> None:
    var = block.vars[op.output("Out")[0]]
    var.op, var.is_data, var.need_check_feed = None, True, False


def _sums(block: Block, pending: dict[str, None]) -> list[Operator]:
    made = [
        Operator(block, "c_allreduce_sum", {"X": [name]}, {"Out": [name]}, {"ring_id": 0, "op_role": int(OpRole.Backward)})
        for name in pending
    ]
    pending.clear()
    return made
