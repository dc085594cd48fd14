"""Programs and their parts as Paddle prints their descriptions: protobuf's text, with details of Python's side if asked."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_compat.core import serialize
from paddle_compat.core.dtype import var_type
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Block, Program
from paddle_compat.core.proto import UNKNOWN, AttrType, Field, Message, decode, fields
from paddle_compat.core.variable import Variable

_ENUMS = {
    ("VarType", "type"): lambda number: var_type(number).name,
    ("TensorDesc", "data_type"): lambda number: var_type(number).name,
    ("OpAttr", "type"): lambda number: AttrType(number).name,
    ("OpProtoAttr", "type"): lambda number: AttrType(number).name,
    ("VarAttr", "type"): lambda number: AttrType(number).name,
    ("Scalar", "type"): lambda number: {1: "BOOLEAN", 2: "LONG", 3: "FLOAT64", 4: "COMPLEX128"}[number],
}
_FIRST = {("OpDesc", "type"), ("OpProto", "type")}
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
_DETAILS = {
    1: (("error_clip", "stop_gradient"), ("trainable", "optimize_attr", "regularizer", "do_model_average")),
    2: (("error_clip",), ("trainable", "optimize_attr", "regularizer", "do_model_average", "need_clip")),
}


def variable_text(var: Variable, with_details: bool = False) -> str:
    """A variable's description.

    Args:
        var: the variable.
        with_details: add what only Python knows: clips, regularizers and the like.
    """
    age = var.block.program.age
    lines = [*_lines(_written(var), "VarDesc", age)]
    if with_details:
        own, of_parameters = _DETAILS[age]
        lines += [f"{name}: {getattr(var, name)}" for name in (*own, *(of_parameters if var.is_parameter else ()))]
    return "\n".join(lines) + "\n"


def operator_text(op: Operator) -> str:
    """An operator's description."""
    return "\n".join(_lines(serialize.op_desc(op), "OpDesc", op.program.age)) + "\n"


def block_text(block: Block, with_details: bool = False) -> str:
    """A block's description; with the details of its variables it looks as it does within a Program."""
    if not with_details:
        return "\n".join(_block_lines(block)) + "\n"
    inner = [f"idx: {block.idx}", f"parent_idx: {block.parent_idx}"]
    for var in block.vars.values():
        inner += ["vars {", *_indented(variable_text(var, True).splitlines()), "}"]
    for op in block.ops:
        inner += ["ops {", *_indented(operator_text(op).splitlines()), "}"]
    return "\n".join(["blocks {", *_indented(inner), "}"])


def check_bools(of: str, throw_on_error: object, with_details: object) -> None:
    """Refuse other arguments than bools of `to_string`."""
    for argument, value in (("throw_on_error", throw_on_error), ("with_details", with_details)):
        if not isinstance(value, bool):
            raise failed_assertion(argument, "bool", value, f"{of}.to_string")


def program_text(program: Program, with_details: bool = False) -> str:
    """A Program's description."""
    rest: Message = {"version": {"version": serialize.WRITTEN_VERSION[1]}}
    if program.age == 2:
        rest = decode(serialize.program_to_bytes(Program()), "ProgramDesc")
    ending = list(_lines({**rest, "blocks": []}, "ProgramDesc", program.age))
    if with_details:
        return "".join(block_text(block, True) for block in program.blocks) + ("\n".join([*ending, ""]) if program.age == 2 else "")
    lines: list[str] = []
    for block in program.blocks:
        lines += ["blocks {", *_indented(_block_lines(block)), "}"]
    return "\n".join([*lines, *ending]) + "\n"


def _block_lines(block: Block) -> list[str]:
    age = block.program.age
    lines = [f"idx: {block.idx}", f"parent_idx: {block.parent_idx}"]
    # as 2.6 lists them, and as files hold them
    for var in block.vars.values() if age == 1 else sorted(block.vars.values(), key=lambda var: str(var.name)):
        lines += ["vars {", *_indented(_lines(_written(var), "VarDesc", age)), "}"]
    for op in block.ops:
        lines += ["ops {", *_indented(_lines(serialize.op_desc(op), "OpDesc", age)), "}"]
    if block.forward_block_idx >= 0:
        lines.append(f"forward_block_idx: {block.forward_block_idx}")
    return lines


def _written(var: Variable) -> Message:
    """The description without the fields that nobody set, which files of Paddle 2 hold all the same."""
    desc = serialize.var_desc(var)
    serialize.leave_out_unset(var, desc)
    return desc


def message_text(message: Message, kind: str, age: int) -> str:
    """A message as protobuf prints it.

    Args:
        message: its fields by name, as `decode` gives them.
        kind: the message's name.
        age: 1: as the protobuf of Paddle 1.8; 2: as that of 2.6.
    Returns:
        Lines, each with its end.
    """
    return "".join(line + "\n" for line in _lines(message, kind, age))


def _lines(message: Message, kind: str, age: int) -> Iterator[str]:
    """A message's fields: by number in the protobuf of Paddle 1.8; in that of 2.6 the type of an operator comes first."""
    for field in _in_order(kind, age):
        if field.name == UNKNOWN or field.name not in message:
            continue
        for value in message[field.name] if field.repeated else (message[field.name],):
            if isinstance(value, dict):
                yield f"{field.name} {{"
                yield from _indented(_lines(value, field.kind, age))
                yield "}"
            else:
                yield f"{field.name}: {_scalar(value, kind, field.name, field.kind, age)}"


@functools.cache
def _in_order(kind: str, age: int) -> list[Field]:
    return sorted(fields(kind).values(), key=lambda f: (age == 1 or (kind, f.name) not in _FIRST, f.number))


def _scalar(value: Any, message: str, name: str, kind: str, age: int) -> str:
    if (message, name) in _ENUMS:
        return _ENUMS[message, name](int(value))
    if kind == "bool":
        return "true" if value else "false"
    if kind == "string":
        return _quoted(str(value), age)
    if kind == "float":
        return repr(float(np.float32(value))) if age == 1 else _shortest(float(np.float32(value)), 6, 9, np.float32)
    if kind == "double":
        return repr(float(value)) if age == 1 else _shortest(float(value), 15, 17, np.float64)
    return str(int(value))


@functools.lru_cache(maxsize=4096)  # the names of slots and variables come again and again
def _quoted(text: str, age: int) -> str:
    return '"' + "".join(_ESCAPES.get(c) or _character(c, age) for c in text) + '"'


def _character(char: str, age: int) -> str:
    """A character that has no escape of its own; what is not ASCII goes out byte by byte in the protobuf of 1.8."""
    if " " <= char <= "~" or (char > "~" and age == 2):
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode())


def _shortest(value: float, few: int, many: int, kind: Any) -> str:
    text = f"{value:.{few}g}"
    return text if kind(text) == kind(value) else f"{value:.{many}g}"


def _indented(lines: Any) -> list[str]:
    return ["  " + line for line in lines]
