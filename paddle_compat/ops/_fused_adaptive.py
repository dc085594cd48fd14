"""As `ops._fused_updates` for the operators of `ops.optimizer_adaptive`: on the CPU, lists of tensors through torch's own loops.

Each pass over small parameters is one call instead of one for each of them; large ones are taken in blocks, so that all passes
over a block find it in the processor's cache. Quotients and means are added where they are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from paddle_compat.ops._fused_updates import groups, masters, one_by_one, rate_groups, taken
from paddle_compat.ops._update_parts import single

Tensor = torch.Tensor
_STEP = torch.ones(())
BLOCK = 1 << 18  # elements


def _blocks(*columns: list[Tensor]) -> Iterator[list[list[Tensor]]]:
    """The columns in parts of at most BLOCK elements each: of several small tensors, or of a piece of a large one."""
    part: list[list[Tensor]] = [[] for _ in columns]
    size = 0
    for row in zip(*columns):
        count = row[0].numel()
        if count > BLOCK:
            for pieces in zip(*(tensor.view(-1).split(BLOCK) for tensor in row)):
                yield [[piece] for piece in pieces]
            continue
        if size + count > BLOCK:
            yield part
            part, size = [[] for _ in columns], 0
        for tensors, tensor in zip(part, row):
            tensors.append(tensor)
        size += count
    if part[0]:
        yield part


def _elsewhere(type_: str, columns: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
    """Whether the operators are not on the CPU; there they run one by one."""
    if columns[0][0].device.type == "cpu":
        return False
    one_by_one(type_, columns, attrs)
    return True


@torch.no_grad()
def adagrad(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`adagrad` operators."""
    out = columns[0], columns[2], masters(columns, 4)
    if not _elsewhere("adagrad", columns, attrs):
        params, grads, moments, rates = taken("adagrad", columns, attrs, wide=(0, 1, 2), optional=4)
        for rate, (some, theirs, sums) in rate_groups(rates, params, grads, moments):
            torch._fused_adagrad_(
                some, theirs, sums, [_STEP] * len(some), lr=rate, lr_decay=0.0, weight_decay=0.0,
                eps=single(attrs.get("epsilon", 1e-6)), maximize=False,
            )  # fmt: skip
    return out


@torch.no_grad()
def adamax(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`adamax` operators."""
    out = columns[0], columns[3], columns[4], masters(columns, 6)
    if _elsewhere("adamax", columns, attrs):
        return out
    params, grads, rates, moments, norms, powers = taken("adamax", columns, attrs, wide=(0, 1, 3, 4), optional=6)
    speeds = [rate.item() / (1 - power.item()) for rate, power in zip(rates, powers)]
    beta1, beta2 = single(attrs.get("beta1", 0.9)), single(attrs.get("beta2", 0.999))
    for speed, lists in groups(speeds, params, grads, moments, norms):
        for some, theirs, first, largest in _blocks(*lists):
            torch._foreach_lerp_(first, theirs, 1 - beta1)
            torch._foreach_mul_(largest, beta2)
            torch._foreach_add_(largest, single(attrs.get("epsilon", 1e-8)))
            torch._foreach_maximum_(largest, torch._foreach_abs(theirs))
            torch._foreach_addcdiv_(some, first, largest, value=-speed)
    return out


@torch.no_grad()
def adadelta(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`adadelta` operators."""
    out = columns[0], columns[2], columns[3], masters(columns, 5)
    if len(columns) < 5 or columns[4] is None or any(rate is None for rate in columns[4]):  # as in Paddle 1.8
        one_by_one("adadelta", columns, attrs)
        return out
    if _elsewhere("adadelta", columns, attrs):
        return out
    params, grads, squares, updates, rates = taken("adadelta", columns, attrs, wide=(0, 1, 2, 3), optional=5)
    rho, epsilon = single(attrs.get("rho", 0.95)), single(attrs.get("epsilon", 1e-6))
    for rate, lists in rate_groups(rates, params, grads, squares, updates):
        for some, theirs, square, former in _blocks(*lists):
            torch._foreach_mul_(square, rho)
            torch._foreach_addcmul_(square, theirs, theirs, 1 - rho)
            step = torch._foreach_add(former, epsilon)
            torch._foreach_div_(step, torch._foreach_add(square, epsilon))
            torch._foreach_sqrt_(step)
            torch._foreach_mul_(step, theirs)
            torch._foreach_mul_(former, rho)
            torch._foreach_addcmul_(former, step, step, 1 - rho)
            torch._foreach_add_(some, step, alpha=-rate)
    return out


@torch.no_grad()
def rmsprop(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`rmsprop` operators."""
    out = columns[0], columns[3], columns[1], masters(columns, 5), masters(columns, 6)
    if _elsewhere("rmsprop", columns, attrs):
        return out
    centered = bool(attrs.get("centered", False))
    used = 6 if centered else 5
    if not centered and len(columns) > 5:  # a mean of gradients that is there and not used stays as it is
        columns = (*columns[:5], None, *columns[6:])
    lists = taken("rmsprop", columns, attrs, wide=(0, 1, 2, 3, 5)[: used - 1], optional=used)
    params, squares, grads, moments, rates = lists[:5]
    decay, means = single(attrs.get("decay", 0.9)), [lists[5]] if centered else []
    for rate, group in rate_groups(rates, params, squares, grads, moments, *means):
        for some, square, theirs, moment, *mean in _blocks(*group):
            torch._foreach_mul_(square, decay)
            torch._foreach_addcmul_(square, theirs, theirs, 1 - decay)
            spread = torch._foreach_add(square, single(attrs.get("epsilon", 1e-10)))
            if centered:
                torch._foreach_lerp_(mean[0], theirs, 1 - decay)
                torch._foreach_addcmul_(spread, mean[0], mean[0], -1.0)
            torch._foreach_sqrt_(spread)
            torch._foreach_mul_(moment, single(attrs.get("momentum", 0.0)))
            torch._foreach_addcdiv_(moment, theirs, spread, value=rate)
            torch._foreach_sub_(some, moment)
    return out


@torch.no_grad()
def lamb(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`lamb` operators."""
    out = (*(columns[i] for i in (0, 3, 4, 5, 6)), masters(columns, 7))
    if attrs.get("_v1", False) or columns[0][0].device.type != "cpu":
        one_by_one("lamb", columns, attrs)
        return out
    lists = taken("lamb", columns, attrs, wide=(0, 1, 3, 4), optional=7)
    params, grads, rates, moment1s, moment2s, power1s, power2s = lists
    if not params:
        return out
    beta1, beta2 = single(attrs.get("beta1", 0.9)), single(attrs.get("beta2", 0.999))
    decay = single(attrs["weight_decay"])
    steps = [torch.empty_like(param) for param in params]
    keys = [(power1.item(), power2.item()) for power1, power2 in zip(power1s, power2s)]
    for (power1, power2), group in groups(keys, params, grads, moment1s, moment2s, steps):
        for some, theirs, first, second, step in _blocks(*group):
            torch._foreach_lerp_(first, theirs, 1 - beta1)
            torch._foreach_mul_(second, beta2)
            torch._foreach_addcmul_(second, theirs, theirs, 1 - beta2)
            root = torch._foreach_div(second, 1 - power2)
            torch._foreach_sqrt_(root)
            torch._foreach_add_(root, single(attrs.get("epsilon", 1e-6)))
            torch._foreach_mul_(root, 1 - power1)
            torch._foreach_copy_(step, first)
            torch._foreach_div_(step, root)
            if decay:
                torch._foreach_add_(step, some, alpha=decay)
    torch._foreach_mul_(power1s, beta1)
    torch._foreach_mul_(power2s, beta2)
    speeds = [rate.item() for rate in rates]
    if decay or attrs.get("always_adapt", False):
        lengths = torch.stack([torch.stack(torch._foreach_norm(tensors)) for tensors in (params, steps)]).tolist()
        speeds = [speed * (a / b if a > 0 and b > 0 else 1.0) for speed, a, b in zip(speeds, *lengths)]
    for param, direction, speed in zip(params, steps, speeds):
        param.add_(direction, alpha=-speed)
    return out
