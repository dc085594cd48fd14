"""Integers on the way to a loss: Paddle writes gradient operators for them, which run where somebody asks for what they give."""

from __future__ import annotations

import numpy as np

import paddle_compat as paddle


def test_a_gradient_of_integers_is_fetched_as_integers() -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        x = paddle.static.data("x", [2])
        count = paddle.static.data("count", [2], "int64")
        x.stop_gradient = count.stop_gradient = False
        loss = paddle.sum(x * paddle.cast(count, "float32"))
        by_x, by_count = paddle.static.gradients(loss, [x, count])
    exe = paddle.static.Executor()
    feed = {"x": np.array([1.5, 3.0], "float32"), "count": np.array([2, 3])}
    assert by_count.dtype == count.dtype
    assert exe.run(main, feed=feed, fetch_list=[by_x])[0].tolist() == [2.0, 3.0]
    found = exe.run(main, feed=feed, fetch_list=[by_count, by_x])
    assert (found[0].dtype, found[0].tolist(), found[1].tolist()) == (np.int64, [1, 3], [2.0, 3.0])
