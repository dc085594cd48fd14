"""Gradients of Programs: what `append_backward` and `gradients` take and give, as Paddle 2.6.2 does."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static


@pytest.fixture(autouse=True)
def static_mode() -> None:
    """Programs are 2.6's."""
    paddle.enable_static()


def test_gradient_that_is_zero_everywhere_can_be_fetched() -> None:
    x = static.data("x", [3])
    x.stop_gradient = False
    grads = static.gradients(paddle.sign(x), x)
    (value,) = static.Executor(paddle.CPUPlace()).run(feed={"x": np.ones(3, "float32")}, fetch_list=grads)
    assert value.dtype == np.float32
    assert value.tolist() == [0, 0, 0]
