"""Sums over all ranks in a lowered graph: neighbours are one call; those behind a backward pass set out while it runs."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.rings import ring_of
from paddle_compat.engine import autograd
from paddle_compat.ops.collective import all_reduce_together

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


_ORDERING = frozenset({"c_sync_calc_stream", "c_sync_comm_stream", "c_wait_comm", "c_wait_compute"})


def only_orders(op: Operator) -> bool:
    """Whether the operator only says what one stream of a GPU has to wait for: here everything comes after what it reads."""
    return op.type in _ORDERING and op.input("X") == op.output("Out")


def of_gradients(op: Operator) -> bool:
    """Whether an operator sums what no later backward pass goes through, so that it may meet others of its kind in one call."""
    return op.type == "c_allreduce_sum" and op.role != OpRole.NotSpecified and bool(op.role & (OpRole.Backward | OpRole.Optimize))


def lower_together(lowering: _Lowering, ops: Sequence[Operator]) -> int:
    """Lower the sums of gradients that `ops` begins with as one call, of as many bytes as travel together; how many they are."""
    together: list[Operator] = []
    written: set[str] = set()
    most, held = lowering.block.program._bucket_bytes, 0
    for op in ops:
        if not of_gradients(op) or written.intersection(op.input_arg_names) or together and most is not None and held >= most:
            break
        together.append(op)
        written.update(op.output_arg_names)
        var = lowering.block._find_var_recursive(op.input("X")[0])
        held += prod(map(abs, var.shape)) * torch_dtype(var.dtype).itemsize if var is not None and most is not None else 0
    values = [lowering._read(op.input("X")[0]) for op in together]
    node = lowering._call(all_reduce_together, (values,), {"ring_ids": [op.attr("ring_id") for op in together]}, name="all_reduce")
    lowering.nodes[node.name] = ops[0]
    for i, op in enumerate(together):
        name = op.output("Out")[0]
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
        if lowering.checks:
            lowering._check(op, lowering.values.env[name], name)
    return len(together)


def behind(lowering: _Lowering, asked: Sequence[str], ops: Sequence[Operator]) -> list[Operator]:
    """The sums of the gradients asked for that follow directly on a backward pass: they may begin before it ends."""
    found: list[Operator] = []
    for op in ops:
        name = op.input("X")[0] if op.type == "c_allreduce_sum" else ""
        if name not in asked or op.output("Out") != [name]:
            break
        var = lowering.block._find_var_recursive(name)
        if var is None or var.type != VarType.LOD_TENSOR:  # how many rows there are is not known before they are
            break
        found.append(op)
    return [] if lowering.checks or lowering.keep_grad else found


def backward_and_sums(
    targets: Sequence[torch.Tensor],
    wrt: Sequence[Any],
    seeds: Sequence[torch.Tensor | None] | None = None,
    retain_graph: bool = False,
    *,
    summed: Sequence[int],
    ring_ids: Sequence[int],
    most: int | None,
) -> list[Any]:
    """`autograd.backward`, and the sums over all ranks of the gradients at `summed`.

    Args:
        most: bytes that travel together at most.
    """
    ring = ring_of(ring_ids[0])
    one = all(ring_of(ring_id) is ring for ring_id in ring_ids)
    journey = ring.journey([wrt[i] for i in summed], most) if one else None
    if journey is None:
        grads = autograd.backward(targets, wrt, seeds, retain_graph)
        sums = all_reduce_together([grads[i] for i in summed], ring_ids=ring_ids)
    else:
        hooks = [wrt[i].register_hook(journey.taker(place, wrt[i])) for place, i in enumerate(summed)]
        try:
            grads = autograd.backward(targets, wrt, seeds, retain_graph)
        finally:
            for hook in hooks:
                hook.remove()
        sums = journey.finish([grads[i] for i in summed])
    for i, total in zip(summed, sums):
        grads[i] = total
    return grads


def meet() -> None:
    """Wait for the other replicas of this process."""
    ring_of(0).wait(near=True)
