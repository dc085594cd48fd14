"""Programs as bytes: the `__model__` and `.pdmodel` files of Paddle, read into Programs and written from them."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from importlib import import_module
from typing import Any

from paddle_compat.core._kernel_attributes import kernel_choices, unlisted
from paddle_compat.core._second_order import second_order
from paddle_compat.core.attributes import attr_kind, only_training, value_kind
from paddle_compat.core.dtype import VarType, var_type
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, GENERIC_ATTRS, GRAD_SUFFIX, Operator, OpRole
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


# What to use instead of a model of Paddle 3.x that asks for what is not there.
SAVED_AS_PDMODEL = "the model saved as .pdmodel, by Paddle 2.x or by 3.x with FLAGS_enable_pir_api=0 in the environment,"
# Scalar's own type numbers and fields.
_SCALARS = {AttrType.BOOLEAN: (1, "b"), AttrType.INT: (2, "i"), AttrType.LONG: (2, "i"), AttrType.FLOAT: (3, "r")}

_TENSOR_FIELD = {VarType.LOD_TENSOR: "lod_tensor", VarType.LOD_TENSOR_ARRAY: "tensor_array"}
_PLAIN_FIELD = {VarType.SELECTED_ROWS: "selected_rows", VarType.STRINGS: "strings", VarType.VOCAB: "vocab"}
_ORDINARY = ""  # stands for the type of gradient operators that are ordinary operators, as a scale's are
_PADDLES = "site-packages/paddle/"  # files of the real one, which wrote the operator for the user
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
    desc["version"] = {"version": WRITTEN_VERSION[program.age] if program._file_version is None else program._file_version}
    if program.age == 2:
        versions = sorted((name, number) for number, names in _OP_VERSIONS.items() for name in names.split())
        desc["op_version_map"] = {"pair": [{"op_name": name, "op_version": {"version": number}} for name, number in versions]}
    return encode(desc, "ProgramDesc")


def model_file(prefix: str) -> str:
    """The file of a model: `PREFIX.pdmodel`, or `PREFIX.json` of Paddle 3.x where only that is there."""
    path = prefix + ".pdmodel"
    return prefix + ".json" if not os.path.exists(path) and os.path.exists(prefix + ".json") else path


def program_from_bytes(data: bytes, source: str = "<bytes>") -> Program:
    """Read a Program from the bytes of a `__model__` or `.pdmodel` file, or of a `.json` file of Paddle 3.x.

    Args:
        data: the bytes.
        source: what an error calls them, usually the name of the file.

    Returns:
        The Program; its age follows the version of the Paddle that wrote it.

    Raises:
        InvalidArgumentError: the bytes are truncated or no Program; names source, offset and what belongs there.
        UnsupportedError: it is a model of Paddle 3.x, which is JSON, with an operator that is not there.
    """
    if data[:1] == b"{":
        of_paddle3: Program = import_module("paddle_compat.pir._models").program_from_json(data, source)
        return of_paddle3
    desc = decode(data, "ProgramDesc", source)
    blocks = desc.get("blocks")
    if not blocks:
        raise file_error(source, 0, "a Program of at least one block", f"{len(data)} bytes without a block")
    program = Program()
    program.age = 1 if desc.get("version", {}).get("version", 0) < 2000000 else 2
    program.blocks = [Block(program, i, block["parent_idx"]) for i, block in enumerate(blocks)]
    for block, read in zip(program.blocks, blocks):
        if read["idx"] != block.idx or not -1 <= block.parent_idx < block.idx:
            raise file_error(source, 0, f"block {block.idx} inside an earlier one", f"block {read['idx']} in {block.parent_idx}")
        block.forward_block_idx = read.get("forward_block_idx", -1)
        found = read.get("vars", [])
        for var in found if program.age == 1 else sorted(found, key=lambda var: str(var["name"])):  # as 2.6 lists them
            block.vars[var["name"]] = _read_var(block, var, source)
        for op in read.get("ops", []):
            block.ops.append(_read_op(block, op, source))
        _link_gradients(block)
    program._touch()
    return program


# ---- writing
def _block_desc(block: Block, inference: bool) -> Message:
    desc: Message = {"idx": block.idx, "parent_idx": block.parent_idx}
    desc["vars"] = [var_desc(var, inference) for var in block.vars.values()]
    desc["ops"] = [op_desc(op, inference) for op in block.ops]
    if block.forward_block_idx >= 0:
        desc["forward_block_idx"] = block.forward_block_idx
    return desc


def var_desc(var: Variable, inference: bool = False) -> Message:
    """A variable as files describe it."""
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
    if var.block.program.age == 1 or not inference:
        leave_out_unset(var, desc)
    if noted := var.__dict__.get("_desc_attrs"):
        desc["attrs"] = [_var_attr_desc(name, noted[name]) for name in sorted(noted)]
    return desc


def _var_attr_desc(name: str, value: Any) -> Message:
    kind = AttrType.STRING if isinstance(value, str) else AttrType.INTS if isinstance(value, list) else AttrType.INT
    return {"name": name, "type": int(kind), ATTR_FIELD[kind]: value}


def leave_out_unset(var: Variable, desc: Message) -> None:
    """Take the fields that nobody set out of a variable's description."""
    if not (var._persistable_given or var.persistable or var.is_data):
        desc.pop("persistable", None)
    if not var.is_parameter:
        desc.pop("is_parameter", None)
    if var._gradients_unset:
        desc.pop("stop_gradient", None)
    tensor = desc["type"].get("lod_tensor") or desc["type"].get("tensor_array")
    if tensor is not None and not (var.lod_level or var._lod_given or _shares_lod(var)):
        tensor.pop("lod_level", None)


def _shares_lod(var: Variable) -> bool:
    """Whether an operator hands its input's level on to the variable, which updates of parameters don't."""
    op = var.op
    if op is None or op.definition is None or op.definition.lod is None or not op.input_arg_names or var.name.endswith(GRAD_SUFFIX):
        return False
    return not op.definition.inplace and var.name in op.outputs.get(op.definition.outputs[0].name, ())


def block_desc(block: Block) -> Message:
    """A block as files describe it."""
    return _block_desc(block, False)


def op_desc(op: Operator, inference: bool = False) -> Message:
    """An operator as files describe it."""
    age = op.program.age
    listed, slots = op.attr_names, sorted(op.outputs)
    names = [*sorted(op._unlisted.keys() - set(listed)), *listed]
    if inference:
        names = [name for name in listed if not only_training(op.type, name, op.attrs.get(name))]
        slots = [slot for slot in slots if not only_training(op.type, slot)]
    attrs = [_attr_desc(op, name, age) for name in names if op.attrs.get(name) is not None or op.attr(name) is not None]
    return {
        "inputs": [{"parameter": slot, "arguments": op.inputs[slot]} for slot in sorted(op.inputs)],
        "outputs": [{"parameter": slot, "arguments": op.outputs[slot]} for slot in slots],
        "type": op.type,
        "attrs": attrs,
    }


def _attr_desc(op: Operator, name: str, age: int) -> Message:
    value = op.attrs.get(name)
    return _typed(op.type, name, op.attr(name) if value is None else value, age, op.attrs.get("_kinds", {}).get(name))


def _typed(op: str, name: str, value: Any, age: int, kind: AttrType | None = None) -> Message:
    kind = attr_kind(op, name, value, age) if kind is None else kind
    if kind is None:
        expected = "a bool, number, str, Block or Variable, or a list of them"
        raise invalid_argument(f"{op}.{name}", expected, repr(value))
    if kind.name.endswith("S") and not isinstance(value, (list, tuple)):
        value = [value]
    if kind in (AttrType.BLOCK, AttrType.BLOCKS):
        value = [block.idx for block in value] if kind == AttrType.BLOCKS else value.idx
    elif kind in (AttrType.VAR, AttrType.VARS):
        value = [var.name for var in value] if kind == AttrType.VARS else value.name
    elif kind in (AttrType.SCALAR, AttrType.SCALARS):
        value = [_scalar_desc(item) for item in value] if kind == AttrType.SCALARS else _scalar_desc(value)
    return {"name": name, "type": kind, ATTR_FIELD[kind]: value}


def _scalar_desc(value: Any) -> Message:
    if isinstance(value, complex):
        return {"type": 4, "c": {"r": value.real, "i": value.imag}}
    kind = value_kind(value)
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
    given: dict[str, Any] = {"name": desc["name"], "lod_level": shaped.get("lod_level")}
    given["persistable"] = desc.get("persistable")
    given["stop_gradient"] = desc.get("stop_gradient", False)
    given["is_data"] = given["need_check_feed"] = desc.get("need_check_feed", False)
    try:
        given["type"] = var_type(number)
        if tensor is not None:
            given.update(shape=tensor.get("dims", []), dtype=var_type(tensor["data_type"]))
    except KeyError as error:
        raise file_error(source, 0, f"a type of variable `{desc['name']}`", f"the number {error.args[0]}") from None
    made = Parameter(block, trainable=not given["stop_gradient"], **given) if desc.get("is_parameter") else Variable(block, **given)
    for noted in desc.get("attrs", []):
        field = ATTR_FIELD[AttrType(noted["type"])]
        made._set_attr(noted["name"], noted.get(field, [] if field == "ints" else 0))
    return made


def _read_op(block: Block, desc: Message, source: str) -> Operator:
    attrs = {attr["name"]: _read_attr(block, attr, desc["type"], source) for attr in desc.get("attrs", [])}
    stack = attrs.pop("op_callstack", [])
    quantized = {"with_quant_attr"} & attrs.keys()
    if not attrs.get("with_quant_attr"):
        attrs.pop("with_quant_attr", None)
    if not isinstance(attrs.get("op_role", 0), int) or not isinstance(stack, list):
        raise file_error(source, 0, f"a role and a call stack of an operator `{desc['type']}`", f"{attrs} and {stack}")
    definition = find_op(desc["type"])
    if definition is not None and block.program.age == 1:
        attrs.update(definition.first_age)
    slots = [{s["parameter"]: s.get("arguments", []) for s in desc.get(part, [])} for part in ("inputs", "outputs")]
    op = Operator(block, desc["type"], slots[0], slots[1], attrs)
    listed = {*attrs, *GENERIC_ATTRS, *quantized}
    op._listed = frozenset(listed - (unlisted(op.type, block.program.age).keys() - kernel_choices(op.type, block.program.age).keys()))
    frames = [(frame[1], int(frame[2]), frame[3]) for frame in map(_FRAME.match, stack) if frame]
    if frames:
        inner_first = frames if block.program.age == 1 else frames[::-1]
        op._calls = tuple([call for call in inner_first if _PADDLES not in call[0]] or inner_first)
    for name in op.output_arg_names:
        var = block._find_var_recursive(name)
        if var is not None:
            var.op = op
    return op


def operator_from_bytes(data: bytes, age: int) -> Operator:
    """The operator that an encoded `OpDesc` describes, in a Program of its own.

    Args:
        data: the message.
        age: 1: as Programs of Paddle 1.8 hold it; 2: as those of 2.x do.
    Returns:
        The operator; no block lists it.
    Raises:
        InvalidArgumentError: the bytes are no such message.
    """
    program = Program()
    program.age = age
    return _read_op(program.global_block(), decode(data, "OpDesc", "of an operator"), "of an operator")


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
    if block.forward_block_idx >= 0:  # the gradient of a body, which the operator that owns the body computes
        return
    owners: dict[str, str] = {}  # gradient name -> forward name
    earlier: dict[str, list[Operator]] = defaultdict(list)  # type of gradient operator -> operators it may belong to
    for op in block.ops:
        fits = _differentiates if earlier[op.type] else _hands_back
        candidates = earlier[op.type] or (earlier[_ORDINARY] if op.role & OpRole.Backward and op.type != "sum" else [])
        op.forward = next((forward for forward in reversed(candidates) if fits(op, forward)), None)
        earlier[_grad_type(op)].append(op)
        if op.forward is not None:
            owners.update({grad: name for grad, name in _owners(op, op.forward).items() if name is not None})
    for op in block.ops:
        if op.type == "shape" and op.role & OpRole.Backward:  # what a seed of 1.8 takes its size from
            owners.update({name: name for name in op.output_arg_names})
        if op.type == "sum" and op.input("X")[0] in owners:
            owners.setdefault(op.output("Out")[0], owners[op.input("X")[0]])
    _mark_passes(block, owners)


def _mark_passes(block: Block, owners: dict[str, str]) -> None:
    """Leave the marks by which `engine.regions` tells an untouched backward pass from an edited one."""
    region, filling = -1, False
    written: set[str] = set()
    for op in block.ops:
        grads = {name: owners[name] for name in (*op.input_arg_names, *op.output_arg_names) if name in owners}
        zero = op.type in ("fill_zeros_like", "fill_any_like") and not op.attrs.get("value")
        if grads and op.role & OpRole.Backward:
            if op.forward is None and op.type != "sum" and not zero:
                region, filling = region - (not filling), True
            else:
                filling = False
            op.attrs["_region"], op.attrs["_grads"] = region, grads
            op.attrs["_written"] = (tuple(op.input_arg_names), tuple(op.output_arg_names))
            if op.forward is not None:  # earlier gradients that it reads are plain values to it
                own = _owners(op, op.forward)
                op.attrs["_grads"] = grads = {n: owner for n, owner in grads.items() if n in own}
            if zero:
                op.attrs["_zero"] = True
            absent = [n for n in op.input_arg_names if n in grads and n == grads[n] + GRAD_SUFFIX and n not in written]
            if absent:  # nothing depends on these outputs of the forward operator
                op.attrs["_zeros"] = absent
                kept = {*grads} - {*absent} | {*op.output_arg_names}  # a loop writes what it reads under one name
                op.attrs["_grads"] = {n: owner for n, owner in grads.items() if n in kept}
        written.update(op.output_arg_names)


def _forward_name(grad: str) -> str:
    """The variable that a gradient's name says it is of; other names themselves."""
    name = re.sub(r"@RENAME@block\d+@\d+$", "", grad)  # a part; the gradient of a part has the mark inside
    if GRAD_SUFFIX not in name:
        return name
    while name.startswith("grad/"):  # a later pass over the same operators
        name = name.removeprefix("grad/")
    return name[: name.rindex(GRAD_SUFFIX)]


def _grad_type(op: Operator) -> str:
    second = second_order(op)
    if second is not None:
        return second.type
    definition = op.definition
    if definition is not None and definition.grad_maker is not None and not definition.grad_slots(op.block.program.age):
        return _ORDINARY
    return definition.grad_type if definition is not None else op.type + "_grad"


def _differentiates(op: Operator, forward: Operator) -> bool:
    """Whether what a gradient operator reads and writes fits the slots of the forward operator."""
    slots = {**forward.inputs, **forward.outputs}
    second = second_order(forward)
    if second is not None:
        owners = _owners(op, forward)
        values = (s for s in second.reads.keys() & op.inputs.keys() if s not in second.gradients)
        same = all(op.inputs[s] == slots.get(second.reads[s], []) for s in values)
        return bool(op.role & OpRole.Backward and owners and same) and None not in owners.values()
    if any(slot in slots and names != slots[slot] for slot, names in op.inputs.items()):
        return False
    return None not in _owners(op, forward).values()


def _hands_back(op: Operator, forward: Operator) -> bool:
    """Whether an ordinary operator makes the gradients of the forward operator's inputs from those of its outputs."""
    read = [_forward_name(name) for name in op.input_arg_names if GRAD_SUFFIX in name]
    written = [_forward_name(name) for name in op.output_arg_names if name != EMPTY_VAR]
    return (
        any(name in forward.output_arg_names for name in read)
        and all(name in forward.input_arg_names for name in written)
        and all(GRAD_SUFFIX in name for name in op.output_arg_names if name != EMPTY_VAR)
    )


def _owners(op: Operator, forward: Operator) -> dict[str, str | None]:
    """The gradients in a gradient operator's slots, each with the variable that it is of; None: with none that fits."""
    if _grad_type(forward) == _ORDINARY:
        return {n: _forward_name(n) for n in (*op.input_arg_names, *op.output_arg_names) if GRAD_SUFFIX in n}
    found: dict[str, str | None] = {}
    second = second_order(forward)
    if second is not None:
        reads = {slot: second.reads[slot] for slot in second.gradients}
        for own, others, sources_of in ((op.inputs, forward.outputs, reads), (op.outputs, forward.inputs, second.writes)):
            for slot, source in sources_of.items():
                for name, of in zip(own.get(slot, []), others.get(source, [])):
                    if name != EMPTY_VAR:
                        found[name] = of if GRAD_SUFFIX not in name or _forward_name(name) == of else None
        return found
    for own, others in ((op.inputs, forward.outputs), (op.outputs, forward.inputs)):
        for slot, names in own.items():
            sources = others.get(slot.removesuffix(GRAD_SUFFIX), [])
            for i, name in enumerate(names if slot.endswith(GRAD_SUFFIX) and sources else []):
                if GRAD_SUFFIX in name:
                    found[name] = _forward_name(name) if _forward_name(name) in sources else None
                elif name != EMPTY_VAR and i < len(sources) and name != sources[i]:
                    found[name] = sources[i]  # a gradient that the user gave has a name of its own
    return found
