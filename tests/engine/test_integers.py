"""Integers on the way to a loss: Paddle writes gradient operators for them, which nothing here can compute."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError


def test_a_gradient_of_integers_is_written_and_not_fetched() -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        x = paddle.static.data("x", [2])
        count = paddle.static.data("count", [2], "int64")
        x.stop_gradient = count.stop_gradient = False
        loss = paddle.sum(x * paddle.cast(count, "float32"))
        by_x, by_count = paddle.static.gradients(loss, [x, count])
    exe = paddle.static.Executor()
    feed = {"x": np.ones(2, "float32"), "count": np.array([2, 3])}
    assert by_count.dtype == count.dtype
    assert exe.run(main, feed=feed, fetch_list=[by_x])[0].tolist() == [2.0, 3.0]
    with pytest.raises(UnsupportedError, match="count@GRAD"):
        exe.run(main, feed=feed, fetch_list=[by_count])
