"""Integers that operators with a gradient made: torch has none for them, Paddle hands it on to where they came from."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from paddle_compat.core.tensor import Tensor


class Onward(NamedTuple):
    """Where integers hand a gradient on that a backward pass starts at them with."""

    edge: torch.autograd.graph.GradientEdge
    like: torch.Tensor  # without elements in memory: shape, data type and device of what is handed on, which is zero


def let_through(value: Tensor) -> Tensor:
    """What an operator with a gradient made, and torch has no gradient for: it does not say that it stops gradients.

    Args:
        value: a Tensor.
    Returns:
        `value`.
    """
    value._open = value._passed = True
    return value


def hand_on(value: Tensor, source: torch.Tensor) -> Tensor:
    """Have a backward pass that starts at integers go on where they came from, with zeros.

    Args:
        value: the integers.
        source: what an operator whose gradient is zero made them of.
    Returns:
        `value`.
    """
    if source.requires_grad and torch.is_grad_enabled():
        like = source.detach().new_empty(()).expand(source.shape)
        value._onward = Onward(torch.autograd.graph.get_gradient_edge(source), like)
    return value


class Place(torch.autograd.Function):
    """The place in the history of what a tensor was cast to, without its numbers; gradients are cut to that data type, as Paddle's are."""

    @staticmethod
    def forward(ctx: Any, source: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
        ctx.kind = kind
        return source.new_empty(()).expand(source.shape)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad.to(ctx.kind).to(grad.dtype), None


class Handed(torch.autograd.Function):
    """Numbers that stand at another tensor's place in the history."""

    @staticmethod
    def forward(ctx: Any, place: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        ctx.kind = place.dtype
        return numbers.detach()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad.to(ctx.kind), None


class Moved(torch.autograd.Function):
    """A tensor of no history itself, put at another tensor's place in it; which counts as one change in place."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        ctx.mark_dirty(value)
        return value

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[None, torch.Tensor]:
        return None, grad
