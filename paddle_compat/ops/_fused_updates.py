"""Many neighbouring update operators of one type in one call.

Each function takes one list per input slot of its operator (one entry per operator, None where an optional input is
absent; None for a slot that no operator fills, which may also be left out at the end) and the attributes that all of
them share; it updates in place and returns what it was given, one list per output slot. The
arithmetic is that of the single operators to a rounding or two. What the fused kernels cannot take (sparse gradients,
master parameters, betas in tensors) goes through the operators one by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.op import definition_of
from paddle_compat.ops._packed import Powers, Sound
from paddle_compat.ops._update_parts import late, single

Tensor = torch.Tensor
Columns = Sequence[Any]  # one list, or None, per input slot


@torch.no_grad()
def sgd(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`sgd` operators."""
    params, grads, rates = taken("sgd", columns, attrs, wide=(0, 1), optional=3)
    for rate, (some, theirs) in rate_groups(rates, params, grads):
        if isinstance(rate, float):
            torch._foreach_add_(some, theirs, alpha=-rate)
        else:
            torch._foreach_sub_(some, torch._foreach_mul(theirs, rate.view(())))
    return columns[0], masters(columns, 3)


@torch.no_grad()
def momentum(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`momentum` operators."""
    params, grads, velocities, rates = taken("momentum", columns, attrs, wide=(0, 1, 2), optional=4)
    rescale = single(attrs.get("rescale_grad", 1.0))
    if rescale != 1.0 and params and params[0].device.type != "cpu":
        grads = torch._foreach_mul(grads, rescale)
    decay = single(attrs["regularization_coeff"]) if attrs.get("regularization_method") == "l2_decay" else 0.0
    mu = single(attrs["mu"])
    for rate, (some, theirs, moving) in rate_groups(rates, params, grads, velocities):
        if not mu:  # beside which torch's kernel takes no velocities
            torch._foreach_copy_(moving, torch._foreach_add(theirs, some, alpha=decay) if decay else theirs)
            torch._foreach_sub_(some, torch._foreach_mul(moving, rate if isinstance(rate, float) else rate.view(())))
            continue
        torch._fused_sgd_(
            some, theirs, moving, weight_decay=decay, momentum=mu, lr=_as_float32(rate), dampening=0.0,
            nesterov=attrs.get("use_nesterov", False), maximize=False, is_first_step=False,
        )  # fmt: skip
    return columns[0], columns[2], masters(columns, 4)


def adam(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`adam` operators."""
    return _adam("adam", columns, attrs)


def adamw(*columns: Any, **attrs: Any) -> tuple[Any, ...]:
    """`adamw` operators."""
    return _adam("adamw", columns, attrs)


@torch.no_grad()
def _adam(type_: str, columns: Columns, attrs: dict[str, Any]) -> tuple[Any, ...]:
    known = columns[2][0].device.type == columns[5][0].device.type == "cpu"  # without a wait
    out = columns[0], *columns[3:7], masters(columns, 7), masters(columns, 12)
    if attrs.get("_v1", False) and not known:
        # its epsilon depends on the step, which the kernel wants as a number and only the device knows
        one_by_one(type_, columns, attrs)
        return out
    columns = taken(type_, columns, attrs, wide=(0, 1, 3, 4), optional=7)
    params, grads, rates, moment1s, moment2s, power1s, power2s = columns
    if not params:
        return out
    beta1, beta2 = single(attrs.get("beta1", 0.9)), single(attrs.get("beta2", 0.999))
    powers = Powers(power1s), Powers(power2s)
    if known:
        _adam_by_numbers(params, grads, rates, moment1s, moment2s, *powers, beta1, beta2, attrs)
    else:
        _adam_by_tensors(params, grads, rates, moment1s, moment2s, power2s, beta1, beta2, attrs)
    if not attrs.get("use_global_beta_pow", False):
        for power, beta in zip(powers, (beta1, beta2)):
            power.advance(beta)
    return out


def _decay(attrs: dict[str, Any]) -> tuple[float, float]:
    """The weight decay of `adamw` and the ratio that scales its rate; of `adam`: none."""
    return single(attrs.get("coeff", 0.01)) if attrs.get("with_decay") else 0.0, single(attrs.get("lr_ratio", 1.0))


def _adam_by_numbers(
    params: Any, grads: Any, rates: Any, moment1s: Any, moment2s: Any, power1s: Powers, power2s: Powers,
    beta1: float, beta2: float, attrs: dict[str, Any],
) -> None:  # fmt: skip
    """The bias correction is a number here, so Paddle's own powers of beta go into rate and epsilon."""
    epsilon, (decay, ratio) = single(attrs.get("epsilon", 1e-8)), _decay(attrs)
    of_all = 1.0 if params[0].is_cpu else ratio  # Paddle's CPU kernel scales the decay only
    keys = list(zip(numbers(rates), power1s.numbers(), power2s.numbers()))
    for (rate, power1, power2), (some, theirs, firsts, seconds) in groups(keys, params, grads, moment1s, moment2s):
        correction = math.sqrt(1 - power2)
        speed = rate * of_all * correction / (1 - power1)
        tiny = epsilon if attrs.get("_v1") else epsilon * correction
        # the kernel shrinks parameters by its rate times the decay
        torch._fused_adamw_(
            some, theirs, firsts, seconds, [], [late(some[0].device)] * len(some), lr=speed, beta1=beta1, beta2=beta2,
            weight_decay=rate * ratio * decay / speed if decay and speed else 0.0, eps=tiny, amsgrad=False, maximize=False,
        )  # fmt: skip


def _as_float32(rate: Any) -> Any:
    """A rate as kernels take it: a number, or a float32 tensor, of float64 parameters, too."""
    return rate if isinstance(rate, float) else rate.float()


def _adam_by_tensors(
    params: Any, grads: Any, rates: Any, moment1s: Any, moment2s: Any, power2s: Any,
    beta1: float, beta2: float, attrs: dict[str, Any],
) -> None:  # fmt: skip
    """The kernel corrects the bias by the number of steps, which the powers of beta2 give without a wait."""
    epsilon, (decay, ratio) = single(attrs.get("epsilon", 1e-8)), _decay(attrs)
    steps = (torch.cat([q.view(1) for q in power2s]).log_() / math.log(beta2)).to(params[0].device, torch.float32).unbind()
    kernel: Any = torch._fused_adamw_ if decay else torch._fused_adam_
    for rate, (some, *state, counts) in rate_groups(rates, params, grads, moment1s, moment2s, steps):
        kernel(
            some, *state, [], counts, lr=_as_float32(rate) * ratio, beta1=beta1, beta2=beta2,
            weight_decay=decay, eps=epsilon, amsgrad=False, maximize=False,
        )  # fmt: skip


def taken(type_: str, columns: Columns, attrs: dict[str, Any], wide: tuple[int, ...], optional: int) -> Columns:
    """The columns of the operators that a kernel can take, less the optional ones; the others are run here and now.

    Args:
        wide: the columns of parameters, gradients and accumulators: a kernel wants them dense, contiguous, of one type.
        optional: the first optional column: a kernel wants them empty.
    """
    kind, odd = columns[0][0].dtype, set()
    for column in wide:
        if type(columns[column]) is Sound and columns[column].kind is kind:
            continue
        for i, value in enumerate(columns[column]):
            if value.is_sparse or value.dtype is not kind or not value.is_contiguous():
                odd.add(i)
    for values in columns[optional:]:
        for i, value in enumerate(values or ()):
            if value is not None:
                odd.add(i)
    if not odd:
        return columns[:optional]
    one_by_one(type_, [values and [values[i] for i in sorted(odd)] for values in columns], attrs)
    return [[value for i, value in enumerate(values) if i not in odd] for values in columns[:optional]]


def one_by_one(type_: str, columns: Columns, attrs: dict[str, Any]) -> None:
    definition = definition_of(type_)
    absent = [None] * len(columns[0])
    for row in zip(*(values or absent for values in columns)):
        definition.fn(*row, **attrs)


def masters(columns: Columns, slot: int) -> Any:
    return columns[slot] if len(columns) > slot else None


def rate_groups(rates: Any, *columns: Any) -> list[tuple[Any, Any]]:
    """The columns in groups of one learning rate: a number on the CPU, elsewhere the tensor that the device knows."""
    if not rates:
        return []
    on_cpu, first = rates[0].device.type == "cpu", rates[0]
    for rate in rates:
        if rate is not first:
            return groups(numbers(rates) if on_cpu else rates, *columns)
    return [(first.item() if on_cpu else first, columns)]


@torch.no_grad()
def scale(powers: list[Tensor], *, scale: float) -> tuple[Any, ...]:
    """`scale` operators that move states of one element on, such as powers of beta."""
    Powers(powers).advance(scale)
    return (powers,)


def numbers(tensors: Sequence[Tensor]) -> list[float]:
    """The numbers that these tensors of one element hold; mostly it is the same tensor over and over."""
    first, number = tensors[0], tensors[0].item()
    return [number if tensor is first else tensor.item() for tensor in tensors]


def groups(keys: Sequence[Any], *columns: Any) -> list[tuple[Any, Any]]:
    """The columns cut into groups of equal key (tensors: of the same tensor); mostly there is one group."""
    first = keys[0]
    if all(key is first or not isinstance(first, Tensor) and key == first for key in keys):
        return [(first, columns)]
    found: dict[Any, tuple[Any, list[list[Any]]]] = {}
    for key, *row in zip(keys, *columns):
        _, group = found.setdefault(id(key) if isinstance(key, Tensor) else key, (key, [[] for _ in columns]))
        for values, value in zip(group, row):
            values.append(value)
    return list(found.values())
