"""Variables that a Program writes a second time before a backward pass is through: its gradient operators find the new value.

A Program has one variable for one name, and Paddle's gradient operators read what it holds when they run, not what their forward operators
read. So `assign(b, output=a)` behind an operator that has read `a` moves that operator's gradient to `b`, and a gradient of `a` goes to
both operators that have written `a`. Updates in place of parameters show by themselves (`autograd.unnoticed`), loops and branches see to
their own (`control_flow`); what is left is asked for here, and runs operator by operator.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator, OpRole

if TYPE_CHECKING:
    from paddle_compat.core.program import Block
    from paddle_compat.engine.regions import Region

# whose gradient operators ask for no values
_LINEAR = frozenset(
    {
        *("assign", "cast", "concat", "elementwise_add", "elementwise_sub", "expand_v2", "flatten_contiguous_range", "mean", "reduce_mean"),
        *("reduce_sum", "reshape", "reshape2", "scale", "slice", "split", "squeeze", "squeeze2", "stack", "strided_slice", "sum", "tile"),
        *("transpose", "transpose2", "unsqueeze", "unsqueeze2", "unstack"),
    }
)

# what writes the variable that it has read: hooks, what processes tell one another, and the same numbers in another shape
_HANDING_ON = ("c_", "mp_", "partial_", "py_func")
_SHAPING = ("flatten", "reshape", "squeeze", "unsqueeze")
# running statistics, which gradient operators are given and make nothing of
_STATISTICS = frozenset({"MeanOut", "VarianceOut"})


def mark(region: Region, block: Block) -> None:
    """Find the gradient operators that read a new value: `region.late`; have the region run by operators if there are some."""
    places = {id(op): i for i, op in enumerate(block.ops)}
    written: dict[str, list[int]] = defaultdict(list)
    for i, op in enumerate(block.ops[: region.last]):
        if not (op.type.startswith(_HANDING_ON) or op.role & OpRole.Optimize and in_place(op) or _reshapes(op)):
            for name in {*op.output_arg_names}:
                if not _is_array(block, name):
                    written[name].append(i)
    for op in region.ops:
        forward = op.forward
        if forward is None or id(forward) not in places or forward.type in _LINEAR:
            continue
        since, now = places[id(forward)], places[id(op)]
        read = {name for slot, names in op.inputs.items() if slot not in _STATISTICS for name in names}
        names = read & {*forward.input_arg_names, *forward.output_arg_names}
        if any(since < i < now for name in names for i in written.get(name, ())):
            region.late.add(id(op))
    if region.late or _made_twice(region, block):
        region.edited = region.edited or "variables are written again before their gradients are there"


def mark_counting(region: Region, block: Block, wanted: Collection[str]) -> None:
    """Have a region run by operators where it begins with integers, or somebody fetches the gradient of some: torch has none for them."""
    asked = {owner for name, owner in region.totals.items() if name in wanted} | {owner for owner, _ in region.targets}
    if not any(_counts(block, name) for name in asked):
        return
    for op in region.ops:
        if op.forward is not None and any(_counts(block, name) for name in (*op.forward.input_arg_names, *op.forward.output_arg_names)):
            region.late.add(id(op))
    region.edited = region.edited or "integers have gradients"


def _counts(block: Block, name: str) -> bool:
    """Whether it is a tensor of whole numbers."""
    var = block._find_var_recursive(name)
    return var is not None and var.type == VarType.LOD_TENSOR and not is_float(var.dtype)


def _made_twice(region: Region, block: Block) -> bool:
    """Whether two operators that the gradient goes through have made one variable."""
    seen: set[str] = set()
    for op in block.ops[: region.first]:
        if id(op) in region.forwards:
            names = {name for name in _made(op) & region.live if not _is_array(block, name)}
            if names & seen:
                return True
            seen |= names
    return False


def _is_array(block: Block, name: str) -> bool:
    """Whether the variable is an array, which operators write one place of."""
    var = block._find_var_recursive(name)
    return var is not None and var.type == VarType.LOD_TENSOR_ARRAY


def _made(op: Operator) -> set[str]:
    """What an operator makes anew: a counter that goes on is the same value to gradients."""
    return {*op.output_arg_names} - {EMPTY_VAR, *op.input_arg_names}


def _reshapes(op: Operator) -> bool:
    """Whether it writes the numbers that it has read, in another shape."""
    return op.type.startswith(_SHAPING) and not {*op.outputs.get("Out", ())}.isdisjoint(op.inputs.get("X", ()))


def in_place(op: Operator) -> bool:
    """Whether it writes into what it reads."""
    definition = find_op(op.type)
    return definition is not None and any(op.outputs.get(o) and op.outputs[o] == op.inputs.get(i) for o, i in definition.inplace.items())
