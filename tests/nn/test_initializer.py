"""Initializers against the wheel: the operators in the startup program, and the numbers."""

from __future__ import annotations

import numpy as np
import program_replay

import paddle_compat as paddle


@program_replay.cases("initializer")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("initializer", name)


def test_a_parameter_takes_on_the_shape_of_the_values_it_is_given() -> None:
    """As in both wheels: their documentation gives a weight of [2, 2] two values, and multiplies by a vector."""
    for values in (np.full(2, 2), [2, 2], paddle.full([2], 2)):
        start = paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(values))
        layer = paddle.nn.Linear(2, 2, weight_attr=start, bias_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Assign([2])))
        assert (layer.weight.tolist(), layer.bias.tolist()) == ([2.0, 2.0], [2.0])
        assert layer(paddle.ones([1, 2])).tolist() == [6.0]
    turned = paddle.create_parameter([3, 2], "float32", default_initializer=paddle.nn.initializer.Assign(np.ones((2, 3))))
    assert turned.shape == [2, 3]
