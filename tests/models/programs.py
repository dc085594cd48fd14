"""Programs as plain values: what a real wheel recorded, what ours built, and the first place where they differ."""

from __future__ import annotations

from typing import Any, Dict

Plain = Dict[str, Any]

# written by the framework about itself, or compared under a name of their own
UNCOMPARED = ("op_callstack", "op_role", "op_role_var", "__op_role__")


def dtype_name(dtype: Any) -> str:
    """The numpy name of a dtype, however it is spelled."""
    name = str(dtype).rsplit(".", 1)[-1].lower()
    short = {"fp16": "float16", "fp32": "float32", "fp64": "float64", "bf16": "bfloat16"}
    return short.get(name, name)


def plain_attribute(value: Any) -> Any:
    """An attribute as JSON holds it; blocks and variables become their index and their name."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain_attribute(item) for item in value]
    for kind in ("idx", "id", "name"):
        found = getattr(value, kind, None)
        if found is not None:
            return {"name" if kind == "name" else "block": found() if callable(found) else found}
    return str(value)


def plain_op(op: Any) -> Plain:
    """One operator."""
    attributes = {}
    for name in sorted(op.attr_names):
        if name not in UNCOMPARED:
            is_block = name == "sub_block"
            attributes[name] = {"block": op._block_attr_id(name)} if is_block else plain_attribute(op.attr(name))
    return {
        "type": op.type,
        "inputs": {slot: list(op.input(slot)) for slot in op.input_names if op.input(slot)},
        "outputs": {slot: list(op.output(slot)) for slot in op.output_names if op.output(slot)},
        "role": int(op.attr("op_role")) if "op_role" in op.attr_names else 0,
        "role_var": list(op.attr("op_role_var")) if "op_role_var" in op.attr_names else [],
        "attrs": attributes,
    }


def plain_var(var: Any) -> Plain:
    """One variable; what a kind of variable has no answer for is left out."""
    kind = str(var.type).rsplit(".", 1)[-1].upper()
    about: Plain = {
        "type": kind,
        "persistable": bool(var.persistable),
        "stop_gradient": bool(var.stop_gradient),
        "parameter": hasattr(var, "trainable"),
    }
    if kind in ("LOD_TENSOR", "SELECTED_ROWS", "LOD_TENSOR_ARRAY"):
        about["shape"] = list(var.shape)
        about["dtype"] = dtype_name(var.dtype)
    if kind in ("LOD_TENSOR", "LOD_TENSOR_ARRAY"):
        about["lod_level"] = var.lod_level
    return about


def plain_program(program: Any) -> list[Plain]:
    """A program as a list of its blocks."""
    return [
        {
            "parent": block.parent_idx,
            "ops": [plain_op(op) for op in block.ops],
            "vars": {name: plain_var(block.vars[name]) for name in sorted(block.vars)},
        }
        for block in program.blocks
    ]
