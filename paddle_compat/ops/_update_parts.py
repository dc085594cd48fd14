"""What the update operators have in common: their numbers, their master copies, their last line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

import numpy as np
import torch

Tensor = torch.Tensor
Number = float | Tensor


class Double(float):
    """A coefficient that reaches the operator as it is, not by way of a float32 attribute."""

    def __repr__(self) -> str:
        return f"Double({float(self)})"


@cache
def late(device: torch.device) -> Tensor:
    """A step count at which torch's kernels correct no bias."""
    return torch.tensor(1e9, device=device)


def single(value: float) -> float:
    """A coefficient as the float32 number that Paddle keeps: 1 - 0.999 is 0.00099999 there."""
    return value if type(value) is Double else _rounded(value)


@cache
def _rounded(value: float) -> float:
    return float(np.float32(value))


def number(value: Tensor) -> Number:
    """A tensor of one element as a number where that costs nothing, which is on the CPU (not so for what is being traced)."""
    return float(value.item()) if value.device.type == "cpu" and type(value) is Tensor else value


def skipped(skip: Tensor | None) -> bool:
    """Whether a step is left out; shapes, which is all that is asked of the meta device, are those of one that is made."""
    return skip is not None and skip.device.type != "meta" and bool(skip)


def wide(param: Tensor, master: Tensor | None) -> Tensor:
    """What takes the step: the parameter, or its float32 master copy."""
    return param if master is None else master


def narrow(param: Tensor, master: Tensor | None) -> Tensor:
    """The parameter after its step, copied from its master where it has one."""
    return param if master is None else param.copy_(master)


def dense(grad: Tensor, like: Tensor) -> Tensor:
    """A gradient of the type and shape of what it changes; rows that a sparse one lacks are zero."""
    if grad.is_sparse:
        grad = grad.to_dense()
    return grad if grad.dtype == like.dtype else grad.to(like.dtype)


_add_up: ContextVar[Callable[[Tensor], Tensor] | None] = ContextVar("_add_up", default=None)


@contextmanager
def on_pieces(add_up: Callable[[Tensor], Tensor] | None) -> Iterator[None]:
    """Inside, updates are given pieces of parameters.

    Args:
        add_up: makes of numbers the sums of those that all pieces have; None: what is given is whole.
    """
    former = _add_up.set(add_up)
    try:
        yield
    finally:
        _add_up.reset(former)


def norms(*values: Tensor) -> tuple[Tensor, ...]:
    """The norm of each tensor; of pieces, those of what they are pieces of."""
    add_up = _add_up.get()
    if add_up is None:
        return tuple([value.norm() for value in values])
    return add_up(torch.stack([value.square().sum() for value in values])).sqrt().unbind()


def move(target: Tensor, direction: Tensor, speed: Number) -> None:
    """target -= speed * direction."""
    if isinstance(speed, float):
        target.add_(direction, alpha=-speed)
    else:
        target.sub_(direction * speed.to(direction.dtype))


def moments(grad: Tensor, moment1: Tensor, moment2: Tensor, beta1: Number, beta2: Number) -> None:
    """Moment1 = beta1 * Moment1 + (1 - beta1) * Grad, and Moment2 likewise of Grad^2."""
    if isinstance(beta1, float) and isinstance(beta2, float):
        moment1.mul_(beta1).add_(grad, alpha=1 - beta1)
        moment2.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    else:
        moment1.mul_(beta1).add_(grad * (1 - beta1))
        moment2.mul_(beta2).add_(grad * grad * (1 - beta2))


def adam_step(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1: Number,
    beta2: Number,
    tiny: Number,
    speed: Number,
    largest: Tensor | None = None,
) -> None:
    """Both moments, then param -= speed * Moment1 / (sqrt(Moment2) + tiny); `largest`: under the root is the largest Moment2 so far."""
    most = [] if largest is None else [largest]
    tensors = (param, grad, moment1, moment2, *most)
    if (
        isinstance(beta1, float)
        and isinstance(beta2, float)
        and isinstance(tiny, float)
        and isinstance(speed, float)
        and all(t.is_contiguous() and t.dtype is param.dtype for t in tensors)
    ):
        # one pass of torch's own kernel; the bias correction is part of `speed` and `tiny`
        torch._fused_adam_(
            [param], [grad], [moment1], [moment2], most, [late(param.device)], lr=speed, beta1=beta1, beta2=beta2, weight_decay=0.0,
            eps=tiny, amsgrad=bool(most), maximize=False,
        )  # fmt: skip
        return
    moments(grad, moment1, moment2, beta1, beta2)
    under = moment2 if largest is None else torch.maximum(largest, moment2, out=largest)
    move(param, moment1 / under.sqrt().add_(tiny), speed)


def sign_shrink(param: Tensor, speed: Number, l1: float, l2: float) -> Tensor:
    """The proximal step: towards zero by speed * l1, then divided by 1 + speed * l2."""
    shrunk = param.sign() * (param.abs() - speed * l1).clamp_(min=0) if l1 > 0 else param
    return param.copy_(shrunk / (1 + speed * l2))


def gaussian(seed: int) -> float:
    """The number that Paddle's `dpsgd` adds: the first of the polar method over a fresh minstd_rand; 0: any number."""
    if seed == 0:
        return float(torch.randn(()))
    from paddle_compat.core.engines import Minstd

    engine = Minstd(seed)
    while True:
        x, y = (2 * ((word - 1) / (2**31 - 2)) - 1 for word in engine.take(2).tolist())
        length = x * x + y * y
        if 0 < length < 1:
            return float(x * math.sqrt(-2 * math.log(length) / length))
