"""The protobuf codec: byte for byte on what the wheels wrote, clear about what it cannot read."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from paddle_compat.core.proto import MESSAGES, UNKNOWN, AttrType, decode, encode, fields

REFERENCES = Path(__file__).resolve().parents[1] / "references"


def recorded_programs():
    for version in ("1.8.5", "2.6.2", "3.3.1"):
        with np.load(REFERENCES / f"files_{version}.npz") as content:
            for name in content.files:
                if name.endswith((".pdmodel", "__model__", "/model")):
                    yield pytest.param(content[name].tobytes(), id=f"{version}-{name}")


@pytest.mark.parametrize("data", list(recorded_programs()))
def test_a_wheels_program_is_encoded_again_byte_for_byte(data):
    program = decode(data, "ProgramDesc")
    assert UNKNOWN not in program
    assert program["blocks"][0]["parent_idx"] == -1
    assert program["blocks"][0]["ops"][0]["type"]
    assert encode(program, "ProgramDesc") == data


@pytest.mark.parametrize("data", list(recorded_programs())[:1])
def test_every_truncation_is_a_value_error_that_says_where(data):
    whole = {0}
    position = 0
    while position < len(data):  # between two fields of the outermost message nothing is missing
        size, shift, at = 0, 0, position + 1
        while True:
            byte = data[at]
            size |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                break
        position = at + size
        whole.add(position)
    for end in range(0, len(data), 7):
        if end in whole:
            continue
        with pytest.raises(ValueError, match=r"Invalid file model, byte \d+. Expected .* Received: "):
            decode(data[:end], "ProgramDesc", "model")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (pickle.dumps({"w": 1.5}), r"byte \d+. Expected a field of ProgramDesc. Received: "),
        (b"PK\x03\x04zip file", "byte 2. Expected a field of ProgramDesc. Received: field 0 of wire type 3"),
        (b'{"program": []}', "byte 0. Expected a field of ProgramDesc. Received: field 15 of wire type 3"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "byte 1. Expected the size of ProgramDesc.blocks"),
        (b"\x08\x01", "Expected ProgramDesc.blocks as a length-prefixed value. Received: a varint"),
        (b"\x0a\x02\x08\x00", "byte 2. Expected BlockDesc.parent_idx. Received: a BlockDesc of 2 bytes without it"),
    ],
)
def test_foreign_data_is_a_value_error(data, expected):
    with pytest.raises(ValueError, match=expected):
        decode(data, "ProgramDesc", "somewhere")


def test_unknown_fields_are_kept():
    extra = b"\xf2\x3e\x03abc" + b"\xf8\x3e\x96\x01" + b"\xfd\x3e\x01\x02\x03\x04"
    data = encode({"type": 7, UNKNOWN: extra}, "VarType")
    assert data == b"\x08\x07" + extra
    assert decode(data, "VarType") == {"type": 7, UNKNOWN: extra}


def test_numbers_keep_their_signs_and_limits():
    value = {
        "name": "a",
        "type": int(AttrType.INTS),
        "i": -(2**31),
        "l": -(2**63),
        "ints": [2**31 - 1, -1, 0],
        "longs": [2**63 - 1, -1],
        "f": 0.5,
        "floats": [float("inf"), -0.0],
        "float64s": [1e300],
        "bools": [True, False],
    }
    assert decode(encode(value, "OpAttr"), "OpAttr") == value


def test_a_double_beyond_float32_becomes_an_infinity():
    assert decode(encode({"name": "a", "type": 1, "f": -1e40}, "OpAttr"), "OpAttr")["f"] == -float("inf")


def test_text_that_is_not_utf8_comes_back_unchanged():
    data = encode({"parameter": b"\xff\x00\xc3", "arguments": ["é"]}, "OpVar")
    assert encode(decode(data, "OpVar"), "OpVar") == data


def test_packed_numbers_are_read():
    packed = b"\x08\x05\x12\x03\x02\x96\x01"
    assert decode(packed, "TensorDesc") == {"data_type": 5, "dims": [2, 150]}


def test_missing_and_misplaced_fields_are_refused():
    with pytest.raises(ValueError, match="Expected data_type. Received: .'dims'."):
        encode({"dims": [1]}, "TensorDesc")
    with pytest.raises(ValueError, match="Received: .*'colour'"):
        encode({"data_type": 5, "colour": 1}, "TensorDesc")


def test_the_table_is_closed():
    kinds = {"int32", "int64", "bool", "float", "double", "string", *MESSAGES}
    for message in MESSAGES:
        assert {field.kind for field in fields(message).values()} <= kinds
        assert list(fields(message)) == sorted(fields(message))
