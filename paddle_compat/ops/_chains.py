"""All paths of tags through sequences: the sum over them, and the likeliest one.

Paths are weighed by a score for each tag at each step, and by Paddle's table of transitions: weights of starting in a tag, of ending in a
tag, and of going from a tag (row) to another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

Tensor = torch.Tensor


def split(transition: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Weights of starting in a tag, of ending in a tag, of going from a tag to another."""
    return transition[0], transition[1], transition[2:]


def forward_shares(x: Tensor, transition: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """How likely each tag is at each step, given the steps up to it alone, and what leads there.

    Args:
        x: the scores, [B, T, tags], finite.
        transition: the table.
    Returns:
        The shares [T, B, tags]; the weights of going from a tag to another, which are 1 at most; the weights of the tags at each step; and
        the logarithm [T, B] of what the shares of a step were divided by, and the weights before.
    """
    x, (start, _, step) = x.detach(), split(transition.detach())
    # what the ways to a tag have in common goes to the tag's own score
    common = step.amax(0)
    ways = (step - common).exp()
    scores = torch.cat([x[:, :1] + start, x[:, 1:] + common], 1).transpose(0, 1).contiguous()
    greatest = scores.amax(2, keepdim=True)
    weights = (scores - greatest).exp()
    shares, sums, now = list[Tensor](), list[Tensor](), None
    for weight in weights.unbind():
        now = weight if now is None else torch.mm(now, ways).mul_(weight)
        sums.append(now.sum(1, keepdim=True))
        now = now / sums[-1]
        shares.append(now)
    divisors = torch.stack(sums)
    return torch.stack(shares), ways, weights / divisors, (divisors.log() + greatest).squeeze(2)


class _Total(torch.autograd.Function):
    """The forward and backward algorithm: its gradient is how likely each tag is, and each step from one to another."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, transition: Tensor, there: Tensor) -> Tensor:
        shares, ways, weights, logarithms = forward_shares(torch.where(there.unsqueeze(2), x, 0), transition)
        inside = there.t()
        last = (inside.sum(0) - 1).clamp(min=0), torch.arange(len(x), device=x.device)
        end = transition[1]
        ends = (end - end.amax()).exp()
        ending = shares[last] @ ends
        ctx.save_for_backward(shares, ways, weights, inside, ends / ending.unsqueeze(1))
        ctx.last = last
        return torch.where(inside, logarithms, 0).sum(0) + ending.log() + end.amax()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        shares, ways, weights, inside, ends = ctx.saved_tensors
        inside = inside.unsqueeze(2)
        shares, weights = torch.where(inside, shares, 0), torch.where(inside, weights, 0)
        # how much likelier a tag is in the light of all steps, from the last one to the first
        ending = torch.zeros_like(shares).index_put(ctx.last, ends)
        rest, back = [ending[-1]], ways.t()
        for weight, end in zip(weights.flip(0).unbind(), ending[:-1].flip(0).unbind()):
            rest.append(torch.addmm(end, weight * rest[-1], back))
        light = torch.stack(rest[::-1])
        likely = shares * light * grad.unsqueeze(1)
        weights = weights * light * grad.unsqueeze(1)
        moves = ways * torch.mm(shares[:-1].flatten(0, 1).t(), weights[1:].flatten(0, 1))
        table = torch.cat([likely[0].sum(0, keepdim=True), likely[ctx.last].sum(0, keepdim=True), moves])
        return likely.transpose(0, 1), table, None


def total(x: Tensor, transition: Tensor, there: Tensor) -> Tensor:
    """The logarithm of the sum of the exponentials of all paths' weights, [B].

    Args:
        x: the scores, [B, T, tags].
        transition: the table.
        there: which steps there are, [B, T], at the beginning of each sequence; those of a sequence without any do not count.
    """
    found: Tensor = _Total.apply(x, transition, there)
    return found


def likeliest(x: Tensor, start: Tensor, step: Tensor, end: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
    """The path of the greatest weight through each sequence.

    Args:
        x: the scores, [B, T, tags]; T is 1 at least.
        start: the weight of starting in each tag.
        step: [tags, tags], of going from one (row) to another.
        end: of ending in each tag, which an empty sequence does not.
        count: how many steps each sequence has.
    Returns:
        The weights [B], and the paths [B, T], int64, which are 0 behind their ends.
    """
    # by NumPy, whose calls cost less than torch's, as most of what is to be done is little
    scores, begins, ways, ends = (each.detach().cpu().numpy() for each in (x, start, step, end))
    lengths = count.detach().cpu().numpy()
    # the longest first, so that those that go on at a step are the first ones
    order = np.argsort(-lengths, kind="stable")
    lengths = lengths[order]
    going = [many for many in (lengths > np.arange(scores.shape[1])[:, None]).sum(1).tolist() if many]
    scores = np.ascontiguousarray(scores[order, : len(going) or 1].swapaxes(0, 1))
    best = np.empty_like(scores)
    np.add(scores[0], begins, out=best[0])
    room, steps = np.empty(ways.size * len(order), ways.dtype), ways[:, None]
    for t, many in enumerate(going[1:], 1):
        # [from, sequences, to]: the greatest of whole rows
        sums = room[: ways.size * many].reshape(len(ways), many, -1)
        np.add(best[t - 1, :many].T[:, :, None], steps, out=sums)
        np.add(sums.max(0), scores[t, :many], out=best[t, :many])
    last = best[np.maximum(lengths - 1, 0), np.arange(len(lengths))]
    last[lengths > 0] += ends
    tags = last.argmax(1)
    path = np.zeros(x.shape[:2], np.int64)
    back = np.ascontiguousarray(ways.T)
    for t in range(len(going) - 1, -1, -1):
        many = going[t]
        path[:many, t] = tags[:many]
        if t:
            tags[:many] = (best[t - 1, :many] + back[tags[:many]]).argmax(1)
    values, paths = np.empty_like(last[:, 0]), np.empty_like(path)
    values[order], paths[order] = last.max(1), path
    return torch.from_numpy(values).to(x.device), torch.from_numpy(paths).to(x.device)
