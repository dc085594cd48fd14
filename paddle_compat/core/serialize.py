"""Programs as bytes: the `__model__` and `.pdmodel` files of Paddle, read into Programs and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from numbers import Integral, Real
from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType, var_type
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator, OpRole
from paddle_compat.core.program import Block, Program
from paddle_compat.core.proto import ATTR_FIELD, AttrType, Message, decode, encode, file_error
from paddle_compat.core.variable import Parameter, Variable

# What the wheels of each age write into the description's `version`.
WRITTEN_VERSION = {1: 1008005, 2: 2006002}

# Which revision of each operator's schema 2.6 writes, as "revision: types"; readers convert what has none.
_OP_VERSIONS = {
    1: (
        "affine_grid auc clip collect_fpn_proposals conv2d conv3d conv3d_transpose cudnn_lstm cumsum data_norm "
        "depthwise_conv2d depthwise_conv2d_transpose dequantize elementwise_add elementwise_div elementwise_mul "
        "elementwise_pow elementwise_sub equal fake_channel_wise_quantize_abs_max flip gather generate_proposals_v2 "
        "greater_equal greater_than grid_sampler hard_shrink instance_norm lamb leaky_relu less_equal less_than "
        "linspace lookup_table lookup_table_v2 lstsq matmul matrix_nms mish momentum not_equal p_norm pixel_shuffle "
        "print rank_attention requantize seed send_and_recv softplus trace transfer_layout unique_consecutive "
        "yolo_box"
    ),
    2: (
        "allclose coalesce_tensor conv2d_transpose distribute_fpn_proposals fake_channel_wise_dequantize_max_abs "
        "fill_constant generate_proposal_labels generate_proposals moving_average_abs_max_scale quantize roi_pool "
        "roll"
    ),
    3: "roi_align",
    4: "set_value",
}

# Attributes whose kind their value does not tell: a list may be empty, an int may stand for a long. "op.attr" holds for
# one operator, "@2" since Paddle 2.x only.
_ATTR_KINDS = {
    AttrType.LONG: (
        "arg_max.axis arg_min.axis as_strided.offset assert.summarize bins blocksize fill_diagonal_tensor.offset "
        "last_dim_size max_average_window min_average_window min_row_size_to_use_multithread mod_by "
        "nll_loss.ignore_index num_columns num_rows out_val_if_empty padding_idx program_id seek "
        "index_select_strided.index tensor_unfold.axis tensor_unfold.size tensor_unfold.step total_steps vocab_size "
        "warmup_steps"
    ),
    AttrType.LONGS: (
        "as_strided.dims as_strided.stride data.shape decrease_axes empty.shape fft_c2c.axes fft_c2r.axes "
        "fft_r2c.axes fill_constant.shape full_int_array.value gaussian_random.shape height_sections int64_values "
        "load.shape none_axes randint.shape reduce_all.dim@2 reduce_amax.dim reduce_amin.dim reduce_any.dim@2 "
        "roll.axis roll.dims send.sections set_value.axes set_value.ends set_value.shape set_value.starts shifts "
        "steps uniform_random.shape view_shape.dims"
    ),
    AttrType.FLOATS: (
        "anchor_generator.stride anchor_sizes aspect_ratios bbox_reg_weights fill.value fixed_ratios fixed_sizes "
        "fp32_values lars_weight_decay max_sizes min_sizes regularization_coeff scale scale_weights scale_y variance "
        "variances"
    ),
    AttrType.STRINGS: (
        "backward_skip_vars endpoints epmap ex_states grad_to_block_id names next_endpoints op_callstack op_role_var "
        "other_endpoints prefetch_var_name_to_block_id previous_endpoints recv_varnames remote_varnames send_varnames "
        "skip_eager_deletion_vars slice_varnames sparse_grad_to_param states table_names varnames"
    ),
    AttrType.FLOAT64S: "fp64_values",
    AttrType.SCALARS: "assign_value.values set_value.values",
}

# What 2.6 leaves out of inference models: attributes, and outputs that only training reads, each with the operators.
_TRAINING_ATTRS = {
    "fix_seed": "dropout dropout_nd",
    "seed": "dropout dropout_nd randperm",
    "is_test": (
        "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose gru layer_norm lrn pool2d prelu "
        "softmax"
    ),
    "data_format": "sequence_softmax softmax transpose2",
    "is_sparse": "lookup_table_v2",
    "is_distributed": "lookup_table_v2",
    "remote_prefetch": "lookup_table_v2",
    "threshold": "relu6",
    "beta": "swish",
    "skip_eager_deletion_vars": "conditional_block while",
}
_TRAINING_SLOTS = {
    "XShape": "einsum flatten2 flatten_contiguous_range squeeze2 transpose2 unsqueeze2",
    "Mask": "dropout dropout_nd",
    "ReserveSpace": "batch_norm",
    "SavedMean": "instance_norm",
    "SavedVariance": "instance_norm",
    "Noise": "rrelu",
    "MedianIndex": "nanmedian",
    "Norm": "norm",
    "BatchGate": "gru lstm",
    "BatchCellPreAct": "lstm",
    "BatchResetHiddenPrev": "gru",
    "BatchHidden": "gru",
    "SampleLogits": "nce",
    "SampleLabels": "nce",
}

# What 1.8 wants to find on its operators before it runs a training program: choices among kernels, which do not change
# what is computed. Each value with its attribute and operators.
_KERNEL_CHOICES: tuple[tuple[Any, str, str], ...] = (
    (
        False,
        "use_cudnn",
        "abs ceil conv2d conv2d_transpose conv3d conv3d_transpose cos depthwise_conv2d depthwise_conv2d_transpose exp floor "
        "gelu log log1p logsigmoid pool2d pool3d reciprocal relu round rsqrt sequence_softmax sigmoid sin softmax softplus "
        "softsign sqrt square tanh tanh_shrink",
    ),
    (True, "use_cudnn", "affine_grid grid_sampler"),
    (
        False,
        "use_mkldnn",
        "abs addmm batch_norm ceil concat conv2d conv2d_transpose conv3d conv3d_transpose cos data_norm depthwise_conv2d "
        "depthwise_conv2d_transpose elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min "
        "elementwise_mod elementwise_mul elementwise_pow elementwise_sub exp floor gaussian_random gelu inplace_abn "
        "leaky_relu log log1p logsigmoid lrn matmul mul partial_sum pool2d pool3d prior_box reciprocal relu round rsqrt "
        "sigmoid sin softmax softplus softsign sqrt square sum swish tanh tanh_shrink transpose transpose2",
    ),
    (False, "use_quantizer", "concat conv2d depthwise_conv2d matmul pool2d prior_box reshape2 transpose transpose2"),
    (False, "is_test", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose pool2d"),
    (False, "exhaustive_search", "conv2d conv3d depthwise_conv2d"),
    (False, "force_fp32_output", "conv2d conv3d depthwise_conv2d matmul mul"),
    (False, "fuse_relu", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (False, "fuse_brelu", "conv2d depthwise_conv2d"),
    (False, "fuse_relu_before_depthwise_conv", "conv2d depthwise_conv2d"),
    (False, "fuse_residual_connection", "conv2d conv3d depthwise_conv2d"),
    (False, "fuse_with_relu", "batch_norm inplace_abn"),
    ("", "fuse_activation", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_alpha", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (0.0, "fuse_beta", "conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose"),
    (6.0, "fuse_brelu_threshold", "conv2d depthwise_conv2d"),
    (1.0, "Scale_in", "conv2d depthwise_conv2d"),
    (1.0, "Scale_in_eltwise", "conv2d depthwise_conv2d"),
    (1.0, "Scale_out", "conv2d depthwise_conv2d matmul"),
    ([1.0], "Scale_weights", "conv2d depthwise_conv2d"),
    (1.0, "scale_x", "mul"),
    ([1.0], "scale_y", "mul"),
    (1.0, "scale_out", "mul"),
    (
        512,
        "workspace_size_MB",
        "conv2d conv2d_transpose conv3d conv3d_transpose depthwise_conv2d depthwise_conv2d_transpose",
    ),
)

# Scalar's own type numbers and fields.
_SCALARS = {AttrType.BOOLEAN: (1, "b"), AttrType.INT: (2, "i"), AttrType.LONG: (2, "i"), AttrType.FLOAT: (3, "r")}

_TENSOR_FIELD = {VarType.LOD_TENSOR: "lod_tensor", VarType.LOD_TENSOR_ARRAY: "tensor_array"}
_PLAIN_FIELD = {VarType.SELECTED_ROWS: "selected_rows", VarType.STRINGS: "strings", VarType.VOCAB: "vocab"}
_INT32 = range(-(1 << 31), 1 << 31)
_FRAME = re.compile(r'\s*File "(.*)", line (\d+), in (.*)')


def program_to_bytes(program: Program, inference: bool = False) -> bytes:
    """Write a Program as the bytes of a `__model__` or `.pdmodel` file, in the spelling of the Paddle that it follows.

    Args:
        program: the Program.
        inference: leave out what only training needs, as Paddle 2.6 does in inference models.

    Returns:
        The bytes; real Paddle runs them.

    Raises:
        InvalidArgumentError: an attribute has a value that a file cannot hold.

    Example:
        >>> program_from_bytes(program_to_bytes(Program())).num_blocks
        1
    """
    desc: Message = {"blocks": [_block_desc(block, inference) for block in program.blocks]}
    desc["version"] = {"version": WRITTEN_VERSION[program.age]}
    if program.age == 2:
        versions = sorted((name, number) for number, names in _OP_VERSIONS.items() for name in names.split())
        desc["op_version_map"] = {
            "pair": [{"op_name": name, "op_version": {"version": number}} for name, number in versions]
        }
    return encode(desc, "ProgramDesc")


def program_from_bytes(data: bytes, source: str = "<bytes>") -> Program:
    """Read a Program from the bytes of a `__model__` or `.pdmodel` file.

    Args:
        data: the bytes.
        source: what an error calls them, usually the name of the file.

    Returns:
        The Program; its age follows the version of the Paddle that wrote it.

    Raises:
        InvalidArgumentError: the bytes are truncated or no Program; names source, offset and what belongs there.
    """
    desc = decode(data, "ProgramDesc", source)
    blocks = desc.get("blocks")
    if not blocks:
        raise file_error(source, 0, "a Program of at least one block", f"{len(data)} bytes without a block")
    program = Program()
    program.age = 1 if desc.get("version", {}).get("version", 0) < 2000000 else 2
    program.blocks = [Block(program, i, block["parent_idx"]) for i, block in enumerate(blocks)]
    for block, read in zip(program.blocks, blocks):
        if read["idx"] != block.idx or not -1 <= block.parent_idx < block.idx:
            raise file_error(
                source, 0, f"block {block.idx} inside an earlier one", f"block {read['idx']} in {block.parent_idx}"
            )
        block.forward_block_idx = read.get("forward_block_idx", -1)
        for var in read.get("vars", []):
            block.vars[var["name"]] = _read_var(block, var, source)
        for op in read.get("ops", []):
            block.ops.append(_read_op(block, op, source))
        _link_gradients(block)
    program._touch()
    return program


# ---- writing
def _block_desc(block: Block, inference: bool) -> Message:
    desc: Message = {"idx": block.idx, "parent_idx": block.parent_idx}
    desc["vars"] = [_var_desc(var, inference) for var in block.vars.values()]
    desc["ops"] = [_op_desc(op, inference) for op in block.ops]
    if block.forward_block_idx >= 0:
        desc["forward_block_idx"] = block.forward_block_idx
    return desc


def _var_desc(var: Variable, inference: bool) -> Message:
    kind: Message = {"type": int(var.type)}
    tensor = {"data_type": int(var.dtype), "dims": list(var.shape)}
    if var.type in _TENSOR_FIELD:
        kind[_TENSOR_FIELD[var.type]] = {"tensor": tensor, "lod_level": var.lod_level}
    elif var.type in _PLAIN_FIELD:
        kind[_PLAIN_FIELD[var.type]] = tensor
    desc = {"name": var.name, "type": kind, "persistable": var.persistable}
    if var.need_check_feed:
        desc["need_check_feed"] = True
    if var.block.program.age == 2 and not inference:
        desc["is_parameter"] = var.is_parameter
        desc["stop_gradient"] = var.stop_gradient
    return desc


def _op_desc(op: Operator, inference: bool) -> Message:
    age = op.program.age
    names, slots = op.attr_names, sorted(op.outputs)
    if inference:
        names = [n for n in names if n != "op_callstack" and op.type not in _TRAINING_ATTRS.get(n, "").split()]
        slots = [s for s in slots if op.type not in _TRAINING_SLOTS.get(s, "").split()]
    attrs = [_attr_desc(op, name, age) for name in names if op.attr(name) is not None]
    if age == 1:
        choices = _kernel_choices().get(_forward_type(op.type), {})
        attrs += [_typed(op.type, name, value, 1) for name, value in choices.items() if name not in op.attrs]
    if age == 2 and not inference and not op.has_attr("with_quant_attr"):
        attrs.append({"name": "with_quant_attr", "type": AttrType.BOOLEAN, "b": False})
    return {
        "inputs": [{"parameter": slot, "arguments": op.inputs[slot]} for slot in sorted(op.inputs)],
        "outputs": [{"parameter": slot, "arguments": op.outputs[slot]} for slot in slots],
        "type": op.type,
        "attrs": attrs,
    }


def _attr_desc(op: Operator, name: str, age: int) -> Message:
    value = op.attrs.get(name)
    return _typed(op.type, name, op.attr(name) if value is None else value, age)


def _typed(op: str, name: str, value: Any, age: int) -> Message:
    kind = attr_kind(op, name, value, age)
    if kind is None:
        expected = "a bool, number, str, Block or Variable, or a list of them"
        raise invalid_argument(f"{op}.{name}", expected, repr(value))
    if kind in (AttrType.BLOCK, AttrType.BLOCKS):
        value = [block.idx for block in value] if kind == AttrType.BLOCKS else value.idx
    elif kind in (AttrType.VAR, AttrType.VARS):
        value = [var.name for var in value] if kind == AttrType.VARS else value.name
    elif kind in (AttrType.SCALAR, AttrType.SCALARS):
        value = [_scalar_desc(item) for item in value] if kind == AttrType.SCALARS else _scalar_desc(value)
    return {"name": name, "type": kind, ATTR_FIELD[kind]: value}


def attr_kind(op: str, name: str, value: Any, age: int = 2) -> AttrType | None:
    """Tell as which kind Paddle stores an attribute.

    Args:
        op: the operator's type.
        name: the attribute's name.
        value: its value.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Returns:
        The kind; None when no kind can hold the value.

    Example:
        >>> attr_kind("fill_constant", "shape", []), attr_kind("scale", "scale", 2)
        (<AttrType.LONGS: 11>, <AttrType.FLOAT: 1>)
    """
    many = isinstance(value, (list, tuple))
    kinds = _attr_kinds()
    op = _forward_type(op)
    for key in (f"{op}.{name}@{age}", f"{op}.{name}", name):
        known = kinds.get(key)
        if known is not None and known.name.endswith("S") == many:
            return known
    if not many:
        default = _default(op, name)
        return AttrType.FLOAT if type(default) is float and isinstance(value, Real) else _value_kind(value)
    found = {_value_kind(item) for item in value} or {AttrType.INT}
    if len(found) > 1:  # an int may stand in a list of longs or floats
        found.discard(AttrType.INT)
    one = found.pop()
    return None if found or one is None else AttrType[one.name + "S"]


def _value_kind(value: Any) -> AttrType | None:
    if isinstance(value, (bool, np.bool_)):
        return AttrType.BOOLEAN
    if isinstance(value, Integral):
        return AttrType.INT if int(value) in _INT32 else AttrType.LONG
    if isinstance(value, Real):
        return AttrType.FLOAT
    if isinstance(value, (str, bytes)):
        return AttrType.STRING
    if isinstance(value, Block):
        return AttrType.BLOCK
    return AttrType.VAR if isinstance(value, Variable) else None


def _forward_type(op: str) -> str:
    """The operator whose attributes a gradient operator has; any other operator itself."""
    while op.endswith("_grad"):
        op = op[: -len("_grad")]
    return op


@cache
def _kernel_choices() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for value, name, ops in _KERNEL_CHOICES:
        for op in ops.split():
            found.setdefault(op, {})[name] = value
    return found


@cache
def _attr_kinds() -> dict[str, AttrType]:
    return {name: kind for kind, names in _ATTR_KINDS.items() for name in names.split()}


def _default(op: str, name: str) -> Any:
    definition = find_op(op)
    return definition.attrs.get(name) if definition else None


def _scalar_desc(value: Any) -> Message:
    if isinstance(value, complex):
        return {"type": 4, "c": {"r": value.real, "i": value.imag}}
    kind = _value_kind(value)
    if kind in _SCALARS:
        number, field = _SCALARS[kind]
        return {"type": number, field: value}
    raise invalid_argument("values", "a bool, int, float or complex", repr(value))


# ---- reading
def _read_var(block: Block, desc: Message, source: str) -> Variable:
    kind = desc["type"]
    number = kind["type"]
    shaped: Message = kind.get("lod_tensor") or kind.get("tensor_array") or {}
    plain = next((kind[field] for field in _PLAIN_FIELD.values() if field in kind), None)
    tensor = shaped.get("tensor", plain)
    given: dict[str, Any] = {"name": desc["name"], "lod_level": shaped.get("lod_level", 0)}
    given["persistable"] = desc.get("persistable", False)
    given["stop_gradient"] = desc.get("stop_gradient", False)
    given["is_data"] = given["need_check_feed"] = desc.get("need_check_feed", False)
    try:
        given["type"] = var_type(number)
        if tensor is not None:
            given.update(shape=tensor.get("dims", []), dtype=var_type(tensor["data_type"]))
    except KeyError as error:
        raise file_error(source, 0, f"a type of variable `{desc['name']}`", f"the number {error.args[0]}") from None
    if desc.get("is_parameter"):
        return Parameter(block, trainable=not given["stop_gradient"], **given)
    return Variable(block, **given)


def _read_op(block: Block, desc: Message, source: str) -> Operator:
    attrs = {attr["name"]: _read_attr(block, attr, desc["type"], source) for attr in desc.get("attrs", [])}
    stack = attrs.pop("op_callstack", [])
    attrs.pop("with_quant_attr", None)
    if block.program.age == 1:
        attrs.update(_first_age(desc["type"]))
    slots = [{s["parameter"]: s.get("arguments", []) for s in desc.get(part, [])} for part in ("inputs", "outputs")]
    op = Operator(block, desc["type"], slots[0], slots[1], attrs)
    for text in stack:
        frame = _FRAME.match(text)
        if frame:  # the last one is the line of the user who recorded the operator
            op._where = (frame[1], int(frame[2]), frame[3])
    for name in op.output_arg_names:
        var = block._find_var_recursive(name)
        if var is not None:
            var.op = op
    return op


def _first_age(op: str) -> dict[str, Any]:
    """The private switches of an operator as Paddle 1.x behaves: each boolean one on, random numbers by its engine."""
    definition = find_op(op)
    switches = {name: value for name, value in (definition.attrs if definition else {}).items() if name.startswith("_")}
    found: dict[str, Any] = {name: True for name, value in switches.items() if value is False}
    if "_engine" in switches:
        found["_engine"] = "minstd_rand"
    return found


def _read_attr(block: Block, desc: Message, op: str, source: str) -> Any:
    what = f"attribute `{desc['name']}` of an operator `{op}`"
    if desc["type"] not in AttrType.__members__.values():
        raise file_error(source, 0, f"a kind of {what}", f"the number {desc['type']}")
    kind = AttrType(desc["type"])
    value = desc.get(ATTR_FIELD[kind], [] if kind.name.endswith("S") else None)
    if value is None:
        raise file_error(source, 0, f"a value of {what}", "none")
    if kind in (AttrType.BLOCK, AttrType.BLOCKS):
        blocks = block.program.blocks
        found = [blocks[i] if 0 <= i < len(blocks) else None for i in (value if kind == AttrType.BLOCKS else [value])]
    elif kind in (AttrType.VAR, AttrType.VARS):
        found = [block._find_var_recursive(name) for name in (value if kind == AttrType.VARS else [value])]
    elif kind in (AttrType.SCALAR, AttrType.SCALARS):
        found = [_read_scalar(item) for item in (value if kind == AttrType.SCALARS else [value])]
    else:
        return value
    if None in found:
        raise file_error(source, 0, f"a block or variable of the Program as {what}", repr(value))
    return found if kind.name.endswith("S") else found[0]


def _read_scalar(desc: Message) -> Any:
    if "c" in desc:
        return complex(desc["c"]["r"], desc["c"]["i"])
    return next((desc[field] for field in ("b", "i", "r") if field in desc), False)


def _link_gradients(block: Block) -> None:
    """Say of gradient operators what `append_backward` says: which operator each differentiates, in which pass.

    A file does not tell, but the names in their slots do. A pass begins where its targets' gradients are filled in.
    """
    owners: dict[str, str] = {}  # gradient name -> forward name
    for i, op in enumerate(block.ops):
        if "_grad" in op.type:
            op.forward = next((f for f in _candidates(block, i, op.type) if _differentiates(op, f)), None)
        if op.forward is not None:
            for slots, sources in ((op.inputs, op.forward.outputs), (op.outputs, op.forward.inputs)):
                for slot, names in slots.items():
                    if slot.endswith(GRAD_SUFFIX):
                        pairs = zip(names, sources.get(slot.removesuffix(GRAD_SUFFIX), []))
                        owners.update((name, source) for name, source in pairs if name != EMPTY_VAR)
    for op in block.ops:
        if op.type == "sum" and op.input("X")[0] in owners:
            owners.setdefault(op.output("Out")[0], owners[op.input("X")[0]])
    region, filling = -1, False
    for op in block.ops:
        grads = {name: owners[name] for name in (*op.input_arg_names, *op.output_arg_names) if name in owners}
        if not grads or not op.role & OpRole.Backward:
            continue
        if op.forward is None and op.type != "sum":
            region, filling = region - (not filling), True
        else:
            filling = False
        op.attrs["_region"], op.attrs["_grads"] = region, grads
        op.attrs["_written"] = (tuple(op.input_arg_names), tuple(op.output_arg_names))


def _candidates(block: Block, before: int, grad_type: str) -> Iterator[Operator]:
    homes = [block.ops[:before]]
    if block.forward_block_idx >= 0:
        homes.append(block.program.blocks[block.forward_block_idx].ops)
    for ops in homes:
        for op in reversed(ops):
            definition: Op | None = op.definition
            if grad_type == (definition.grad_type if definition else op.type + "_grad"):
                yield op


def _differentiates(op: Operator, forward: Operator) -> bool:
    """Whether every slot of the forward operator that the gradient operator reads, or writes a gradient of, fits."""
    slots = {**forward.inputs, **forward.outputs}
    for slot, names in op.inputs.items():
        if slot in slots and names != slots[slot]:
            return False
    for slot, names in op.outputs.items():
        sources = forward.inputs.get(slot.removesuffix(GRAD_SUFFIX), [])
        for name, source in zip(names, sources):
            if name != EMPTY_VAR and not name.startswith(source + GRAD_SUFFIX):
                return False
    return True
