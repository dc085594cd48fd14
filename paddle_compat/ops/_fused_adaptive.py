"""As `ops._fused_updates` for the operators of `ops.optimizer_adaptive`: on the CPU, lists of tensors through torch's own loops.

`ops._packed` says how small parameters are worked on together and large ones piece by piece.
"""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.ops._fused_updates import groups, masters, numbers, one_by_one, rate_groups, taken
from paddle_compat.ops._packed import Powers, pieces
from paddle_compat.ops._update_parts import single

Tensor = torch.Tensor
_STEP, _NOTHING = torch.ones(()), torch.zeros(())


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
    if not params:
        return out
    speeds = [rate / (1 - power) for rate, power in zip(numbers(rates), Powers(powers).numbers())]
    beta1, beta2 = single(attrs.get("beta1", 0.9)), single(attrs.get("beta2", 0.999))
    epsilon = params[0].new_tensor(single(attrs.get("epsilon", 1e-8)))
    for speed, lists in groups(speeds, params, grads, moments, norms):
        for piece in pieces(*lists):
            moment, norm = piece.state
            moment.lerp_(piece.grad, 1 - beta1)
            torch.add(epsilon, norm, alpha=beta2, out=norm)
            torch.maximum(norm, torch.abs(piece.grad, out=piece.step), out=norm)
            torch._foreach_addcdiv_(piece.params, piece.kept[0], piece.kept[1], -speed)
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
        for piece in pieces(*lists):
            (square, former), grad, step = piece.state, piece.grad, piece.step
            square.lerp_(torch.mul(grad, grad, out=step), 1 - rho)
            torch.add(former, epsilon, out=step).div_(square + epsilon).sqrt_().mul_(grad)
            former.mul_(rho).addcmul_(step, step, value=1 - rho)
            torch._foreach_add_(piece.params, piece.steps, alpha=-rate)
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
    momentum, epsilon = single(attrs.get("momentum", 0.0)), single(attrs.get("epsilon", 1e-10))
    for rate, group in rate_groups(rates, params, grads, squares, moments, *means):
        for piece in pieces(*group):
            (square, moment, *mean), grad, step = piece.state, piece.grad, piece.step
            square.lerp_(torch.mul(grad, grad, out=step), 1 - decay)
            torch.add(square, epsilon, out=step)
            if centered:
                mean[0].lerp_(grad, 1 - decay)
                step.addcmul_(mean[0], mean[0], value=-1.0)
            step.sqrt_()
            if momentum:  # moment = momentum * moment + rate * step; param -= moment
                torch.div(grad, step, out=step)
                torch._fused_sgd_(
                    piece.params, piece.steps, piece.kept[1], weight_decay=0.0, momentum=momentum, lr=1.0, dampening=1 - rate,
                    nesterov=False, maximize=False, is_first_step=False,
                )  # fmt: skip
            else:
                torch.addcdiv(_NOTHING.to(grad.dtype), grad, step, value=rate, out=moment)
                torch._foreach_sub_(piece.params, piece.kept[1])
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
    adapts, epsilon = bool(decay) or attrs.get("always_adapt", False), single(attrs.get("epsilon", 1e-6))
    powers = Powers(power1s), Powers(power2s)
    keys = list(zip(numbers(rates), *(power.numbers() for power in powers)))
    for (rate, power1, power2), group in groups(keys, params, grads, moment1s, moment2s):
        for piece in pieces(*group, whole=adapts):
            (moment1, moment2), grad, step = piece.state, piece.grad, piece.step
            moment1.lerp_(grad, 1 - beta1)
            moment2.lerp_(torch.mul(grad, grad, out=step), 1 - beta2)
            torch.div(moment2, 1 - power2, out=step).sqrt_().add_(epsilon).mul_(1 - power1)
            torch.div(moment1, step, out=step)
            if adapts:
                values = piece.values()
                step.add_(values, alpha=decay)
                lengths, steps = piece.norms(values, piece.params), piece.norms(step, piece.steps)
                piece.multiply(torch.where((lengths > 0) & (steps > 0), lengths / steps, 1.0))
            torch._foreach_add_(piece.params, piece.steps, alpha=-rate)
    for power, beta in zip(powers, (beta1, beta2)):
        power.advance(beta)
    return out
