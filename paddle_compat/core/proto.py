"""Paddle's model description on the wire: a codec for the protobuf messages of a saved program.

One table, `MESSAGES`, gives every field its number, name and kind. A message is a plain dict that holds only the fields
which the file holds, so encoding what was decoded gives the same bytes; fields that the table does not know are kept,
as raw bytes, under `UNKNOWN`.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

from paddle_compat.core.errors import InvalidArgumentError

Message = dict[str, Any]

UNKNOWN = ""
"""Key under which a message keeps the raw bytes of the fields that the table does not know."""


class AttrType(IntEnum):
    """The kinds of operator attributes, with the numbers that a saved program uses.

    Example:
        >>> from paddle_compat.base import core
        >>> core.AttrType.FLOAT, int(core.AttrType.STRINGS)
        (<AttrType.FLOAT: 1>, 5)

    Follows Paddle 1.8 and 2.6.
    """

    INT = 0
    FLOAT = 1
    STRING = 2
    INTS = 3
    FLOATS = 4
    STRINGS = 5
    BOOLEAN = 6
    BOOLEANS = 7
    BOOL = 6
    BOOLS = 7
    BLOCK = 8
    LONG = 9
    BLOCKS = 10
    LONGS = 11
    FLOAT64S = 12
    VAR = 13
    VARS = 14
    FLOAT64 = 15
    SCALAR = 16
    SCALARS = 17

    def __str__(self) -> str:
        return "AttrType." + self.name.replace("BOOLEAN", "BOOL")


ATTR_FIELD = {
    AttrType.INT: "i",
    AttrType.FLOAT: "f",
    AttrType.STRING: "s",
    AttrType.INTS: "ints",
    AttrType.FLOATS: "floats",
    AttrType.STRINGS: "strings",
    AttrType.BOOLEAN: "b",
    AttrType.BOOLEANS: "bools",
    AttrType.BLOCK: "block_idx",
    AttrType.LONG: "l",
    AttrType.BLOCKS: "blocks_idx",
    AttrType.LONGS: "longs",
    AttrType.FLOAT64S: "float64s",
    AttrType.VAR: "var_name",
    AttrType.VARS: "vars_name",
    AttrType.FLOAT64: "float64",
    AttrType.SCALAR: "scalar",
    AttrType.SCALARS: "scalars",
}
"""The field of OpDesc.Attr that carries the value of an attribute of each kind."""

# number:name=kind; the mark after a kind is "!" for a required field and "*" for a repeated one.
MESSAGES = {
    "ProgramDesc": ("1:blocks=BlockDesc* 3:op_compatible_map=OpCompatibleMap 4:version=Version 5:op_version_map=OpVersionMap"),
    "Version": "1:version=int64",
    "OpVersionMap": "1:pair=OpVersionPair*",
    "OpVersionPair": "1:op_name=string! 2:op_version=OpVersion!",
    "OpVersion": "1:version=int32!",
    "OpCompatibleMap": "1:pair=OpCompatiblePair* 2:default_required_version=string",
    "OpCompatiblePair": "1:op_name=string! 2:compatible_info=CompatibleInfo!",
    "CompatibleInfo": "1:version=string! 2:type=int32!",
    "BlockDesc": "1:idx=int32! 2:parent_idx=int32! 3:vars=VarDesc* 4:ops=OpDesc* 5:forward_block_idx=int32",
    "OpDesc": "1:inputs=OpVar* 2:outputs=OpVar* 3:type=string! 4:attrs=OpAttr* 5:is_target=bool",
    "OpVar": "1:parameter=string! 2:arguments=string*",
    "OpAttr": (
        "1:name=string! 2:type=int32! 3:i=int32 4:f=float 5:s=string 6:ints=int32* 7:floats=float* 8:strings=string* "
        "10:b=bool 11:bools=bool* 12:block_idx=int32 13:l=int64 14:blocks_idx=int32* 15:longs=int64* "
        "16:float64s=double* 17:var_name=string 18:vars_name=string* 19:float64=double 20:scalar=Scalar "
        "21:scalars=Scalar*"
    ),
    "OpProto": "1:type=string! 2:inputs=OpProtoVar* 3:outputs=OpProtoVar* 4:attrs=OpProtoAttr* 5:comment=string!",
    "OpProtoVar": (
        "1:name=string! 2:comment=string! 3:duplicable=bool 4:intermediate=bool 5:dispensable=bool 6:extra=bool 7:quant=bool"
    ),
    "OpProtoAttr": (
        "1:name=string! 2:type=int32! 3:comment=string! 4:generated=bool 5:extra=bool 6:quant=bool 7:support_tensor=bool"
    ),
    "Scalar": "1:type=int32! 2:b=bool 3:i=int64 4:r=double 5:c=Complex",
    "Complex": "1:r=double! 2:i=double!",
    "VarDesc": (
        "1:name=string! 2:type=VarType! 3:persistable=bool 4:need_check_feed=bool 5:is_parameter=bool 6:stop_gradient=bool 7:attrs=VarAttr*"
    ),
    "VarAttr": "1:name=string! 2:type=int32! 3:i=int32 4:s=string 5:ints=int32*",
    "VarType": (
        "1:type=int32! 2:selected_rows=TensorDesc 3:lod_tensor=LoDTensorDesc 4:tensor_array=LoDTensorDesc "
        "5:reader=ReaderDesc 7:tuple=Tuple 8:string=TensorDesc 9:strings=TensorDesc 10:vocab=TensorDesc "
        "11:sparse_coo=TensorDesc 12:sparse_csr=TensorDesc"
    ),
    "TensorDesc": "1:data_type=int32! 2:dims=int64*",
    "LoDTensorDesc": "1:tensor=TensorDesc! 2:lod_level=int32",
    "ReaderDesc": "1:lod_tensor=LoDTensorDesc*",
    "Tuple": "1:element_type=int32*",
    "TensorDistAttr": "1:process_mesh=ProcessMesh! 2:dims_mapping=DimsMapping* 3:batch_dim=int64 4:dynamic_dims=bool* 5:chunk_id=int64",
    "ProcessMesh": "1:shape=int64* 2:process_ids=int64* 3:dim_names=string*",
    "DimsMapping": "1:dims=int64*",
}

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_WIRE_NAME = {_VARINT: "a varint", _FIXED64: "8 bytes", _BYTES: "a length-prefixed value", _FIXED32: "4 bytes"}
_WIRE = {"int32": _VARINT, "int64": _VARINT, "bool": _VARINT, "float": _FIXED32, "double": _FIXED64}
_MASK64 = (1 << 64) - 1


class Field(NamedTuple):
    """One field of a message: its number and name, the kind of its value, and how often it occurs."""

    number: int
    name: str
    kind: str
    required: bool
    repeated: bool

    @property
    def wire(self) -> int:
        """The wire type of one value; strings and messages are length-prefixed."""
        return _WIRE.get(self.kind, _BYTES)


@cache
def fields(message: str) -> dict[int, Field]:
    """Give the fields of a message by number, in the order in which they are written."""
    table = {}
    for row in MESSAGES[message].split():
        number, _, rest = row.partition(":")
        name, _, kind = rest.partition("=")
        table[int(number)] = Field(int(number), name, kind.rstrip("!*"), kind.endswith("!"), kind.endswith("*"))
    return table


def file_error(source: str, offset: int, expected: str, received: str) -> InvalidArgumentError:
    """Make the error for a file that does not hold what it should: a ValueError naming file, offset and expectation."""
    return InvalidArgumentError(f"Invalid file {source}, byte {offset}. Expected {expected}. Received: {received}")


def decode(data: bytes, message: str, source: str = "<bytes>", base: int = 0) -> Message:
    """Read a message.

    Args:
        data: the encoded message, whole.
        message: its name in `MESSAGES`.
        source: what an error calls the data, usually the name of the file.
        base: where in that file the data begins.

    Returns:
        The fields that are there, by name: a list for a repeated field, a dict for a message.

    Raises:
        InvalidArgumentError: the data is truncated or is no such message; names source, offset and
            what belongs there.

    Example:
        >>> decode(bytes([8, 5, 16, 3]), "TensorDesc")
        {'data_type': 5, 'dims': [3]}
    """
    return _Decoder(data, source, base).message(message, 0, len(data))


def encode(value: Message, message: str) -> bytes:
    """Write a message: its known fields by number, then the bytes that `decode` kept as unknown.

    Args:
        value: the fields by name, as `decode` gives them.
        message: the message's name in `MESSAGES`.

    Returns:
        The encoded message.

    Raises:
        ValueError: a required field is missing, or a field has no place in the message.

    Example:
        >>> list(encode({"data_type": 5, "dims": [3]}, "TensorDesc"))
        [8, 5, 16, 3]
    """
    return _message(value, message)


class _Decoder:
    """Reads values out of one buffer; every error says where it stands."""

    def __init__(self, data: bytes, source: str, base: int) -> None:
        self.data = data
        self.source = source
        self.base = base

    def error(self, offset: int, expected: str, received: str) -> InvalidArgumentError:
        return file_error(self.source, self.base + offset, expected, received)

    def varint(self, pos: int, end: int, what: str) -> tuple[int, int]:
        """Read a variable-length integer; give it and the position behind it."""
        value = shift = 0
        start = pos
        while True:
            if pos >= end:
                raise self.error(start, what, "the end of the data")
            byte = self.data[pos]
            pos += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & _MASK64, pos
            shift += 7
            if shift > 63:
                raise self.error(start, what, "an integer of more than 10 bytes")

    def span(self, wire: int, pos: int, end: int, what: str) -> tuple[int, int]:
        """Give where a value starts (behind its length, if it has one) and where it ends."""
        if wire == _VARINT:
            return pos, self.varint(pos, end, what)[1]
        if wire == _BYTES:
            size, start = self.varint(pos, end, f"the size of {what}")
        else:
            size, start = (8 if wire == _FIXED64 else 4), pos
        if start + size > end:
            raise self.error(start, f"{size} bytes of {what}", f"{end - start} bytes")
        return start, start + size

    def message(self, name: str, pos: int, end: int) -> Message:
        table = fields(name)
        value: Message = {}
        unknown = b""
        first = pos
        while pos < end:
            start = pos
            key, pos = self.varint(pos, end, f"a field of {name}")
            number, wire = key >> 3, key & 7
            field = table.get(number)
            what = f"{name}.{field.name}" if field else f"field {number} of {name}"
            if wire not in _WIRE_NAME or number == 0:
                raise self.error(start, f"a field of {name}", f"field {number} of wire type {wire}")
            begin, pos = self.span(wire, pos, end, what)
            if field is None:
                unknown += self.data[start:pos]
            elif wire == field.wire:
                item = self.value(field, begin, pos, what)
                if field.repeated:
                    value.setdefault(field.name, []).append(item)
                else:
                    value[field.name] = item
            elif wire == _BYTES and field.repeated:  # numbers that some writer packed into one value
                items = value.setdefault(field.name, [])
                while begin < pos:
                    inner, after = self.span(field.wire, begin, pos, what)
                    items.append(self.value(field, inner, after, what))
                    begin = after
            else:
                raise self.error(start, f"{what} as {_WIRE_NAME[field.wire]}", _WIRE_NAME[wire])
        for field in table.values():
            if field.required and field.name not in value:
                raise self.error(first, f"{name}.{field.name}", f"a {name} of {end - first} bytes without it")
        if unknown:
            value[UNKNOWN] = unknown
        return value

    def value(self, field: Field, start: int, end: int, what: str) -> Any:
        kind = field.kind
        if kind == "string":
            # Not all of Paddle's "strings" are text: surrogate escapes bring such bytes back unchanged.
            return self.data[start:end].decode("utf-8", "surrogateescape")
        if kind == "float":
            return struct.unpack_from("<f", self.data, start)[0]
        if kind == "double":
            return struct.unpack_from("<d", self.data, start)[0]
        if kind in _WIRE:
            number = self.varint(start, end, what)[0]
            if kind == "bool":
                return number != 0
            bits = 32 if kind == "int32" else 64
            number &= (1 << bits) - 1
            return number - (1 << bits) if number >> (bits - 1) else number
        return self.message(kind, start, end)


_BYTE = [bytes([number]) for number in range(0x80)]


def _varint(value: int) -> bytes:
    if 0 <= value < 0x80:
        return _BYTE[value]
    out, value = bytearray(), value & _MASK64  # a negative number takes ten bytes, as its 64-bit two's complement
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _delimited(body: bytes) -> bytes:
    return _varint(len(body)) + body


@lru_cache(maxsize=4096)  # the names of attributes, slots and variables come again and again
def _text(text: str) -> bytes:
    return _delimited(text.encode("utf-8", "surrogateescape"))


@cache
def _layout(message: str) -> tuple[dict[str, tuple[Field, bytes]], frozenset[str]]:
    """The fields of a message by name, with what stands before each value; and which of them it has to have."""
    table = {field.name: (field, _varint(field.number << 3 | field.wire)) for field in fields(message).values()}
    return table, frozenset(name for name, (field, _) in table.items() if field.required)


def _message(value: Message, message: str) -> bytes:
    table, required = _layout(message)
    if not required <= value.keys():
        missing = next(name for name in table if name in required - value.keys())
        raise ValueError(f"Invalid value for {message}. Expected {missing}. Received: {sorted(value)}")
    unknown = value.get(UNKNOWN, b"")
    try:
        written = sorted([table[name] for name in value if name != UNKNOWN])  # by number, of the few that there are
    except KeyError:
        raise ValueError(f"Invalid value for {message}. Expected fields out of {[*table]}. Received: {sorted(value)}") from None
    parts = list[bytes]()
    for (_, name, kind, _, repeated), head in written:
        for item in value[name] if repeated else (value[name],):
            parts += head, _value(item, kind)
    return b"".join([*parts, unknown])


def _value(item: Any, kind: str) -> bytes:
    if kind == "string":
        return _delimited(item) if isinstance(item, bytes) else _text(item)
    if kind == "float":
        return _float32(float(item))
    if kind == "double":
        return struct.pack("<d", item)
    return _varint(int(item)) if kind in _WIRE else _delimited(_message(item, kind))


def _float32(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:  # beyond float32: C++ stores an infinity
        return struct.pack("<f", float("inf") if value > 0 else float("-inf"))
