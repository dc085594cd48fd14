"""Gradients pass a split of which a loss uses some parts only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static


@pytest.mark.parametrize("cut", [lambda x: paddle.split(x, 2), lambda x: paddle.unbind(x)], ids=["split", "unbind"])
def test_parts_without_use_have_no_gradient(cut: Any) -> None:
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", [2, 3])
        x.stop_gradient = False
        parts = cut(x)
        ((_, gradient),) = static.append_backward(parts[1].sum(), parameter_list=[x])
        types = [op.type for op in static.default_main_program().global_block().ops]
        (found,) = static.Executor(paddle.CPUPlace()).run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[gradient])
    assert "fill_any_like" in types
    assert found.tolist() == [[0.0] * 3, [1.0] * 3]
