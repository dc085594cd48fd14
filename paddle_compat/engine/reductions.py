"""Sums over all ranks in a lowered graph: neighbouring ones are one call."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paddle_compat.core.operator import Operator
from paddle_compat.ops.collective import all_reduce_together

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def lower_together(lowering: _Lowering, ops: Sequence[Operator]) -> int:
    """Lower the `c_allreduce_sum` operators that `ops` begins with as one call; how many they are."""
    together: list[Operator] = []
    written: set[str] = set()
    for op in ops:
        if op.type != "c_allreduce_sum" or op.attr("ring_id") != ops[0].attr("ring_id") or written.intersection(op.input_arg_names):
            break
        together.append(op)
        written.update(op.output_arg_names)
    values = [lowering._read(op.input("X")[0]) for op in together]
    node = lowering._call(all_reduce_together, (values,), {"ring_id": ops[0].attr("ring_id")}, name="all_reduce")
    lowering.nodes[node.name] = ops[0]
    for i, op in enumerate(together):
        name = op.output("Out")[0]
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
        if lowering.checks:
            lowering._check(op, lowering.values.env[name], name)
    return len(together)
