"""Single operators made of encoded descriptions, as harnesses of Paddle's unit tests make them, run on a Scope."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.base import core
from paddle_compat.base.proto import framework_pb2


def described(kind: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], **attrs: Any) -> bytes:
    """An encoded `OpDesc`."""
    desc = framework_pb2.OpDesc(type=kind)
    for slots, given in ((desc.inputs, inputs), (desc.outputs, outputs)):
        for slot, names in given.items():
            slots.add(parameter=slot, arguments=names)
    for name, value in attrs.items():
        if isinstance(value, float):
            desc.attrs.add(name=name, type=framework_pb2.FLOAT, f=value)
        else:
            desc.attrs.add(name=name, type=framework_pb2.INTS, ints=value)
    return desc.SerializeToString()


@pytest.fixture
def scope() -> core.Scope:
    """A Scope with x and y."""
    scope = core.Scope()
    scope.var("x").get_tensor().set(np.arange(6, dtype="float64").reshape(2, 3), core.CPUPlace())
    scope.var("y").get_tensor().set(np.ones((2, 3), "float64"), core.CPUPlace())
    return scope


def test_it_reads_and_writes_the_scope(scope: core.Scope) -> None:
    op = core.Operator.create(described("scale", {"X": ["x"]}, {"Out": ["out"]}, scale=2.0, bias=1.0))
    op.run(scope, core.CPUPlace())
    out = np.array(scope.find_var("out").get_tensor())
    assert out.dtype == np.float64 and out.tolist() == [[1, 3, 5], [7, 9, 11]]
    scope.find_var("x").get_tensor()._set_double_element(4, -1.0)
    op.run(scope, core.CPUPlace())
    assert np.array(scope.find_var("out").get_tensor())[1, 1] == -1


def test_lists_of_variables(scope: core.Scope) -> None:
    op = core.Operator.create(described("sum", {"X": ["x", "y"]}, {"Out": ["out"]}))
    assert (op.type(), op.inputs(), op.output_vars()) == ("sum", {"X": ["x", "y"]}, ["out"])
    op.run(scope, core.CPUPlace())
    assert np.array(scope.find_var("out").get_tensor()).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_each_age_has_its_operators(scope: core.Scope) -> None:
    for module in (core, fluid.core):
        module.Operator.create(described("mean", {"X": ["x"]}, {"Out": ["out"]})).run(scope, core.CPUPlace())
        shape = np.array(scope.find_var("out").get_tensor()).shape
        assert shape == (() if module is core else (1,))


def test_extra_attributes() -> None:
    assert core.get_op_extra_attrs("relu") == {"use_cudnn": False, "use_mkldnn": False}
    assert core.get_op_extra_attrs("nope") == {}


def test_wrong_use() -> None:
    with pytest.raises(RuntimeError, match=r"Operator \(nope\) is not registered"):
        core.Operator.create(described("nope", {}, {}))
    with pytest.raises(ValueError, match="Invalid file of an operator"):
        core.Operator.create(b"zz")


def test_outputs_that_only_a_gradient_reads_may_stay_empty() -> None:
    scope = core.Scope()
    shapes = {"x": (2, 3), "w": (4, 3), "label": (2, 1)}
    for name, shape in shapes.items():
        value = np.ones(shape, "int64" if name == "label" else "float32")
        scope.var(name).get_tensor().set(value, core.CPUPlace())
    scope.var("w_out")
    outputs = {"Out": ["out"], "PreOut": ["pre"], "W_Out": ["w_out"]}
    desc = framework_pb2.OpDesc.FromString(described("hierarchical_sigmoid", {"X": ["x"], "W": ["w"], "Label": ["label"]}, outputs))
    desc.attrs.add(name="num_classes", type=framework_pb2.INT, i=5)
    core.Operator.create(desc.SerializeToString()).run(scope, core.CPUPlace())
    assert np.array(scope.find_var("out").get_tensor()).shape == (2, 1)
    assert not scope.find_var("w_out").get_tensor()._is_initialized()


def test_arrays(scope: core.Scope) -> None:
    place, tensor = core.CPUPlace(), core.LoDTensor()
    tensor.set(np.ones((2, 3), "float64"), place)
    array = scope.var("array").get_lod_tensor_array()
    array.append(tensor)
    scope.var("i").get_tensor().set(np.array([1], "int64"), place)
    fluid.core.Operator.create(described("write_to_array", {"X": ["x"], "I": ["i"]}, {"Out": ["array"]})).run(scope, place)
    array = scope.find_var("array").get_lod_tensor_array()
    assert [np.array(part).tolist() for part in array] == [[[1, 1, 1], [1, 1, 1]], [[0, 1, 2], [3, 4, 5]]]
    fluid.core.Operator.create(described("lod_array_length", {"X": ["array"]}, {"Out": ["n"]})).run(scope, place)
    fluid.core.Operator.create(described("read_from_array", {"X": ["array"], "I": ["i"]}, {"Out": ["last"]})).run(scope, place)
    assert np.array(scope.find_var("n").get_tensor()).tolist() == [2]
    assert np.array(scope.find_var("last").get_tensor()).tolist() == [[0, 1, 2], [3, 4, 5]]
