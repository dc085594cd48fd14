"""Integers that operators with a gradient made: torch has none for them, Paddle hands it on to where they came from."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from paddle_compat.core.tensor import Tensor, wrapped


class Onward(NamedTuple):
    """Where integers hand a gradient on that a backward pass starts at them with."""

    edge: torch.autograd.graph.GradientEdge
    like: torch.Tensor  # without elements in memory: shape, data type and device of what is handed on
    zero: bool  # zeros are handed on, whatever comes
    place: torch.Tensor | None = None  # for what a cast makes of the integers: a place in the history, without elements in memory


def let_through(value: Tensor) -> Tensor:
    """What an operator with a gradient made, and torch has no gradient for: it does not say that it stops gradients.

    Args:
        value: a Tensor.
    Returns:
        `value`.
    """
    value._open = value._passed = True
    return value


def hand_on(value: Tensor, source: torch.Tensor, zero: bool) -> Tensor:
    """Have a backward pass that starts at integers go on where they came from.

    Args:
        value: the integers.
        source: what an operator made them of.
        zero: whether the operator's gradient is zero.
    Returns:
        `value`.
    """
    if source.requires_grad and torch.is_grad_enabled():
        like = source.detach().new_empty(()).expand(source.shape)
        value._onward = Onward(torch.autograd.graph.get_gradient_edge(source), like, zero)
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


def cast_onward(value: Tensor, source: torch.Tensor) -> Tensor:
    """`hand_on` for integers that a cast made, which a cast may make numbers with a gradient of again."""
    hand_on(value, source, zero=False)
    assert value._onward is not None
    value._onward = value._onward._replace(place=Place.apply(source, value._t.dtype))
    return value


def cast_again(value: Tensor, out: Tensor) -> Tensor:
    """What a cast makes of integers: as in Paddle, its gradient goes on to what they were cast from.

    Args:
        value: the integers.
        out: the numbers that the cast made.
    Returns:
        `out`, or its numbers with that history.
    """
    onward = value._onward
    if onward is None or onward.place is None or not value._open or not torch.is_grad_enabled():
        return out
    if out._t.is_floating_point() or out._t.is_complex():
        return wrapped(Handed.apply(onward.place, out._t))
    let_through(out)
    out._onward = onward._replace(place=Place.apply(onward.place, out._t.dtype))
    return out
