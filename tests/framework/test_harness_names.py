"""What harnesses of Paddle's own unit tests reach for: bfloat16, checks of shapes, signatures of kernels, guards of its new IR."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.autograd import ir_backward
from paddle_compat.base import data_feeder, framework
from paddle_compat.base.framework import OpProtoHolder, canonicalize_attrs


def test_bits_of_bfloat16() -> None:
    numbers = np.array([1.5, 2.0, 1.00390625, 1.005, np.inf, -3.3], "float32")
    bits = data_feeder.convert_float_to_uint16(numbers)
    assert bits.dtype == np.uint16 and bits.tolist() == [16320, 16384, 16256, 16256, 32640, 49235]
    assert data_feeder.convert_float_to_uint16(np.zeros((2, 0), "float64")).shape == (2, 0)
    assert data_feeder.convert_uint16_to_float(np.array([[16320]], "uint16")).tolist() == [[1.5]]
    assert data_feeder.convert_uint16_to_float(np.array(16320, "int32")).shape == ()


def test_shapes_are_checked_in_static_mode() -> None:
    data_feeder.check_shape("any", "f")
    paddle.enable_static()
    sizes = {kind: paddle.static.data(kind, [2], kind) for kind in ("float32", "int32")}
    good: list[Any] = [[1, 2], (1,), [True], sizes["int32"], [sizes["int32"], 3]]
    for shape in good:
        data_feeder.check_shape(shape, "f")
    bad: list[Any] = [3, "x", [1.5], np.array([1]), sizes["float32"], [sizes["float32"]]]
    for shape in bad:
        with pytest.raises(TypeError, match="shape' in f must be"):
            data_feeder.check_shape(shape, "f")


def test_attributes_become_pythons_numbers() -> None:
    given = {"axis": np.int64(3), "names": ["a"], "scale": np.float32(2)}
    made = canonicalize_attrs(given, OpProtoHolder.instance().get_op_proto("concat"))
    assert made == {"axis": 3, "names": ["a"], "scale": 2.0} and type(made["axis"]) is int


def test_kernels_signatures() -> None:
    def signature(kind: str, **inputs: Any) -> Any:
        return framework._dygraph_tracer()._get_kernel_signature(kind, inputs, {}, {})

    some = [paddle.ones([1])]
    assert signature("relu", X=some) == (["X"], [], ["Out"])
    assert signature("reshape2", X=some) == (["X"], ["shape"], ["Out", "XShape"])
    assert signature("reshape2", X=some, Shape=some) == (["X"], ["Shape"], ["Out", "XShape"])
    assert signature("reshape2", X=some, Shape=some, ShapeTensor=some)[1] == ["ShapeTensor"]
    assert signature("dropout", X=some)[1] == ["dropout_prob", "is_test", "dropout_implementation", "seed", "fix_seed"]
    with pytest.raises(RuntimeError, match="Received: nope"):
        signature("nope")


def test_the_guard_of_the_new_ir_is_static_mode() -> None:
    with paddle.pir_utils.IrGuard():
        assert not paddle.in_dynamic_mode()
    assert paddle.in_dynamic_mode()
    paddle.enable_static()
    with paddle.pir_utils.IrGuard():
        assert not paddle.in_dynamic_mode()
    assert not paddle.in_dynamic_mode()


def test_a_test_of_both_irs_runs_once() -> None:
    ran = []

    @paddle.pir_utils.test_with_pir_api
    def case(value: int) -> int:
        ran.append(value)
        return value

    case(3)
    assert ran == [3] and case.__name__ == "case"


def test_gradients_by_the_new_irs_name() -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [2], "float32")
    x.stop_gradient = False
    y = paddle.square(x)
    first = ir_backward.grad(y, x)
    second = ir_backward.calc_gradient(y, x, None, None)
    ran = paddle.static.Executor().run(feed={"x": np.array([1, 3], "float32")}, fetch_list=[*first, *second])
    assert [value.tolist() for value in ran] == [[2, 6], [2, 6]]


def test_decomposition_says_that_it_is_not_there() -> None:
    with pytest.raises(paddle.errors.UnsupportedError, match="build_cinn_pass"):
        paddle.decomposition.decompose(None, [])
