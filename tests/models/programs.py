"""Programs as plain values: what a real wheel recorded, what ours built, and the first place where they differ."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator

Plain = Dict[str, Any]

# written by the framework about itself, counted over a whole process, or compared under a name of their own
UNCOMPARED = ("op_callstack", "op_role", "op_role_var", "__op_role__", "forward_callable_id", "backward_callable_id")


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
    # a name scope counts how often it was entered since the process started
    if "op_namescope" in attributes:
        attributes["op_namescope"] = re.sub(r"_\d+(?=/)", "", attributes["op_namescope"])
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


# the wheels list the variables of a block in the order of a Python set, which changes from run to run
UNORDERED = ("while", "while_grad", "conditional_block", "conditional_block_grad", "recurrent", "recurrent_grad")


def slots(op: Plain, side: str) -> Plain:
    """The variables in each slot of an operator, sorted where the wheels have no order."""
    return {slot: sorted(names) if op["type"] in UNORDERED else names for slot, names in op[side].items()}


def around(types: list[str], index: int) -> str:
    """The types of the operators near an index, with that one in brackets."""
    near = range(max(0, index - 3), min(len(types), index + 4))
    return " ".join(f"[{types[i]}]" if i == index else types[i] for i in near) or "nothing"


def operator_differences(expected: list[Plain], received: list[Plain]) -> Iterator[str]:
    """Where the operators of two programs differ: in type, slots or role."""
    if len(expected) != len(received):
        yield f"expected {len(expected)} blocks, received {len(received)}"
    for b, (wanted, got) in enumerate(zip(expected, received)):
        yield from block_differences(b, wanted, got)


def block_differences(b: int, wanted: Plain, got: Plain) -> Iterator[str]:
    """Where the operators of one block differ."""
    types, ours = [[op["type"] for op in block["ops"]] for block in (wanted, got)]
    if wanted["parent"] != got["parent"]:
        yield f"block {b}: expected parent {wanted['parent']}, received {got['parent']}"
    for i in range(max(len(types), len(ours))):
        if types[i : i + 1] != ours[i : i + 1]:
            yield f"block {b}, op {i}:\n  expected {around(types, i)}\n  received {around(ours, i)}"
            return
        left, right = wanted["ops"][i], got["ops"][i]
        for side in ("inputs", "outputs"):
            if slots(left, side) != slots(right, side):
                yield (
                    f"block {b}, op {i} ({types[i]}), {side}:\n  expected {left[side]}\n  received {right[side]}\n"
                    f"  among {around(types, i)}"
                )
        for key in ("role", "role_var"):
            if left[key] != right[key]:
                yield f"block {b}, op {i} ({types[i]}), {key}: expected {left[key]!r}, received {right[key]!r}"


def variable_differences(expected: list[Plain], received: list[Plain]) -> Iterator[str]:
    """Where the variables of two programs differ: in name, then in what is known about them."""
    for b, (wanted, got) in enumerate(zip(expected, received)):
        left, right = wanted["vars"], got["vars"]
        if left.keys() != right.keys():
            missing, extra = sorted(left.keys() - right.keys()), sorted(right.keys() - left.keys())
            yield f"block {b}: missing variables {missing[:8]}, unexpected variables {extra[:8]}"
        for name in sorted(left.keys() & right.keys()):
            for key, value in left[name].items():
                if value != right[name].get(key):
                    yield f"block {b}, variable {name}, {key}: expected {value!r}, received {right[name].get(key)!r}"


def same_attribute(wanted: Any, got: Any) -> bool:
    """Whether two attributes are equal; the wheels keep floats in 32 bits."""
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(same_attribute, wanted, got))
    if isinstance(wanted, float) or isinstance(got, float):
        return isinstance(got, (int, float)) and abs(wanted - got) <= 1e-6 * abs(wanted) + 1e-38
    return bool(wanted == got)


def attribute_differences(expected: list[Plain], received: list[Plain]) -> Iterator[str]:
    """Where an attribute that both have differs, operator by operator."""
    for b, (wanted, got) in enumerate(zip(expected, received)):
        for i, (left, right) in enumerate(zip(wanted["ops"], got["ops"])):
            if left["type"] != right["type"]:
                break
            for key in sorted(left["attrs"].keys() & right["attrs"].keys()):
                if not same_attribute(left["attrs"][key], right["attrs"][key]):
                    yield (
                        f"block {b}, op {i} ({left['type']}), attribute {key}: "
                        f"expected {left['attrs'][key]!r}, received {right['attrs'][key]!r}"
                    )
