"""What Paddle's own code says of the gradient operators that it writes, where that is not what a layer's call would say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paddle_compat.core._grad_spec import GradSpec
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program

# operators of 1.8 whose gradient has a slot, empty, for an input that was left out
_NAME_ABSENT = frozenset(
    {"conv2d", "conv2d_transpose", "depthwise_conv2d", "depthwise_conv2d_transpose", "group_norm", "layer_norm"}
)


def differentiated(definition: Op, op: Operator) -> list[str]:
    """The input slots for whose gradients an operator's gradient has slots."""
    absent_too = op.program.age == 1 and op.type in _NAME_ABSENT
    slots = [s.name for s in definition.differentiable(op.program.age)]
    return [s for s in slots if op.inputs.get(s) or (absent_too and s in op.inputs)]


def settle(op: Operator, spec: GradSpec) -> None:
    """Describe an operator of a backward pass as the wheels do.

    Args:
        op: the operator, just appended.
        spec: what it was made from.
    """
    if op.type == "batch_norm_grad" and op.program.age == 1 and not op.inputs["ReserveSpace"]:
        del op.inputs["ReserveSpace"]
    if find_op(spec.type) is None or spec.attrs.get("_recompute") is not None:
        return
    # an ordinary operator has the slots that were filled, and in 1.8 the attributes that were given
    if spec.forward is None or spec.forward.type not in ("scale", "split"):
        op.inputs = {slot: op.inputs[slot] for slot in spec.inputs}
    if op.program.age == 1 and not spec.attrs.get("op_callstack"):
        op._listed = frozenset({n for n in spec.attrs if not n.startswith("_")} - {"op_namescope"} | {"op_role", "op_device"})


@contextmanager
def sorted_variables(program: Program) -> Iterator[None]:
    """Inside, a backward pass is written; 2.x lists the variables that it makes by name."""
    before = {id(block): set(block.vars) for block in program.blocks}
    yield
    for block in program.blocks if program.age > 1 else ():
        for name in sorted(block.vars.keys() - before.get(id(block), set())):
            block.vars[name] = block.vars.pop(name)
