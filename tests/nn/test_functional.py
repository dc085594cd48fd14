"""`paddle.nn.functional` against the wheel: the Programs, and what they compute."""

from __future__ import annotations

import math

import numpy as np
import program_replay

import paddle_compat as paddle


@program_replay.cases("functional")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("functional", name, rtol=1e-4, atol=2e-5)


def test_maxout_compares_what_is_no_number_as_the_wheel() -> None:
    """2.6.2 gives NaN where it stands last, and the gradient to the first of equal numbers."""
    x = paddle.to_tensor([[math.nan, 1.0], [1.0, math.nan], [2.0, 2.0]]).reshape([3, 2, 1, 1])
    x.stop_gradient = False
    out = paddle.nn.functional.maxout(x, 2)
    out.sum().backward()
    np.testing.assert_array_equal(out.numpy().ravel(), [1.0, math.nan, 2.0])
    assert x.grad.numpy().reshape(3, 2)[::2].tolist() == [[0.0, 1.0], [1.0, 0.0]]
