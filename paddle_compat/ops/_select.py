"""Choosing between numbers element by element, without a jump for each of them.

On the CPU `torch.where` and comparisons that give booleans go element by element: a quarter of a million random choices take a
millisecond, twenty times as long as arithmetic, which works on whole registers. What stands here does arithmetic instead: on the
bits where every number has to stay as it is, and with ones and zeros where Paddle's own gradients multiply with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.ops._products import only_autograd

Tensor = torch.Tensor

# the whole numbers that hold an element's bits
_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
# below so many elements the calls cost more than the jumps
SMALL = 2048


def ones_where(compare: Callable[..., Tensor], x: Tensor, y: Any) -> Tensor:
    """1 where a comparison (torch.gt, ...) holds and 0 elsewhere, in x's own type. Takes no gradient."""
    x = x.detach()
    if isinstance(y, Tensor):
        return compare(x, y.detach(), out=x.new_empty(0) if x.shape != y.shape else torch.empty_like(x))
    return compare(x, y, out=torch.empty_like(x))


def least(x: Tensor) -> float:
    """The least element, NaN where one is NaN. Few and cheap calls: on a small tensor they cost as much as what is asked about."""
    return (x.data if x.requires_grad else x).min().item()


def holds_nan(x: Tensor) -> bool:
    """Whether an element is NaN, or may be: while a graph is traced values are not known."""
    if type(x) is not Tensor:
        return True
    if x.is_cpu and x.numel() < SMALL:
        return not torch.equal(x, x)  # NaN alone is not equal to itself
    return bool(x.numel()) and math.isnan(least(x))


def is_finite(x: Tensor) -> bool:
    """Whether no element is NaN or an infinity, as far as is known while a graph is traced."""
    if type(x) is not Tensor:
        return False
    x = x.data if x.requires_grad else x
    if x.numel() < SMALL and math.isfinite(x.sum().item()):  # a sum of finite numbers may be none, but not the other way round
        return True
    return all(math.isfinite(bound) for bound in torch.stack(torch.aminmax(x)).tolist())


def is_small(x: Tensor) -> bool:
    """Whether it is worth a look at the values of x whether torch's own derivative, which needs no Python, is Paddle's."""
    return x.is_cpu and type(x) is Tensor and 0 < x.numel() < SMALL


class _Keep(torch.autograd.Function):
    """x where a mask of bits is set, 0 elsewhere."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, mask: Tensor) -> Tensor:
        ctx.save_for_backward(mask)
        out = torch.empty_like(x)
        torch.bitwise_and(x.view(mask.dtype), mask, out=out.view(mask.dtype))
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return _Keep.apply(grad, *ctx.saved_tensors), None


def _selected(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    mask = condition.to(_BITS[x.itemsize]).neg_()
    out, other = torch.empty_like(x), y.view(mask.dtype)
    bits = out.view(mask.dtype)
    torch.bitwise_xor(x.view(mask.dtype), other, out=bits)
    bits.bitwise_and_(mask).bitwise_xor_(other)
    return out


class _Select(torch.autograd.Function):
    """x where the condition holds, y elsewhere."""

    @staticmethod
    def forward(ctx: Any, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        ctx.save_for_backward(condition)
        return _selected(condition, x, y)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor | None, Tensor | None]:
        mask = ctx.saved_tensors[0].to(_BITS[grad.itemsize]).neg_()
        _, to_x, to_y = ctx.needs_input_grad
        of_x = _Keep.apply(grad, mask) if to_x else None
        return None, of_x, _Keep.apply(grad, mask.bitwise_not()) if to_y else None


def select(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """x where the condition holds, y elsewhere: `torch.where`."""
    if (
        type(x) is not Tensor
        or not x.is_cpu
        or x.numel() < SMALL
        or condition.dtype is not torch.bool
        or x.dtype is not y.dtype
        or x.itemsize not in _BITS
        or not condition.dim() == x.dim() == y.dim()  # asked first, as sizes that differ in number are compared one by one, too
        or not condition.shape == x.shape == y.shape
    ):
        return torch.where(condition, x, y)
    if type(x) is type(y) is type(condition) is Tensor and not (x.requires_grad or y.requires_grad) and only_autograd():
        return _selected(condition, x, y)
    return _Select.apply(condition, x, y)
