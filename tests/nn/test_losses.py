"""The losses of `paddle.nn.functional` against the wheel: the Programs, and what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import program_replay
import pytest

import paddle_compat as paddle
from paddle_compat.base import create_lod_tensor

SAID, MEANT = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[1, 3, 4], [4, 5, 8]])


@program_replay.cases("losses")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("losses", name, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize(("normalized", "expected"), [(False, [[2.0], [2.0]]), (True, [[2 / 3], [2.0]])])
def test_distances_of_padded_sequences(normalized: bool, expected: list[list[float]]) -> None:
    paddle.disable_static()
    values = [paddle.to_tensor(v) for v in (SAID, MEANT, [2, 3], [3, 1])]
    count, distance = paddle.nn.functional.loss.edit_distance(*values[:2], normalized, None, *values[2:])
    assert (count.tolist(), count.dtype, distance.dtype) == ([2], paddle.int64, paddle.float32)
    np.testing.assert_allclose(distance.numpy(), expected, rtol=1e-6)


def test_distances_of_sequences_without_some_ids() -> None:
    paddle.enable_static()
    main, distances = paddle.static.Program(), paddle.nn.functional.loss.edit_distance
    with paddle.static.program_guard(main):
        said, meant = (paddle.static.data(name, [None, 1], "int64", lod_level=1) for name in ("said", "meant"))
        distance, count = distances(said, meant, False, [1])
    assert (distance.name, distance.shape, count.name, count.shape) == ("edit_distance_0.tmp_2", (-1, 1), "edit_distance_0.tmp_3", (1,))
    place = paddle.CPUPlace()
    feed = {
        "said": create_lod_tensor(SAID.reshape(-1, 1), [[2, 4]], place),
        "meant": create_lod_tensor(MEANT.reshape(-1, 1), [[3, 3]], place),
    }
    found = paddle.static.Executor().run(main, feed=feed, fetch_list=[distance, count])
    assert [value.tolist() for value in found] == [[[2.0], [2.0]], [2]]


def test_distances_need_ids_and_lengths() -> None:
    paddle.disable_static()
    said: Any = paddle.to_tensor(SAID)
    with pytest.raises(TypeError, match="`input` of `edit_distance`.*int32"):
        paddle.nn.functional.loss.edit_distance(said.astype("int32"), said)
    with pytest.raises(ValueError, match="`Hyps`"):
        paddle.nn.functional.loss.edit_distance(said, said)
    with pytest.raises(ValueError, match="not empty"):
        paddle.nn.functional.loss.edit_distance(said, said, True, None, paddle.to_tensor([1, 1]), paddle.to_tensor([0, 1]))
