"""Losses against the wheels."""

from __future__ import annotations

import nn_replay
import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.ops._transducer import sum_of_ways


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


def test_ways_of_a_transducer_of_several_lengths() -> None:
    generator = torch.Generator().manual_seed(0)
    stay, emit = (
        torch.rand(3, 4, width, generator=generator, dtype=torch.float64).log().requires_grad_() for width in (3, 2)
    )
    frames, lengths = torch.tensor([4, 2, 1]), torch.tensor([1, 2, 0])

    def total(stay: torch.Tensor, emit: torch.Tensor) -> torch.Tensor:
        return sum_of_ways(stay, emit, frames, lengths)

    found = total(stay, emit)
    at, one = stay[0], emit[0, :, 0]
    ways = [at[:when, 0].sum() + one[when] + at[when:, 1].sum() for when in range(4)]
    torch.testing.assert_close(found[0], torch.stack(ways).logsumexp(0))
    torch.testing.assert_close(found[2], stay[2, 0, 0])
    assert torch.autograd.gradcheck(total, (stay, emit))
