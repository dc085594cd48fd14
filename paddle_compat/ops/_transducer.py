"""Sums over the ways of a transducer, differentiated by hand: PyTorch records four operations a frame, and goes back through each."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.ops._recurrence import again

Tensor = torch.Tensor


def sum_of_ways(stay: Tensor, emit: Tensor, frames: Tensor, lengths: Tensor) -> Tensor:
    """The logarithm of the sum over all ways to emit a label within the frames, [N].

    Args:
        stay: [N, frames, label + 1], the logarithm of the chance to go on to the next frame.
        emit: [N, frames, label], that of emitting the next one of the label.
        frames, lengths: how many frames and how long a label each example has, [N].
    """
    out: Tensor = _Ways.apply(stay, emit, frames.long() - 1, lengths.long())
    return out


def _alphas(stay: Tensor, emit: Tensor) -> Tensor:
    """The sums over the ways to each frame and part of the label, [frames, N, label + 1]; all is told frame by frame."""
    # Within a frame, the ways to have emitted u labels come from the frame before and from u - 1: a running sum.
    emitted = F.pad(emit.cumsum(2), (1, 0))
    moves, rows = (stay[:-1] - emitted[1:]).unbind(), emitted.unbind()
    alphas = [rows[0]]
    for move, row in zip(moves, rows[1:]):
        alphas.append(torch.logcumsumexp(alphas[-1] + move, 1) + row)
    return torch.stack(alphas)


def _betas(stay: Tensor, emit: Tensor, last: Tensor, full: Tensor) -> Tensor:
    """The sums over the ways from each frame and part of the label to the end, [frames + 1, N, label + 1], as `_alphas`."""
    ends = torch.full((len(stay) + 1, *stay.shape[1:]), -torch.inf, dtype=stay.dtype, device=stay.device)
    ends[last + 1, torch.arange(len(last), device=last.device), full] = 0.0
    # the running sum goes the other way
    emitted = F.pad(emit.cumsum(2), (1, 0)).flip(2)
    moves, rows, stops = (stay.flip(2) + emitted).unbind(), emitted.unbind(), ends.flip(2).unbind()
    betas = [stops[-1]]
    for move, row, stop in zip(moves[::-1], rows[::-1], stops[-2::-1]):
        betas.append(torch.maximum(torch.logcumsumexp(betas[-1] + move, 1) - row, stop))
    return torch.stack(betas[::-1]).flip(2)


def _summed(stay: Tensor, emit: Tensor, last: Tensor, full: Tensor) -> tuple[Tensor, Tensor]:
    """The result, and the sums over the ways to each place."""
    stay, emit = stay.transpose(0, 1), emit.transpose(0, 1)
    alphas, examples = _alphas(stay, emit), torch.arange(len(last), device=last.device)
    return alphas[last, examples, full] + stay[last, examples, full], alphas


class _Ways(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, stay: Tensor, emit: Tensor, last: Tensor, full: Tensor) -> Tensor:
        out, alphas = _summed(stay, emit, last, full)
        ctx.save_for_backward(stay, emit, last, full, alphas, out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        stay, emit, last, full, alphas, out = ctx.saved_tensors
        if torch.is_grad_enabled():
            found = again(lambda a, b: _summed(a, b, last, full)[0], (stay, emit), ctx.needs_input_grad[:2], grads[0])
            return *found, None, None
        stay, emit = stay.transpose(0, 1), emit.transpose(0, 1)
        betas = _betas(stay, emit, last, full)
        # a step counts as much as the ways through it weigh among all
        over = torch.arange(len(stay), device=last.device)[:, None, None] > last[:, None]
        shift = out[:, None]
        to_stay = (alphas + stay + betas[1:] - shift).exp_().masked_fill_(over, 0.0)
        to_emit = (alphas[:, :, :-1] + emit + betas[:-1, :, 1:] - shift).exp_().masked_fill_(over, 0.0)
        return *(part.mul_(grads[0][:, None]).transpose(0, 1) for part in (to_stay, to_emit)), None, None
