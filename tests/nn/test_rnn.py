"""The recurrent layers of `paddle.nn` against the wheel: parameters, Programs, and what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import program_replay
import pytest

import paddle_compat as paddle
from paddle_compat.nn.layer.rnn import concat_states, split_states


@program_replay.cases("rnn")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("rnn", name, rtol=1e-4, atol=2e-5)


def numbers(value: Any) -> Any:
    """A nest of Tensors as lists, what is a tuple staying one."""
    return type(value)(map(numbers, value)) if isinstance(value, (list, tuple)) else value.flatten().tolist()


def test_states_of_stacked_layers() -> None:
    """What 2.6.2 gives."""
    h = paddle.arange(8, dtype="float32").reshape([4, 1, 2])
    both = (h, h + 10)
    assert numbers(split_states(h)) == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert numbers(split_states(h, True)) == [([0, 1], [2, 3]), ([4, 5], [6, 7])]
    assert numbers(split_states((h[:2], h[:2] + 10), False, 2)) == [([0, 1], [10, 11]), ([2, 3], [12, 13])]
    assert numbers(split_states(both, True, 2))[1] == (([4, 5], [14, 15]), ([6, 7], [16, 17]))
    for given, ways, components in ((h, False, 1), (h, True, 1), (both, False, 2), (both, True, 2)):
        again = concat_states(split_states(given, ways, components), ways, components)
        for one, other in zip([given, again] if components == 1 else given, [h, h] if components == 1 else again):
            np.testing.assert_array_equal(one.numpy(), other.numpy())
    with pytest.raises(AssertionError, match="3 tensors"):
        split_states(both, False, 3)


def test_dropout_state_is_among_the_buffers() -> None:
    """Of Paddle 2.6.2; it is neither saved nor looked at on the CPU."""
    net = paddle.nn.Sequential(paddle.nn.LSTM(3, 4), paddle.nn.GRU(4, 2, num_layers=2, direction="bidirect"))
    assert [name for name, _ in net.named_buffers()] == ["0._dropout_state", "1._dropout_state"]
    assert (net[0]._dropout_state.shape, net[0]._dropout_state.dtype) == ([], paddle.uint8)
    assert not any("dropout" in name for name in net.state_dict())
    net[0].flatten_parameters()
    assert len(net.buffers()) == 2
