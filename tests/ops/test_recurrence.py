"""The hand-differentiated LSTM and GRU against one sequence at a time, one step at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from paddle_compat.core.lod import lod_from_lengths
from paddle_compat.ops import rnn

Tensor = torch.Tensor
SIZE = 3
LENGTHS = [[3, 1, 4, 0, 2], [1, 1], [0, 2], [3, 3]]


def order(lengths: list[int], reverse: bool) -> list[list[int]]:
    """The rows of each sequence in the order of its steps."""
    found, at = [], 0
    for n in lengths:
        rows = list(range(at, at + n))
        found.append(rows[::-1] if reverse else rows)
        at += n
    return found


def by_step(step: Callable, x: Tensor, states: list[Tensor | None], lengths: list[int], reverse: bool) -> Tensor:
    """The first state after every row."""
    outs: dict[int, Tensor] = {}
    for i, rows in enumerate(order(lengths, reverse)):
        state = [x.new_zeros(SIZE) if s is None else s[i] for s in states]
        for row in rows:
            state = step(x[row], *state)
            outs[row] = state[0]
    return torch.stack([outs[row] for row in range(len(outs))])


def compare(ours: Tensor, reference: Tensor, inputs: list[Tensor]) -> None:
    """Values, gradients, and gradients of gradients."""
    assert torch.allclose(ours, reference)
    weights = torch.randn_like(ours)

    def grads(out: Tensor, create_graph: bool = False) -> list[Tensor]:
        found = torch.autograd.grad(out, inputs, weights, retain_graph=True, create_graph=create_graph, allow_unused=True)
        return [torch.zeros_like(i) if g is None else g for g, i in zip(found, inputs)]

    for a, b in zip(grads(ours), grads(reference)):
        assert torch.allclose(a, b, rtol=1e-8, atol=1e-10)
    twice = []
    for out in (ours, reference):
        total = sum((g.square().sum() for g in grads(out, True)), torch.zeros(()))
        second = torch.autograd.grad(total, inputs, allow_unused=True)
        twice.append([torch.zeros_like(i) if g is None else g for g, i in zip(second, inputs)])
    for a, b in zip(*twice):
        assert torch.allclose(a, b, rtol=1e-8, atol=1e-10)


def leaf(*shape: int) -> Tensor:
    return (torch.randn(shape, dtype=torch.float64) * 0.4).requires_grad_()


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("initial", [False, True])
@pytest.mark.parametrize("gate,cell,candidate", [("sigmoid", "tanh", "tanh"), ("relu", "identity", "sigmoid"), ("tanh", "relu", "relu")])
@pytest.mark.parametrize("peepholes", [False, True])
def test_lstm(lengths: list[int], reverse: bool, initial: bool, gate: str, cell: str, candidate: str, peepholes: bool) -> None:
    torch.manual_seed(5)
    x, weight, bias = leaf(sum(lengths), 4 * SIZE), leaf(SIZE, 4 * SIZE), leaf(1, 7 * SIZE)
    h0, c0 = (leaf(len(lengths), SIZE), leaf(len(lengths), SIZE)) if initial else (None, None)
    gate_act, cell_act, candidate_act = (rnn.ACTIVATIONS[name] for name in (gate, cell, candidate))
    flat = bias.reshape(-1)
    peeps = flat[4 * SIZE :].view(3, SIZE) * float(peepholes)

    def step(row: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        new, admit, keep, emit = (row + flat[: 4 * SIZE] + h @ weight).view(4, SIZE)
        c = candidate_act(new) * gate_act(admit + c * peeps[0]) + c * gate_act(keep + c * peeps[1])
        return gate_act(emit + c * peeps[2]) * cell_act(c), c

    hidden, cells = rnn.lstm.fn(
        x, h0, c0, weight, bias, use_peepholes=peepholes, is_reverse=reverse, gate_activation=gate,
        cell_activation=cell, candidate_activation=candidate, input_lod=lod_from_lengths([lengths]),
    )  # fmt: skip
    assert not cells.requires_grad
    compare(hidden, by_step(step, x, [h0, c0], lengths, reverse), [t for t in (x, h0, c0, weight, bias) if t is not None])


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("initial", [False, True])
@pytest.mark.parametrize("cell,projected", [("tanh", "tanh"), ("relu", "sigmoid"), ("tanh", "identity")])
@pytest.mark.parametrize("peepholes", [False, True])
def test_lstmp(lengths: list[int], reverse: bool, initial: bool, cell: str, projected: str, peepholes: bool) -> None:
    torch.manual_seed(8)
    fewer, count = 2, len(lengths)
    x, weight, bias, down = leaf(sum(lengths), 4 * SIZE), leaf(fewer, 4 * SIZE), leaf(1, 7 * SIZE), leaf(SIZE, fewer)
    h0, c0 = (leaf(count, fewer), leaf(count, SIZE)) if initial else (None, None)
    states = [h0, c0] if initial else [x.new_zeros(count, fewer), x.new_zeros(count, SIZE)]
    cell_act = rnn.ACTIVATIONS[cell]
    project_act = rnn.ACTIVATIONS["identity" if projected == "identity" else cell]
    flat = bias.reshape(-1)
    peeps = flat[4 * SIZE :].view(3, SIZE) * float(peepholes)

    def step(row: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        new, admit, keep, emit = (row + flat[: 4 * SIZE] + h @ weight).view(4, SIZE)
        c = torch.tanh(new) * torch.sigmoid(admit + c * peeps[0]) + c * torch.sigmoid(keep + c * peeps[1])
        return project_act((torch.sigmoid(emit + c * peeps[2]) * cell_act(c)) @ down), c

    projection, cells = rnn.lstmp.fn(
        x, h0, c0, weight, down, bias, use_peepholes=peepholes, is_reverse=reverse, cell_activation=cell,
        proj_activation=projected, input_lod=lod_from_lengths([lengths]),
    )  # fmt: skip
    assert not cells.requires_grad
    inputs = [t for t in (x, h0, c0, weight, bias, down) if t is not None]
    compare(projection, by_step(step, x, states, lengths, reverse), inputs)


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("initial", [False, True])
@pytest.mark.parametrize("act,gate", [("tanh", "sigmoid"), ("identity", "relu"), ("relu", "tanh")])
@pytest.mark.parametrize("origin_mode", [False, True])
def test_gru(lengths: list[int], reverse: bool, initial: bool, act: str, gate: str, origin_mode: bool) -> None:
    torch.manual_seed(6)
    x, weight = leaf(sum(lengths), 3 * SIZE), leaf(SIZE, 3 * SIZE)
    bias = leaf(1, 3 * SIZE) if reverse else None
    h0 = leaf(len(lengths), SIZE) if initial else None
    flat = weight.reshape(-1)
    first, second = flat[: 2 * SIZE * SIZE].view(SIZE, 2 * SIZE), flat[2 * SIZE * SIZE :].view(SIZE, SIZE)

    def step(row: Tensor, h: Tensor) -> tuple[Tensor]:
        row = row if bias is None else row + bias.reshape(-1)
        update, reset = rnn.ACTIVATIONS[gate](row[: 2 * SIZE] + h @ first).view(2, SIZE)
        candidate = rnn.ACTIVATIONS[act](row[2 * SIZE :] + (reset * h) @ second)
        return (update * h + (1 - update) * candidate if origin_mode else (1 - update) * h + update * candidate,)

    hidden = rnn.gru.fn(
        x, h0, weight, bias, activation=act, gate_activation=gate, is_reverse=reverse, origin_mode=origin_mode,
        input_lod=lod_from_lengths([lengths]),
    )  # fmt: skip
    compare(hidden, by_step(step, x, [h0], lengths, reverse), [t for t in (x, h0, weight, bias) if t is not None])


def test_the_weights_alone() -> None:
    """Where the input needs no gradient the weights still get theirs."""
    torch.manual_seed(7)
    lod = lod_from_lengths([[2, 3]])
    for run, width, biases in (
        (lambda x, w, b: rnn.lstm.fn(x, None, None, w, b, input_lod=lod)[0], 4, 7),
        (lambda x, w, b: rnn.gru.fn(x, None, w, b, input_lod=lod), 3, 3),
    ):
        x, weight, bias = leaf(5, width * SIZE), leaf(SIZE, width * SIZE), leaf(1, biases * SIZE)
        whole = torch.autograd.grad(run(x, weight, bias).sum(), [weight, bias])
        for a, b in zip(torch.autograd.grad(run(x.detach(), weight, bias).sum(), [weight, bias]), whole):
            assert torch.equal(a, b) and bool(a.any())


@pytest.mark.parametrize("size", [7, 8, 16])
@pytest.mark.parametrize("peepholes", [False, True])
def test_lstm_of_whole_vectors(size: int, peepholes: bool) -> None:
    """1.8.5's CPU kernel loses the cell's gradient where 8 divides the width; finite differences decide."""
    torch.manual_seed(8)
    x, weight, bias = leaf(5, 4 * size), leaf(size, 4 * size), leaf(1, 7 * size)

    def hidden(*inputs: Tensor) -> Tensor:
        return rnn.lstm.fn(inputs[0], None, None, *inputs[1:], use_peepholes=peepholes, input_lod=lod_from_lengths([[3, 2]]))[0]

    assert torch.autograd.gradcheck(hidden, (x, weight, bias), fast_mode=True)


def test_no_rows() -> None:
    lod = lod_from_lengths([[0, 0]])
    x, weight, bias = leaf(0, 4 * SIZE), leaf(SIZE, 4 * SIZE), leaf(1, 7 * SIZE)
    hidden, _ = rnn.lstm.fn(x, None, None, weight, bias, input_lod=lod)
    assert hidden.shape == (0, SIZE)
    assert not torch.autograd.grad(hidden.sum(), weight)[0].any()


@pytest.mark.parametrize("mode", ["GRU", "RNN_TANH", "RNN_RELU"])
@pytest.mark.parametrize("layers, bidirectional", [(1, False), (1, True), (2, False), (2, True)])
@pytest.mark.parametrize("steps", [1, 5])
def test_stacked_networks_are_torchs(mode: str, layers: int, bidirectional: bool, steps: int) -> None:
    """The networks of Paddle 2 over a padded batch, whose layers are differentiated by hand on the CPU."""
    torch.manual_seed(3)
    gates, ways, width = 3 if mode == "GRU" else 1, 2 if bidirectional else 1, 2
    x, first = leaf(steps, width, 4), leaf(layers * ways, width, SIZE)
    weights: list[Tensor] = []
    for layer in range(layers):
        fed = ways * SIZE if layer else 4
        weights += [leaf(*shape) for shape in ((gates * SIZE, fed), (gates * SIZE, SIZE), (gates * SIZE,), (gates * SIZE,))] * ways
    fused: Callable = {"GRU": torch.gru, "RNN_TANH": torch.rnn_tanh, "RNN_RELU": torch.rnn_relu}[mode]
    expected = fused(x, first, weights, True, layers, 0.0, True, bidirectional, False)
    packed = [weight for n, weight in enumerate(weights) if n % 4 < 2] + [weight for n, weight in enumerate(weights) if n % 4 > 1]
    out, (last,) = rnn.rnn.fn(
        x, [first], packed, mode=mode, num_layers=layers, is_bidirec=bidirectional, hidden_size=SIZE, input_size=4
    )
    compare(torch.cat([out.flatten(), last.flatten()]), torch.cat([part.flatten() for part in expected]), [x, first, *weights[:4]])


def test_stacked_networks_need_only_some_gradients() -> None:
    x, first = leaf(3, 2, 4).detach(), leaf(1, 2, SIZE).detach()
    weights = [leaf(*shape) for shape in ((3 * SIZE, 4), (3 * SIZE, SIZE), (3 * SIZE,), (3 * SIZE,))]
    weights[0] = weights[0].detach()
    out, _ = rnn.rnn.fn(x, [first], weights, mode="GRU", num_layers=1, hidden_size=SIZE, input_size=4)
    expected = torch.gru(x, first, weights, True, 1, 0.0, True, False, False)[0]
    compare(out, expected, weights[1:])
