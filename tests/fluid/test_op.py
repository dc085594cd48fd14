"""Operators by name on a Scope, their descriptions, and the views of Programs that unit tests of Paddle 1.8 use."""

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.fluid import core
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.fluid.op import Operator
from paddle_compat.fluid.proto import framework_pb2


def scope_with(**arrays):
    scope = core.Scope()
    for name, value in arrays.items():
        scope.var(name).get_tensor().set(value, core.CPUPlace())
    return scope


def test_operator_runs_on_a_scope():
    x, y = np.arange(6, dtype="float32").reshape(2, 3), np.ones((3, 4), "float32")
    scope = scope_with(X=x, Y=y)
    scope.var("Out").get_tensor()
    op = Operator("mul", X="X", Y="Y", Out="Out")
    op.run(scope, core.CPUPlace())
    np.testing.assert_array_equal(scope.find_var("Out").get_tensor(), x @ y)
    tensor = scope.find_var("X").get_tensor()
    tensor._set_float_element(0, 5.0)
    assert tensor._get_float_element(0) == 5.0
    op.run(scope, core.CPUPlace())
    np.testing.assert_array_equal(np.array(scope.find_var("Out").get_tensor())[0], [8.0] * 4)
    assert str(op) == "Op(mul), inputs:{X[X], Y[Y]}, outputs:{Out[Out]}."


def test_operator_takes_lists_updates_in_place_and_keeps_sequences():
    scope = scope_with(a=np.ones((3, 2), "float64"), rate=np.array([0.5], "float64"))
    scope.find_var("a").get_tensor().set_recursive_sequence_lengths([[1, 2]])
    Operator("sum", X=["a", "a"], Out="b").run(scope, core.CPUPlace())
    total = scope.find_var("b").get_tensor()
    assert np.array(total).tolist() == [[2.0, 2.0]] * 3 and total.recursive_sequence_lengths() == [[1, 2]]
    Operator("sgd", Param="a", Grad="b", LearningRate="rate", ParamOut="a").run(scope, core.CPUPlace())
    assert np.array(scope.find_var("a").get_tensor()).tolist() == [[0.0, 0.0]] * 3


def test_operator_refuses_what_it_cannot_take():
    with pytest.raises(ValueError, match="nope is not registered"):
        Operator("nope", X="X")
    with pytest.raises(ValueError, match="X expects only one input, but 2 are given"):
        Operator("mul", X=["X", "X"], Y="Y", Out="Out")
    with pytest.raises(ValueError, match="keyword arguments"):
        Operator("mul", "X")


def test_descriptions_of_operators():
    proto = OpProtoHolder.instance().get_op_proto("dropout")
    assert [(s.name, s.duplicable, s.dispensable, s.intermediate) for s in proto.inputs] == [
        ("X", False, False, False), ("Seed", False, True, False),
    ]  # fmt: skip
    assert [(s.name, s.dispensable, s.intermediate) for s in proto.outputs] == [("Out", False, False), ("Mask", False, True)]
    assert Operator.get_op_inputs("concat")[0] == ("X", True)
    sized = {s.name: (s.duplicable, s.dispensable) for s in OpProtoHolder.instance().get_op_proto("bilinear_interp").inputs}
    assert sized["SizeTensor"] == (True, True) and sized["X"] == (False, False)
    encoded = [framework_pb2.OpProto.FromString(data) for data in fluid.core.get_all_op_protos()]
    held = OpProtoHolder.instance().op_proto_map
    assert [p.type for p in encoded] == list(held)
    for message in encoded:
        assert [(s.name, s.duplicable, s.dispensable) for s in message.inputs] == [
            (s.name, s.duplicable, s.dispensable) for s in held[message.type].inputs
        ]
        assert [(a.name, a.type) for a in message.attrs] == [(a.name, a.type) for a in held[message.type].attrs]
    assert "x_num_col_dims" in Operator.get_op_attr_names("mul")
    with pytest.raises(ValueError, match='"nope" has not been registered'):
        OpProtoHolder.instance().get_op_proto("nope")


def test_programs_of_fluid_follow_1_8_without_a_guard():
    program = fluid.Program()
    block = program.global_block()
    x = block.create_var(name="x", shape=[2, 3], dtype="float32")
    out = block.create_var(name="out", dtype="float32")
    op = block.append_op(type="mean", inputs={"X": x}, outputs={"Out": out})
    op.desc.infer_var_type(block.desc)
    op.desc.infer_shape(block.desc)
    assert out.shape == (1,)
    assert isinstance(program, fluid.Program) and isinstance(program.clone(), fluid.Program)


def test_views_of_blocks_take_names_as_bytes():
    program = fluid.Program()
    block = program.global_block()
    block.create_var(name="x", shape=[2], dtype="float32")
    block.append_op(type="relu", inputs={"X": "x"}, outputs={"Out": block.create_var(name="y", dtype="float32")})
    desc = program.desc.block(0)
    assert desc.op_size() == 1 and desc.op(0).type() == "relu" and desc.find_var(b"nobody") is None
    assert desc.find_var(b"y").shape() == [2] and desc.has_var(b"x") and desc == block.desc
    inner = program.desc.append_block(desc)
    assert inner.parent == 0 and inner.find_var_recursive(b"x").name() == "x" and inner.find_var(b"x") is None
