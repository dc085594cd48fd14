"""What Paddle's own code says of the gradient operators that it writes, where that is not what a layer's call would say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paddle_compat.core._grad_spec import GradSpec
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program

# operators of each age whose gradient has a slot, empty, for an input that was left out
_NAME_ABSENT = {
    1: {
        "bilinear_tensor_product", "conv2d", "conv2d_transpose", "depthwise_conv2d", "depthwise_conv2d_transpose", "group_norm", "gru",
        "gru_unit", "hierarchical_sigmoid", "layer_norm", "lstm", "lstmp", "nce",
    },
    2: {"group_norm", "instance_norm", "layer_norm", "set_value"},
}  # fmt: skip
# what the gradient operator leaves out where the operator has none
_NO_EMPTY = {"batch_norm_grad": "ReserveSpace", "sequence_conv_grad": "PaddingData"}
# ordinary operators that 2.x writes into a backward pass without the name scope
_WITHOUT_SCOPE = {"as_complex", "as_real", "conj", "flip"}
# what gradient operators lack that are no copies of their forward operators, and those of 1.8 among them
_LAYERS_SAY = {"op_callstack", "op_namescope", "op_role_var", "skip_eager_deletion_vars", "with_quant_attr"}
_BARE = {"bmm_grad", "mean_grad", "meshgrid_grad", "reorder_lod_tensor_by_rank_grad"}
# ordinary operators that in 1.8's backward passes say all that the operators say whose gradients they are
_SAY_ALL = {
    "array_to_lod_tensor", "expand", "lod_tensor_to_array", "merge_lod_tensor", "print", "read_from_array", "reduce_sum", "select_input",
    "select_output", "sequence_reverse", "slice", "split_lod_tensor", "write_to_array",
}  # fmt: skip


def differentiated(definition: Op, op: Operator) -> list[str]:
    """The input slots for whose gradients an operator's gradient has slots."""
    absent_too = op.type in _NAME_ABSENT[op.program.age]
    slots = [s.name for s in definition.differentiable(op.program.age)]
    return [s for s in slots if op.inputs.get(s) or (absent_too and s in op.inputs)]


def settle(op: Operator, spec: GradSpec) -> None:
    """Describe an operator of a backward pass as the wheels do.

    Args:
        op: the operator, just appended.
        spec: what it was made from.
    """
    age, forward = op.program.age, spec.forward
    left_out = _NO_EMPTY.get(op.type, "")
    if (age == 1 or op.type == "sequence_conv_grad") and not op.inputs.get(left_out, [True]):
        del op.inputs[left_out]
    if op.type == "conditional_block_grad" or (age == 1 and op.type in _BARE):
        op._listed = frozenset(op.attr_names) - _LAYERS_SAY
    if find_op(spec.type) is None or spec.attrs.get("_recompute") is not None:
        return
    # an ordinary operator has the slots that its maker names, and in 1.8 the attributes that were given
    op.inputs = {slot: op.inputs.get(slot, []) for slot in sorted(spec.inputs)}
    if age > 1 and op.type in _WITHOUT_SCOPE:
        op.attrs["op_namescope"] = ""
    if forward is not None and forward.type == "split" and op.type == "concat":  # which has all attributes of the split
        op.attrs.update({name: forward.attr(name) for name in forward.attr_names if name not in op.attrs})
        op._listed = frozenset(forward.attr_names)
    elif age == 1 and op.type not in _SAY_ALL:
        said = {n for n in spec.attrs if not n.startswith("_")} - {"op_namescope"} | {"op_role", "op_device"}
        if op.type == "sum":
            op.attrs["use_mkldnn"] = False
            said.add("use_mkldnn")
        if op.type == "scale" and forward is not None and forward.type != "scale":
            said -= {"bias", "bias_after_scale"}
        op._listed = frozenset(said)


@contextmanager
def sorted_variables(program: Program) -> Iterator[None]:
    """Inside, a backward pass is written; 2.x lists the variables that it makes by name."""
    before = {id(block): set(block.vars) for block in program.blocks}
    yield
    for block in program.blocks if program.age > 1 else ():
        for name in sorted(block.vars.keys() - before.get(id(block), set())):
            block.vars[name] = block.vars.pop(name)
