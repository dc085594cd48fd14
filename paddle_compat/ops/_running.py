"""Running sums along a dimension that others lie behind: torch walks through each column by itself, which few processors like."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat.ops._products import only_autograd

Tensor = torch.Tensor

_WIDE = 512  # numbers behind one another that are added at once, from which on a call for them costs less than the walk


def running_sum(x: Tensor, axis: int) -> Tensor:
    """The sums of all numbers up to each one along a dimension.

    Many float32 columns are added row by row, as Paddle's kernel does, to the same bits; torch adds in float64 and rounds.
    """
    wide = x.dtype is torch.float32 and type(x) is Tensor and x.is_cpu and x.numel() >= 2 * _WIDE
    if not (wide and axis % x.dim() < x.dim() - 1 and x.numel() >= _WIDE * x.shape[axis] and only_autograd()):
        return torch.cumsum(x, axis, dtype=x.dtype)
    if x.requires_grad:
        out: Tensor = _Running.apply(x, axis)
        return out
    return _sums(x, axis)


class _Running(torch.autograd.Function):
    """`running_sum`, whose gradient runs back."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, axis: int) -> Tensor:
        ctx.axis = axis
        return _sums(x, axis)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return running_sum(grad.flip(ctx.axis), ctx.axis).flip(ctx.axis), None


def _sums(x: Tensor, axis: int) -> Tensor:
    out = torch.empty(x.shape)
    sums, numbers = (np.moveaxis(each.numpy(), axis, 0) for each in (out, x.detach()))
    add = np.add  # whose calls cost a fraction of torch's
    sums[0] = before = numbers[0]
    for number, after in zip(numbers[1:], sums[1:]):
        before = add(before, number, after)
    return out
