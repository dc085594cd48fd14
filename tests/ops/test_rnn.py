"""Recurrent operators against the wheels."""

from __future__ import annotations

import pytest
import sequence_replay
import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.lod import lod_from_lengths
from paddle_compat.ops import rnn


@sequence_replay.cases("recurrent", "stacked")
def test_as_the_wheel(family: str, name: str) -> None:
    sequence_replay.replay(family, name)


def test_packed_weights_are_those_of_the_layers() -> None:
    """Real Paddle 1.8 has `cudnn_lstm` on GPUs only: its one buffer holds the list of 2.6's `rnn`."""
    torch.manual_seed(3)
    shapes = [(12, 4), (12, 3)] * 2 + [(12, 6), (12, 3)] * 2 + [(12,)] * 8
    weights = [torch.randn(shape) for shape in shapes]
    x, h, c = torch.randn(5, 2, 4), torch.randn(4, 2, 3), torch.randn(4, 2, 3)
    sizes = {"input_size": 4, "hidden_size": 3, "num_layers": 2, "is_bidirec": True}
    out, states = rnn.rnn.fn(x, [h, c], weights, mode="LSTM", **sizes)
    packed = torch.cat([w.reshape(-1) for w in weights])
    for ours, expected in zip(rnn.cudnn_lstm.fn(x, h, c, packed, **sizes), (out, *states)):
        assert torch.equal(ours, expected)
    with pytest.raises(InvalidArgumentError, match="numbers"):
        rnn.cudnn_lstm.fn(x, h, c, packed[1:], **sizes)


def test_weights_take_part_where_no_second_step_uses_them() -> None:
    x, weight, bias = torch.randn(3, 8), torch.randn(2, 8, requires_grad=True), torch.randn(1, 14)
    hidden, _ = rnn.lstm.fn(x, None, None, weight, bias, input_lod=lod_from_lengths([[1, 1, 1]]))
    (grad,) = torch.autograd.grad(hidden.sum(), weight)
    assert not grad.any()


def test_wrong_use() -> None:
    x, weight, bias = torch.randn(3, 8), torch.randn(2, 8), torch.randn(1, 14)
    with pytest.raises(InvalidArgumentError, match="a LoD tensor"):
        rnn.lstm.fn(x, None, None, weight, bias)
    with pytest.raises(InvalidArgumentError, match="swish"):
        rnn.lstm.fn(x, None, None, weight, bias, gate_activation="swish", input_lod=lod_from_lengths([[3]]))
    with pytest.raises(InvalidArgumentError, match="ELMAN"):
        rnn.rnn.fn(x, [x], [x], mode="ELMAN")
