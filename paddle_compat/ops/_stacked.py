"""Networks over padded batches on the CPU: a GRU or a simple one in one direction, differentiated by hand, and LSTMs by lengths.

PyTorch's own kernels record some twenty operations a step there, and the weights' gradients at each of them. As in `_recurrence`,
a step writes into its rows of buffers that hold all steps, and the weights' gradients are one product over all steps. Its LSTM
needs no such thing: oneDNN has one, which is led to heed the lengths of sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.nn import functional

from paddle_compat.ops._recurrence import IN_PLACE, Activation, Plain, again
from paddle_compat.ops.dropout import upscaled

Tensor = torch.Tensor

_SHUT = 1e4  # of whose negative the sigmoid is 0, and of itself 1, beside whatever else reaches a gate
ACTIVATION = {"RNN_TANH": torch.tanh, "RNN_RELU": torch.relu}
SLOPE: dict[Activation, Activation] = {torch.tanh: lambda out: 1.0 - out * out, torch.relu: lambda out: (out > 0).to(out.dtype)}


def fits(x: Tensor, mode: str) -> bool:
    """Whether a batch is one for these functions."""
    return type(x) is Tensor and x.is_cpu and x.dtype in (torch.float32, torch.float64) and mode != "LSTM" and x.numel() > 0


def layer(x: Tensor, state: Tensor, weights: Sequence[Tensor], mode: str, backwards: bool) -> tuple[Tensor, Tensor]:
    """The states of all steps [T, B, D] and the last one [B, D].

    Args:
        x: [T, B, I].
        state: [B, D], the first one.
        weights: for the input and the state, and the biases of both.
        mode: "GRU", "RNN_TANH" or "RNN_RELU".
        backwards: whether the last step comes first.
    """

    def plain(x: Tensor, state: Tensor, *weights: Tensor) -> Tensor:
        fused: Any = {"GRU": torch.gru, "RNN_TANH": torch.rnn_tanh, "RNN_RELU": torch.rnn_relu}[mode]
        steps = fused(x.flip(0) if backwards else x, state.unsqueeze(0), weights, True, 1, 0.0, False, False, False)[0]
        return steps.flip(0) if backwards else steps

    if mode == "GRU":
        out = _GruLayer.apply(plain, backwards, x, state, *weights)
    else:
        out = _SimpleLayer.apply(plain, backwards, ACTIVATION[mode], x, state, *weights)
    return out, out[0 if backwards else -1]


def stacked(
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    layers: int,
    bidirectional: bool,
    dropout: float,
    one: Callable[[Tensor, list[Tensor], Sequence[Tensor], bool], tuple[Tensor, ...]],
) -> tuple[Tensor, ...]:
    """Layer upon layer, in one direction or both: the outputs, and the last states.

    Args:
        x: [T, B, I].
        states: the first states, [cells, B, D] each.
        weights: cell by cell, as `layer` takes them.
        layers, bidirectional: how many cells there are.
        dropout: the chance between layers.
        one: runs a cell on its inputs, first states and weights, backwards or not: its outputs, and its last states.
    """
    last: list[list[Tensor]] = []
    for number in range(layers):
        if number and dropout:
            x = upscaled(x, dropout)
        outs = []
        for backwards in (False, True) if bidirectional else (False,):
            cell = len(last)
            out, *ends = one(x, [state[cell] for state in states], weights[4 * cell : 4 * cell + 4], backwards)
            outs.append(out)
            last.append(ends)
        x = torch.cat(outs, 2) if bidirectional else outs[0]
    return x, *(torch.stack(each) for each in zip(*last))


def fits_lengths(x: Tensor, mode: str, count: Tensor) -> bool:
    """Whether `of_lengths` takes a batch, and has less to do than PyTorch, which goes step by step through what there is."""
    plain = x.numel() > 0 and (fits(x, mode) or type(x) is Tensor and x.is_cpu and x.dtype is torch.float32)
    return plain and int(count.min()) > 0 and int(count.max()) <= len(x) and 2 * int(count.sum()) >= int(count.max()) * len(count)


def of_lengths(
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    mode: str,
    layers: int,
    bidirectional: bool,
    dropout: float,
    count: Tensor,
) -> tuple[Tensor, ...]:
    """Stacked layers over sequences of several lengths, as if they were of one: outputs [T, B, ...], 0 behind the ends, and last states.

    Backwards each sequence is turned round in itself, so that its end comes last there, too.

    Args:
        x: [T, B, I].
        states: the first states, [cells, B, D]; of an LSTM also its first cells.
        weights: cell by cell, as `layer` takes them.
        mode: as `layer` takes it, or "LSTM".
        layers, bidirectional: how many cells there are.
        dropout: the chance between layers.
        count: how many steps each sequence has, [B], one at least.
    """
    steps = len(x)
    at, column = torch.arange(int(count.max())).unsqueeze(1), torch.arange(len(count))
    inside = (at < count).unsqueeze(2)
    turned = (torch.where(at < count, count - 1 - at, at) * len(count) + column).reshape(-1)
    ends = (count - 1) * len(count) + column
    x = torch.where(inside, x[: len(at)], 0)

    def one(x: Tensor, first: Sequence[Tensor], own: Sequence[Tensor], backwards: bool) -> tuple[Tensor, ...]:
        given = x.flatten(0, 1).index_select(0, turned).view_as(x) if backwards else x
        if mode == "LSTM":
            out, *cells = _lstm_layer(given, (~inside).to(x.dtype), first, own)
        else:
            (out, _), cells = layer(given, first[0], own, mode, False), []
        rows = out.flatten(0, 1)
        return rows.index_select(0, turned).view_as(out) if backwards else out, rows.index_select(0, ends), *cells

    x, *last = stacked(x, states, weights, layers, bidirectional, dropout, one)
    return functional.pad(torch.where(inside, x, 0), (0, 0, 0, 0, 0, steps - len(at))), *last


def _lstm_layer(x: Tensor, behind: Tensor, states: Sequence[Tensor], weights: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """One direction of an LSTM by oneDNN's kernel: outputs [T, B, D], and the cells [B, D] where the sequences end.

    `behind` [T, B, 1], 1 behind an end, is one feature more, which shuts the input gate and holds the gate to the cell open, so that the
    cell stays as it is.
    """
    w_in, *others = weights
    gates = w_in.new_zeros(4, len(w_in) // 4, 1)  # input, forget, candidate, output
    gates[0], gates[1] = -_SHUT, _SHUT
    seen = [torch.cat([w_in, gates.flatten(0, 1)], 1), *others]
    out, _, cells = torch.lstm(torch.cat([x, behind], 2), [s.unsqueeze(0) for s in states], seen, True, 1, 0.0, True, False, False)
    return out, cells[0]


def _steps(buffers: Sequence[Tensor], backwards: bool) -> Iterator[tuple[Tensor, ...]]:
    """The rows of each step of several buffers [T, B, ...]."""
    columns = [buffer.unbind(0) for buffer in buffers]
    return zip(*(reversed(column) for column in columns)) if backwards else zip(*columns)


def _former(state: Tensor, out: Tensor, backwards: bool) -> Tensor:
    """The state before each step."""
    first = state.unsqueeze(0)
    return torch.cat([out[1:], first] if backwards else [first, out[:-1]])


def _of_inputs(grown: Tensor, x: Tensor, weight: Tensor, needed: Sequence[bool]) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """The gradients of an input, its weight and its bias from that of their products [T, B, G]."""
    flat = grown.flatten(0, 1)
    return (
        (flat @ weight).view_as(x) if needed[0] else None,
        flat.t() @ x.flatten(0, 1) if needed[1] else None,
        flat.sum(0) if needed[2] else None,
    )


class _GruLayer(torch.autograd.Function):
    """Gates lie reset, update, candidate."""

    @staticmethod
    def forward(
        ctx: Any, plain: Plain, backwards: bool, x: Tensor, state: Tensor, w_in: Tensor, w_state: Tensor, b_in: Tensor, b_state: Tensor
    ) -> Tensor:
        steps, batch, size = x.shape[0], x.shape[1], state.shape[1]
        gates = torch.addmm(b_in, x.flatten(0, 1), w_in.t()).view(steps, batch, 3 * size)
        from_state = torch.empty_like(gates)
        out = x.new_empty(steps, batch, size)
        parts = (gates[..., : 2 * size], *gates.split(size, 2))
        back, h = w_state.t().contiguous(), state
        for pair, reset, update, new, moved, moved_pair, moved_new, result in _steps(
            (*parts, from_state, from_state[..., : 2 * size], from_state[..., 2 * size :], out), backwards
        ):
            torch.addmm(b_state, h, back, out=moved)
            pair.add_(moved_pair).sigmoid_()
            new.addcmul_(reset, moved_new).tanh_()
            torch.lerp(new, h, update, out=result)
            h = result
        ctx.plain, ctx.backwards = plain, backwards
        ctx.save_for_backward(x, state, w_in, w_state, b_in, b_state, gates, from_state[..., 2 * size :], out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        *inputs, gates, moved, out = ctx.saved_tensors
        x, state, w_in, w_state, _, _ = inputs
        needed = ctx.needs_input_grad[2:]
        if torch.is_grad_enabled():
            return None, None, *again(ctx.plain, inputs, needed, grads[0])
        size = state.shape[1]
        former = _former(state, out, ctx.backwards)
        reset, update, new = gates.split(size, 2)
        # What the gradient of a state is multiplied by on its way to the gates and the state's part of the candidate: in one call, of which
        # each costs more than its numbers.
        to_new = torch.mul(1.0 - update, 1.0 - new * new)
        shares = gates.new_empty(*out.shape[:2], 3, size)
        to_reset, to_update, to_moved = shares.unbind(2)
        torch.sub(former, new, out=to_update).mul_(update).mul_(1.0 - update)
        torch.mul(to_new, reset, out=to_moved)
        torch.mul(to_moved, moved, out=to_reset).mul_(1.0 - reset)
        states, grown = grads[0].clone(memory_format=torch.contiguous_format), torch.empty_like(gates)
        later: tuple[Tensor, ...] = ()
        for d_state, wide, by, d_gates, d_all, kept in _steps(
            (states, states.unsqueeze(2), shares, grown.view_as(shares), grown, update), not ctx.backwards
        ):
            if later:
                d_state.addmm_(later[0], w_state).addcmul_(*later[1:])
            torch.mul(wide, by, out=d_gates)
            later = d_all, d_state, kept
        dh = torch.mul(*later[1:]).addmm_(later[0], w_state)
        _, d_w_state, d_b_state = _of_inputs(grown, former, w_state, (False, needed[3], needed[5]))
        torch.mul(states, to_new, out=grown[..., 2 * size :])  # what the candidates are made of
        d_x, d_w_in, d_b_in = _of_inputs(grown, x, w_in, (needed[0], needed[2], needed[4]))
        return None, None, d_x, dh, d_w_in, d_w_state, d_b_in, d_b_state


class _SimpleLayer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, plain: Plain, backwards: bool, act: Activation, x: Tensor, state: Tensor, w_in: Tensor, w_state: Tensor, b_in: Tensor,
        b_state: Tensor,
    ) -> Tensor:  # fmt: skip
        out = torch.addmm(b_in + b_state, x.flatten(0, 1), w_in.t()).view(*x.shape[:2], state.shape[1])
        back, h = w_state.t().contiguous(), state
        activate = IN_PLACE[act]
        for (result,) in _steps((out,), backwards):
            h = activate(result.addmm_(h, back))
        ctx.plain, ctx.backwards, ctx.act = plain, backwards, act
        ctx.save_for_backward(x, state, w_in, w_state, b_in, b_state, out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        *inputs, out = ctx.saved_tensors
        x, state, w_in, w_state, _, _ = inputs
        needed = ctx.needs_input_grad[3:]
        if torch.is_grad_enabled():
            return None, None, None, *again(ctx.plain, inputs, needed, grads[0])
        grown, slopes = grads[0].clone(memory_format=torch.contiguous_format), SLOPE[ctx.act](out)
        later: Tensor | None = None
        for d_out, slope in _steps((grown, slopes), not ctx.backwards):
            later = (d_out if later is None else d_out.addmm_(later, w_state)).mul_(slope)
        assert later is not None  # there is a step
        dh = later @ w_state
        _, d_w_state, d_b_state = _of_inputs(grown, _former(state, out, ctx.backwards), w_state, (False, needed[3], needed[5]))
        d_x, d_w_in, d_b_in = _of_inputs(grown, x, w_in, (needed[0], needed[2], needed[4]))
        return None, None, None, d_x, dh, d_w_in, d_w_state, d_b_in, d_b_state
