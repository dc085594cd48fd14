"""Losses against the wheels."""

from __future__ import annotations

import nn_replay
import pytest

import paddle_compat as paddle


@nn_replay.cases("loss")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("loss", version, name, rtol=5e-5, atol=5e-6)


@pytest.mark.parametrize("shapes", [([3, 4], [4]), ([1, 4], [3, 4]), ([4], [0]), ([], [4])])
def test_a_label_of_another_shape_is_refused(shapes: tuple[list[int], list[int]]) -> None:
    x, label = paddle.full(shapes[0], 0.3), paddle.ones(shapes[1])
    with pytest.raises(ValueError, match="label"):
        paddle.nn.functional.binary_cross_entropy(x, label)
