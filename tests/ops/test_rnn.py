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


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
@pytest.mark.parametrize("mode", ["LSTM", "GRU", "RNN_TANH", "RNN_RELU"])
@pytest.mark.parametrize(("layers", "ways"), [(1, 1), (1, 2), (2, 2)])
def test_sequences_of_several_lengths(mode: str, layers: int, ways: int, kind: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of padded batches and PyTorch's own of packed ones: outputs, last states and all gradients."""
    generator = torch.Generator().manual_seed(1)
    steps, batch, wide, size = 6, 4, 3, 5
    gates = {"LSTM": 4, "GRU": 3}.get(mode, 1)
    shapes = [(gates * size, wide if layer == 0 else ways * size) if n == 0 else (gates * size, size) if n == 1 else (gates * size,)
              for layer in range(layers) for _ in range(ways) for n in range(4)]  # fmt: skip
    weights = [(torch.randn(shape, generator=generator, dtype=kind) / 2).requires_grad_() for shape in shapes]
    states = [
        torch.randn(layers * ways, batch, size, generator=generator, dtype=kind).requires_grad_() for _ in range(1 + (mode == "LSTM"))
    ]
    x = torch.randn(steps, batch, wide, generator=generator, dtype=kind)
    count = torch.tensor([3, 5, 1, 5])
    x = torch.where((torch.arange(steps).unsqueeze(1) < count).unsqueeze(2), x, torch.nan).requires_grad_()

    def run() -> list[torch.Tensor]:
        out, *last = rnn._stacked(x, states, weights, mode, layers, ways == 2, 0.0, True, count)
        total = sum((each * torch.arange(each.numel(), dtype=kind).view_as(each).cos()).sum() for each in (out, *last))
        return [out, *last, *torch.autograd.grad(total, [x, *states, *weights])]

    ours = run()
    monkeypatch.setattr(rnn._stacked_layers, "fits_lengths", lambda *_: False)
    for found, expected in zip(ours, run()):
        torch.testing.assert_close(found, expected)


def test_batches_that_are_mostly_empty_or_hold_empty_sequences_are_packed() -> None:
    x = torch.zeros(8, 3, 2)
    assert rnn._stacked_layers.fits_lengths(x, "LSTM", torch.tensor([8, 4, 1]))
    assert not rnn._stacked_layers.fits_lengths(x, "LSTM", torch.tensor([8, 2, 1]))
    assert not rnn._stacked_layers.fits_lengths(x, "LSTM", torch.tensor([8, 8, 0]))
    assert not rnn._stacked_layers.fits_lengths(x, "LSTM", torch.tensor([9, 9, 9]))
    assert not rnn._stacked_layers.fits_lengths(x.double(), "LSTM", torch.tensor([8, 8, 8]))
    assert rnn._stacked_layers.fits_lengths(x.double(), "GRU", torch.tensor([8, 8, 8]))
