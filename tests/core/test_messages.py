"""Messages of a description as objects: fields, presence, bytes and text as protobuf's own classes have them."""

from __future__ import annotations

from typing import Any

import pytest
from core.test_proto import recorded_programs

import paddle_compat as paddle
from paddle_compat.base.proto import framework_pb2
from paddle_compat.core.messages import DecodeError, EncodeError


@pytest.fixture
def program() -> Any:
    """A described Program with one operator."""
    paddle.enable_static()
    program = paddle.static.Program()
    block = program.global_block()
    block.create_var(name="x", shape=[2, 3], dtype="float32")
    block.append_op(type="scale", inputs={"X": ["x"]}, outputs={"Out": ["x"]}, attrs={"scale": 2.0})
    return framework_pb2.ProgramDesc.FromString(program.desc.serialize_to_string())


def test_fields_are_read(program: Any) -> None:
    block = program.blocks[0]
    assert [op.type for op in block.ops] == ["scale"] and block.vars[0].name == "x"
    assert list(block.vars[0].type.lod_tensor.tensor.dims) == [2, 3]
    assert block.vars[0].type.lod_tensor.tensor.data_type == framework_pb2.VarType.FP32
    scale = next(attr for attr in block.ops[0].attrs if attr.name == "scale")
    assert (scale.type, scale.f, scale.i) == (framework_pb2.FLOAT, 2.0, 0)
    assert program.HasField("version") and not scale.HasField("i")


def test_what_is_written_is_read_again(program: Any) -> None:
    op = program.blocks[0].ops[0]
    op.type = "relu"
    op.attrs.add(name="sizes", type=framework_pb2.INTS).ints.extend([3, -4])
    next(slot for slot in op.inputs if slot.parameter == "X").arguments[0] = "y"
    again = framework_pb2.ProgramDesc()
    assert again.ParseFromString(program.SerializeToString()) == program.ByteSize()
    assert again == program and "y" in [name for slot in again.blocks[0].ops[0].inputs for name in slot.arguments]
    assert list(again.blocks[0].ops[0].attrs[-1].ints) == [3, -4]
    again.blocks[0].ops[0].attrs[-1].ints.append(5)
    assert again != program
    again.CopyFrom(program)
    assert again == program and again is not program


@pytest.mark.parametrize("data", list(recorded_programs()))
def test_a_wheels_program_keeps_its_bytes(data: bytes) -> None:
    assert framework_pb2.ProgramDesc.FromString(data).SerializeToString() == data


def test_a_message_is_there_when_something_in_it_is_set() -> None:
    var = framework_pb2.VarDesc(name="x")
    assert var.type.lod_tensor.tensor.dims == [] and not var.HasField("type")
    var.type.lod_tensor.tensor.dims.append(4)
    assert var.HasField("type") and var.type.HasField("lod_tensor")
    assert [field.name for field, value in var.ListFields()] == ["name", "type"]
    var.ClearField("type")
    assert not var.HasField("type") and str(var) == 'name: "x"\n'
    var.Clear()
    assert not var.IsInitialized()


def test_text() -> None:
    op = framework_pb2.OpDesc(type="a", is_target=True)
    op.attrs.add(name="q", type=framework_pb2.INT, i=3)
    assert str(op) == 'type: "a"\nattrs {\n  name: "q"\n  type: INT\n  i: 3\n}\nis_target: true\n'


def test_enumerations() -> None:
    assert framework_pb2.VarType.Type.Name(5) == "FP32" and framework_pb2.VarType.Type.Value("LOD_TENSOR") == 7
    assert framework_pb2.AttrType.Name(1) == "FLOAT" and ("BLOCK", 8) in framework_pb2.AttrType.items()
    assert len(framework_pb2.AttrType.keys()) > 10 and 0 in framework_pb2.AttrType.values()
    with pytest.raises(ValueError, match="Received: 99"):
        framework_pb2.AttrType.Name(99)
    with pytest.raises(ValueError, match="Received: NOPE"):
        framework_pb2.AttrType.Value("NOPE")


def test_wrong_use() -> None:
    op = framework_pb2.OpDesc()
    with pytest.raises(EncodeError, match="missing required fields"):
        op.SerializeToString()
    with pytest.raises(TypeError, match="Expected string. Received: 3"):
        op.type = 3
    with pytest.raises(AttributeError, match='no "typ" field'):
        op.typ = "3"
    with pytest.raises(AttributeError, match='no "typ" field'):
        op.typ  # noqa: B018
    with pytest.raises(AttributeError, match="Assignment not allowed"):
        op.attrs = []
    with pytest.raises(ValueError, match='no "typ" field'):
        framework_pb2.OpDesc(typ="3")
    with pytest.raises(ValueError, match="no singular"):
        op.HasField("attrs")
    with pytest.raises(ValueError, match='no "typ" field'):
        op.ClearField("typ")
    with pytest.raises(TypeError, match="Expected a message OpDesc"):
        op.CopyFrom(framework_pb2.VarDesc())
    with pytest.raises(DecodeError, match="Error parsing"):
        framework_pb2.ProgramDesc.FromString(b"abc")
    with pytest.raises(TypeError):
        framework_pb2.OpDesc().attrs.append("x")
