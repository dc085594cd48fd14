"""Losses against the wheels."""

from __future__ import annotations

import nn_replay
import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid


@nn_replay.cases("loss")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("loss", version, name, rtol=5e-5, atol=5e-6)


@pytest.mark.parametrize("shapes", [([3, 4], [4]), ([1, 4], [3, 4]), ([4], [0]), ([], [4])])
def test_a_label_of_another_shape_is_refused(shapes: tuple[list[int], list[int]]) -> None:
    x, label = paddle.full(shapes[0], 0.3), paddle.ones(shapes[1])
    with pytest.raises(ValueError, match="label"):
        paddle.nn.functional.binary_cross_entropy(x, label)


def test_labels_may_be_declared_as_floats_where_integers_are_fed() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x, y = fluid.layers.data("x", [4]), fluid.layers.data("y", [1])
        loss = fluid.layers.cross_entropy(x, y)
        executor, feed = fluid.Executor(fluid.CPUPlace()), {"x": np.full((2, 4), 0.25, "float32"), "y": np.array([[1], [3]])}
        np.testing.assert_allclose(executor.run(feed=feed, fetch_list=[loss])[0], [[1.3862944], [1.3862944]], rtol=1e-6)
        with pytest.raises(ValueError, match="`label`. Expected int32 or int64"):
            executor.run(feed={**feed, "y": feed["y"].astype("float32")}, fetch_list=[loss])
