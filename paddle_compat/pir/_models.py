"""Models of Paddle 3.x, which are JSON in its new IR, read into Programs.

A model is blocks of operators on numbered values. Values become Variables; numbers that an operator takes as values (`full`,
`full_int_array`) become its attributes, as Programs have them, and Variables only where a Tensor is wanted. How an operator is called
in Programs says `_operators.txt`; what Programs compose of others, `_composed.py`.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from paddle_compat import tensor
from paddle_compat.core import mode, unique_name
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import definition_of, find_op
from paddle_compat.core.op_protos import slots_in_age
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.proto import file_error
from paddle_compat.core.serialize import SAVED_AS_PDMODEL
from paddle_compat.core.variable import Parameter, Variable
from paddle_compat.pir._composed import COMPOSED, assign_value, elements, loop
from paddle_compat.pir._rows import Row, rows
from paddle_compat.static._inference import append_fetches, prepend_feeds
from paddle_compat.static.nn import control_flow

Json = dict[str, Any]
BUILTIN, OPERATORS, CONTROL = "0.", "1.", "2."  # the dialects, as version 1 and later write them
# Types of elements, as models abbreviate them.
_TYPES = {
    "bool": "bool", "i8": "int8", "ui8": "uint8", "i16": "int16", "i32": "int32", "i64": "int64", "index": "int64", "f16": "float16",
    "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128", "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
}  # fmt: skip
_SPECIAL = {"INF": float("inf"), "-INF": float("-inf"), "NAN": float("nan")}
_UNDEFINED = "Undefined"
# Attributes of every operator, or of no effect on what it computes here.
_NO_EFFECT = frozenset({"struct_name", "op_callstack", "place", "op_role", "chunk_id", "int_priority", "execution_stream", "sync_op"})
# ... and of single ones: sorting is always stable; modes and states of training.
_OF_NO_EFFECT = {"argsort": {"stable"}, "gru": {"is_test"}, "rnn": {"dropout_state_in"}}
# Operators that give sequences, one for each image; those of 3.x give their lengths alone.
_WITHOUT_SEQUENCES = frozenset({"generate_proposals_v2", "distribute_fpn_proposals", "collect_fpn_proposals", "multiclass_nms3"})
_RUNNING = {"MeanOut": "Mean", "VarianceOut": "Variance"}  # statistics that move on where they lie


def _refined(shape: tuple[int, ...], kind: Json) -> tuple[int, ...]:
    """A shape, with the sizes that a model knows and that recording does not, as it does not look into computed shapes."""
    parts = kind.get("D")
    told = parts[1] if isinstance(parts, list) and len(parts) > 1 and isinstance(parts[1], list) else ()
    return tuple(b if a < 0 else a for a, b in zip(shape, told)) if len(told) == len(shape) else shape


@dataclass(frozen=True)
class Constant:
    """Numbers that are known when the model is read."""

    value: Any
    dtype: VarType
    shape: tuple[int, ...]


def program_from_json(data: bytes, source: str) -> Program:
    """Read a Program from the bytes of a model of Paddle 3.x.

    Args:
        data: the JSON.
        source: what an error calls it, usually the name of the file.
    Returns:
        The Program, with operators that feed and fetch.
    Raises:
        InvalidArgumentError: it is no such model.
        UnsupportedError: an operator in it, or an operator's attribute, is not there.
    """
    try:
        read = json.loads(data)
        regions = read["program"]["regions"] if read["base_code"]["magic"] == "pir" else None
    except (ValueError, KeyError, TypeError) as error:
        raise file_error(source, getattr(error, "pos", 0), "a model of Paddle 3.x, in JSON", f"{len(data)} bytes, {error!r}") from None
    if not regions:
        raise file_error(source, 0, "a model of Paddle 3.x, in JSON", "JSON of something else")
    program = Program()
    program.age = 2
    reader = _Reader(program, source)
    with mode.inside(static=True), unique_name.guard(), program_guard(program, Program()):
        reader.look_through(regions[0]["blocks"][0])
        reader.block(regions[0]["blocks"][0])
    prepend_feeds(program, reader.feeds)
    append_fetches(program, [reader.fetches[n] for n in sorted(reader.fetches)])
    program._touch()
    return program


def _decoded(attribute: Json) -> Any:
    """The value of an attribute: numbers, text, a data type, or lists of them."""
    kind, value = attribute["#"].partition(".")[2], attribute.get("D")
    if "VD" in attribute:
        return _SPECIAL[str(attribute["VD"]).upper()]
    if value is None:
        return None
    if kind == "a_array":
        return [_decoded(one) for one in value]
    if kind == "a_dtype":
        return None if value.startswith(_UNDEFINED) else convert_dtype(value)
    if kind in ("a_c64", "a_c128"):
        return complex(*value)
    return value


def _attributes(op: Json) -> dict[str, Any]:
    """An operator's attributes by name."""
    return {one["N"]: _decoded(one["AT"]) for one in op.get("A", [])}


def _dtype(kind: Json) -> VarType | None:
    """The type of the elements of a value that is a Tensor."""
    parts = kind.get("D")
    return convert_dtype(_TYPES[parts[0]["#"].partition("t_")[2]]) if isinstance(parts, list) and parts and "#" in parts[0] else None


class _Reader:
    """Appends what it reads to the current block of a Program."""

    def __init__(self, program: Program, source: str) -> None:
        self.program = program
        self.source = source
        self.feeds: list[str] = []
        self.fetches: dict[int, str] = {}
        self._values: ChainMap[int, Any] = ChainMap()  # the newest map is the current block's
        self._changed: set[int] = set()  # what operators write over
        self._numbers = count(-1_000_000, -1)  # for what models give no number; arguments of blocks have -1, -2, ...

    # ---- blocks
    def look_through(self, block: Json) -> None:
        """Note what operators write over, here and further in: these numbers change, though a model gives them."""
        for op in block["ops"]:
            if op["#"].endswith("_"):
                self._changed.update(one["%"] for one in op["I"])
            for region in op.get("regions", []):
                self.look_through(region["blocks"][0])

    def block(self, block: Json) -> list[Any]:
        """Append a block's operators; what it hands out, in order."""
        for op in block["ops"]:
            name = op["#"]
            if name == CONTROL + "yield":
                return [self.variable(one["%"]) for one in op["I"]]
            own = _BY_NAME.get(name)
            if own is not None:
                own(self, op)
            elif name.startswith(OPERATORS):
                self.operator(name.removeprefix(OPERATORS), op)
            else:
                raise self.unsupported(name, "a dialect of its own")
        return []

    def inside(self, block: Json, arguments: list[Any] | None = None) -> list[Any]:
        """Append the operators of a block in a block, whose values are its own."""
        outer = self._values
        self._values = outer.new_child({arg["#"]: value for arg, value in zip(block.get("args", []), arguments or [])})
        try:
            return self.block(block)
        finally:
            self._values = outer

    def branch(self, block: Json) -> list[Any] | None:
        """`inside`, with nothing for what hands out nothing."""
        return self.inside(block) or None

    # ---- values
    def variable(self, number: int) -> Any:
        """A value as Variable, or a list of them; None where an optional input is not there."""
        if number == 0:
            return None
        value = self._values[number]
        if isinstance(value, Constant):
            value = self._values[number] = assign_value(shape=value.shape, values=value.value, dtype=value.dtype)
        return [self.variable(one) for one in value] if isinstance(value, tuple) else value

    def known(self, number: int) -> Any:
        """The numbers of a value that are known, as an attribute holds them; None where they are not."""
        value = self._values[number] if number else None
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, tuple):
            several = [self.known(one) for one in value]
            return None if any(one is None for one in several) else [one[0] if isinstance(one, list) else one for one in several]
        return None

    def bind(self, op: Json, values: Any) -> None:
        """Give an operator's results their numbers."""
        outputs = op["O"] if isinstance(op["O"], list) else [op["O"]]
        for output, value in zip(outputs, values if isinstance(values, (list, tuple)) else [values]):
            if isinstance(value, list):  # a value of several: each has a number of its own, which no model gives it
                numbers = tuple(next(self._numbers) for _ in value)
                self._values.update(zip(numbers, value))
                value = numbers
            if isinstance(value, Variable) and value.type == VarType.LOD_TENSOR:
                value.shape = _refined(tuple(value.shape), output["TT"])
            self._values[output["%"]] = value

    def new(self, output: Json, name: str | None = None) -> Any:
        """A new Variable for a result, or a list of them."""
        kind = output["TT"]
        if kind["#"] == BUILTIN + "t_vec":
            return [self.new({"%": f"{output['%']}.{n}", "TT": one}) for n, one in enumerate(kind["D"])]
        if kind["#"] == BUILTIN + "t_null" or "D" not in kind:
            return None
        block = self.program.current_block()
        return block._add_var(name=name or f"value_{output['%']}", dtype=_dtype(kind), persistable=False)

    # ---- operators
    def operator(self, name: str, op: Json) -> None:
        """Append an operator of Paddle's own dialect."""
        attributes = _attributes(op)
        row = rows().get(name) or rows().get(name.rstrip("_"))
        composed = COMPOSED.get(name) or COMPOSED.get(name.rstrip("_"))
        if row is None or (composed is None and find_op(row.operator) is None):
            raise self.unsupported("pd_op." + name, "any argument")
        numbers = [one["%"] for one in op.get("I", [])]
        found = NotImplemented
        if composed is not None:
            attribute = [bool(taken.attribute) for taken in row.inputs] + [False] * len(numbers)
            known = [self.known(number) if may_be else None for may_be, number in zip(attribute, numbers)]
            inputs = [self.variable(number) if value is None else value for value, number in zip(known, numbers)]
            found = composed(*inputs, **{key: value for key, value in attributes.items() if key not in _NO_EFFECT})
        if found is NotImplemented:
            self.append(name, op, row, numbers, attributes)
        else:
            self.bind(op, found)

    def append(self, name: str, op: Json, row: Row, numbers: list[int], attributes: dict[str, Any]) -> None:
        """Append the operator of Programs that does the same."""
        definition = definition_of(row.operator)
        inputs: dict[str, Any] = {}
        attrs: dict[str, Any] = {}
        if any(numbers[len(row.inputs) :]):
            raise self.unsupported("pd_op." + name, f"{len(numbers)} inputs")
        for taken, number in zip(row.inputs, numbers):
            known = self.known(number) if taken.attribute else None
            if known is not None:
                attrs[taken.attribute] = known
            elif taken.slot and number:
                if taken.slot in _OF_NO_EFFECT.get(row.operator, ()):
                    continue
                if all(taken.slot != slot.name for slot in definition.inputs):
                    raise self.unsupported("pd_op." + name, taken.slot)
                value = self.variable(number)
                inputs[taken.slot] = elements(value) if taken.is_list and not isinstance(value, list) else value
            elif number:
                attrs[taken.attribute] = self.variable(number)
        for key, value in attributes.items():
            told = row.attributes.get(key, key)
            if value is None or key in _NO_EFFECT or told in _OF_NO_EFFECT.get(row.operator, ()):
                continue
            if told not in definition.attrs and told not in definition.required:
                raise self.unsupported("pd_op." + name, f"{key}={value!r}")
            attrs[told] = value
        fit = definition.attrs
        if "reduce_all" in fit and attrs.get("dim" if "dim" in fit else "axis") == []:
            attrs["reduce_all"] = True
        if "in_dtype" in definition.required and "X" in inputs:
            attrs["in_dtype"] = inputs["X"].dtype
        for key, value in attrs.items():  # numbers come in the type of the Tensor that they could be
            if isinstance(fit.get(key), float) and type(value) is int:
                attrs[key] = float(value)
        found = self.results(name, op, row, inputs, definition.inplace)
        outputs = {slot: value for slot, value in zip(row.outputs, found) if value is not None}
        block = self.program.current_block()
        # what models leave out, as it serves gradients alone
        needed = [slot.name for slot in slots_in_age(row.operator, 2)[1] if not slot.optional and slot.age in (0, 2)]
        beside = {slot: block._add_var(name=unique_name.generate(slot.lower())) for slot in needed if slot not in row.outputs}
        block.append_op(type=row.operator, inputs=inputs, outputs=outputs | beside, attrs=attrs)
        self.bind(op, list(map(self.without_sequences, found)) if row.operator in _WITHOUT_SEQUENCES else found)

    def results(self, name: str, op: Json, row: Row, inputs: dict[str, Any], over: Mapping[str, str]) -> list[Any]:
        """Where an operator's results go: Variables of their own, or the inputs that it writes over."""
        over = {**over, **_RUNNING} if name.endswith("_") else over
        places = [slot for slot in row.outputs if over.get(slot) in inputs]
        found = [inputs[over[slot]] if slot in places else self.new(output) for slot, output in zip(row.outputs, op["O"])]
        if name.endswith("_") and not places and row.inputs:
            found[0] = next(iter(inputs.values()))
        return found

    def without_sequences(self, value: Any) -> Any:
        """A Variable, or Variables, whose rows are no sequences."""
        if value is None or isinstance(value, list):
            return value and [self.without_sequences(one) for one in value]
        block = self.program.current_block()
        plain = block._add_var(name=unique_name.generate("plain"), dtype=value.dtype)
        block.append_op(type="share_data", inputs={"X": value}, outputs={"Out": plain})
        return plain

    def unsupported(self, name: str, argument: str) -> UnsupportedError:
        """The error for what a model asks for and nothing here does."""
        return UnsupportedError(f"{self.source}: {name}", argument, SAVED_AS_PDMODEL)


# ---- operators of the reader itself
def _parameter(reader: _Reader, op: Json) -> None:
    output, (persistable, stops, trainable) = op["O"], (*op.get("OA", []), 1, 0, 1)[:3]
    name, block = op["A"][3], reader.program.global_block()
    if not persistable:  # no file has it: states of dropout, which nothing reads in a saved model
        shape, dtype = tuple(output["TT"]["D"][1]), _dtype(output["TT"])
        assert dtype is not None, name
        return reader.bind(op, Constant(np.zeros(shape).tolist(), dtype, shape))
    given = {"name": name, "shape": output["TT"]["D"][1], "dtype": _dtype(output["TT"]), "persistable": True, "stop_gradient": bool(stops)}
    block.vars[name] = Parameter(block, trainable=True, **given) if trainable else Variable(block, **given)
    reader.bind(op, block.vars[name])


def _data(reader: _Reader, op: Json) -> None:
    told = _attributes(op)
    kind = op["O"][0]["TT"]
    var = reader.program.global_block()._add_var(
        name=told["name"], shape=kind["D"][1], dtype=_dtype(kind), stop_gradient=True, is_data=True, need_check_feed=True
    )
    reader.feeds.append(var.name)
    reader.bind(op, var)


def _fetch(reader: _Reader, op: Json) -> None:
    told = _attributes(op)
    taken = reader.program.global_block().has_var(told["name"])  # a parameter that is fetched, or a value that is fetched twice
    target = reader.new(op["O"][0], None if taken else told["name"])
    source = reader.variable(op["I"][0]["%"])
    reader.program.global_block().append_op(type="assign", inputs={"X": source}, outputs={"Out": target})
    reader.fetches[told["col"]] = target.name


def _full(reader: _Reader, op: Json) -> None:
    told = _attributes(op)
    shape, value, dtype = told["shape"], told["value"], told["dtype"]
    if isinstance(value, float) and np.isfinite(value) and not dtype.name.startswith(("FP", "BF", "COMPLEX")):
        value = bool(value) if dtype == VarType.BOOL else int(value)
    known = all(size == 1 for size in shape) and op["O"][0]["%"] not in reader._changed
    reader.bind(op, Constant(value, dtype, tuple(shape)) if known else tensor.full(shape, value, dtype))


def _full_int_array(reader: _Reader, op: Json) -> None:
    told = _attributes(op)
    reader.bind(op, Constant(told["value"], told["dtype"], (len(told["value"]),)))


def _combine(reader: _Reader, op: Json) -> None:
    reader.bind(op, [tuple(one["%"] for one in op["I"])])


def _split(reader: _Reader, op: Json) -> None:
    reader.bind(op, [reader._values[number] for number in reader._values[op["I"][0]["%"]]])


def _if(reader: _Reader, op: Json) -> None:
    branches = [region["blocks"][0] for region in op["regions"]]
    true, false = (partial(reader.branch, block) for block in branches)
    found = control_flow.cond(reader.variable(op["I"][0]["%"]), true, false)
    reader.bind(op, [] if found is None else list(found) if isinstance(found, (list, tuple)) else [found])


def _while(reader: _Reader, op: Json) -> None:
    block = op["regions"][0]["blocks"][0]
    given = [reader.variable(one["%"]) for one in op["I"]]
    found = loop(given, lambda values: reader.inside(block, values))
    reader.bind(op, found[1:])


_BY_NAME: dict[str, Callable[[_Reader, Json], None]] = {
    "p": _parameter, BUILTIN + "parameter": _parameter, OPERATORS + "data": _data, OPERATORS + "feed": _data, OPERATORS + "fetch": _fetch,
    OPERATORS + "full": _full, OPERATORS + "full_int_array": _full_int_array, BUILTIN + "combine": _combine, BUILTIN + "split": _split,
    OPERATORS + "if": _if, OPERATORS + "while": _while,
}  # fmt: skip
