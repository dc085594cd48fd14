"""Transposed convolutions whose groups do not divide the channels: what Paddle 1.8.5 gives; Paddle 2.6.2 refuses them in its functions."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid


@pytest.mark.parametrize(("rank", "shape"), [(2, [1, 5, 2, 2]), (3, [1, 5, 1, 2, 2])])
def test_channels_that_no_group_gets_are_left_out(rank: int, shape: list[int]) -> None:
    paddle.enable_static()
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.data("x", shape)
        x.stop_gradient = False
        weight = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(2.0))
        layer = getattr(fluid.layers, f"conv{rank}d_transpose")
        out = layer(x, num_filters=4, filter_size=1, groups=2, bias_attr=False, param_attr=weight)
        fluid.backward.append_backward(fluid.layers.reduce_sum(out))
    assert out.shape[1] == 4 and main.global_block().var("w").shape[:2] == (5, 2)
    with fluid.scope_guard(scope):
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        fed = {"x": np.arange(20, dtype="float32").reshape(shape)}
        value, of_x, of_w = executor.run(main, feed=fed, fetch_list=[out, "x@GRAD", "w@GRAD"])
    assert value.ravel().tolist() == [8.0, 12, 16, 20] * 2 + [40.0, 44, 48, 52] * 2
    assert of_x.ravel().tolist() == [4.0] * 16 + [0.0] * 4
    assert of_w.ravel().tolist() == [6.0, 6, 22, 22, 38, 38, 54, 54, 0, 0]


def test_groups_above_zero() -> None:
    paddle.enable_static()
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(ValueError, match="`groups` of `conv2d_transpose`"):
        fluid.layers.conv2d_transpose(fluid.data("x", [1, 5, 2, 2]), num_filters=4, filter_size=1, groups=0)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_functions_refuse(rank: int) -> None:
    paddle.disable_static()
    x, weight = paddle.ones([1, 5, *[2] * rank]), paddle.ones([5, 2, *[1] * rank])
    with pytest.raises(ValueError, match="Expected a number of channels that groups=2 divides"):
        getattr(paddle.nn.functional, f"conv{rank}d_transpose")(x, weight, groups=2)
