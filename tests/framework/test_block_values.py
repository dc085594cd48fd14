"""In eager mode a Block makes Tensors, which operators given by their slots fill."""

from __future__ import annotations

import pytest

import paddle_compat as paddle
from paddle_compat.base import core, dygraph


def test_values_and_parameters() -> None:
    with dygraph.guard():
        block = paddle.static.default_main_program().global_block()
        value = block.create_var(name="v", shape=[2, 3], dtype="int64", persistable=True)
        assert type(value) is paddle.Tensor and (value.name, value.shape, value.persistable) == ("v", [2, 3], True)
        assert value.dtype == paddle.int64 and value.stop_gradient
        parameter = block.create_parameter(shape=[2], dtype="float32", name="p", initializer=paddle.nn.initializer.Constant(2.0))
        assert parameter.numpy().tolist() == [2.0, 2.0] and parameter.name == "p" and parameter.trainable
        assert not parameter.stop_gradient
        with pytest.raises(ValueError, match="shape"):
            block.create_parameter(shape=[-1], dtype="float32")
        x = paddle.to_tensor([1.0], stop_gradient=False)
        out = block.create_var(dtype="float32")
        block.append_op(type="scale", inputs={"X": x}, outputs={"Out": out}, attrs={"scale": 3.0})
        out.backward()
        assert out.item() == x.grad.item() == 3.0 and not block.vars


def test_classes_of_classes() -> None:
    assert {type(c).__name__ for c in (paddle.Tensor, core.eager.Tensor, paddle.nn.Linear)} == {"type"}
