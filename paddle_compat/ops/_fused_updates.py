"""Many neighbouring update operators of one type in one call.

Each function takes one list per input slot of its operator (one entry per operator, None where an optional input is
absent) and the attributes that all of them share; it updates in place and returns one list per output slot. The
arithmetic is that of the single operators to a rounding or two. What the fused kernels cannot take (sparse gradients,
master parameters, betas in tensors) goes through the operators one by one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import torch

from paddle_compat.core.op import find_op
from paddle_compat.ops._update_parts import single

Tensor = torch.Tensor
Column = Sequence[Tensor | None]
_LATE = torch.tensor(1e9)  # a step count at which the kernel's own bias correction is exactly none


@torch.no_grad()
def sgd(params: list[Tensor], grads: list[Tensor], rates: list[Tensor], *optional: Column, **attrs: Any) -> Any:
    """`sgd` operators."""
    if not _uniform(params, grads, *optional):
        return _one_by_one("sgd", (params, grads, rates, *optional), attrs)
    for rate, (some, theirs) in _groups([_key(r) for r in rates], params, grads):
        if isinstance(rate, float):
            torch._foreach_add_(some, theirs, alpha=-rate)
        else:
            torch._foreach_sub_(some, torch._foreach_mul(theirs, rate))
    return params, [None] * len(params)


@torch.no_grad()
def momentum(
    params: list[Tensor],
    grads: list[Tensor],
    velocities: list[Tensor],
    rates: list[Tensor],
    *optional: Column,
    **attrs: Any,
) -> Any:
    """`momentum` operators."""
    if not _uniform(params, grads, *optional, state=velocities):
        return _one_by_one("momentum", (params, grads, velocities, rates, *optional), attrs)
    rescale = single(attrs.get("rescale_grad", 1.0))
    if rescale != 1.0 and params[0].device.type != "cpu":
        grads = list(torch._foreach_mul(grads, rescale))
    decay = single(attrs["regularization_coeff"]) if attrs.get("regularization_method") == "l2_decay" else 0.0
    for rate, (some, theirs, moving) in _groups([_key(r) for r in rates], params, grads, velocities):
        torch._fused_sgd_(
            some, theirs, moving, weight_decay=decay, momentum=single(attrs["mu"]), lr=rate, dampening=0.0,
            nesterov=attrs.get("use_nesterov", False), maximize=False, is_first_step=False,
        )  # fmt: skip
    return params, velocities, [None] * len(params)


def adam(*columns: Any, **attrs: Any) -> Any:
    """`adam` operators."""
    return _adam("adam", columns, attrs)


def adamw(*columns: Any, **attrs: Any) -> Any:
    """`adamw` operators."""
    return _adam("adamw", columns, attrs)


@torch.no_grad()
def _adam(type_: str, columns: Sequence[Any], attrs: dict[str, Any]) -> Any:
    params, grads, rates, moment1s, moment2s, power1s, power2s, *optional = columns
    raw = attrs.get("_v1", False)
    on_cpu = params[0].device.type == "cpu"
    if not _uniform(params, grads, *optional, state=[*moment1s, *moment2s]) or (raw and not on_cpu):
        return _one_by_one(type_, columns, attrs)
    beta1, beta2 = single(attrs.get("beta1", 0.9)), single(attrs.get("beta2", 0.999))
    epsilon, ratio = single(attrs.get("epsilon", 1e-8)), single(attrs.get("lr_ratio", 1.0))
    decay = single(attrs.get("coeff", 0.01)) if attrs.get("with_decay") else 0.0
    lists = [params, grads, moment1s, moment2s]
    if on_cpu:
        # the correction is a number here, so Paddle's own powers of beta go into rate and epsilon
        keys: list[Hashable] = [(r.item(), p.item(), q.item()) for r, p, q in zip(rates, power1s, power2s)]
        steps: Sequence[Tensor] = [_LATE] * len(params)
    else:
        keys = list(map(_key, rates))
        steps = (torch.cat([q.view(1) for q in power2s]).log_() / math.log(beta2)).unbind()
    for key, (some, theirs, firsts, seconds, counts) in _groups(keys, *lists, steps):
        rate: Any = key
        tiny = epsilon
        if on_cpu:
            rate, power1, power2 = key
            if decay:
                torch._foreach_mul_(some, 1 - rate * ratio * decay)
            correction = math.sqrt(1 - power2)
            rate *= correction / (1 - power1)
            tiny = epsilon if raw else epsilon * correction
        elif ratio != 1.0:
            rate = rate * ratio
        kernel = torch._fused_adamw_ if decay and not on_cpu else torch._fused_adam_
        kernel(
            some, theirs, firsts, seconds, [], counts, lr=rate, beta1=beta1, beta2=beta2,
            weight_decay=0.0 if on_cpu else decay, eps=tiny, amsgrad=False, maximize=False,
        )  # fmt: skip
    if not attrs.get("use_global_beta_pow", False):
        torch._foreach_mul_(power1s, beta1)
        torch._foreach_mul_(power2s, beta2)
    return params, moment1s, moment2s, power1s, power2s, [None] * len(params)


def _key(rate: Tensor) -> Any:
    """The learning rate: a number on the CPU, elsewhere the tensor, whose value only the device knows."""
    return rate.item() if rate.device.type == "cpu" else rate


def _groups(keys: Sequence[Any], *columns: Sequence[Any]) -> list[tuple[Any, list[list[Any]]]]:
    """The columns cut into parts of equal key; there is one part nearly always."""
    first = keys[0]
    if all(k is first for k in keys) or (not isinstance(first, Tensor) and all(k == first for k in keys)):
        return [(first, [list(c) for c in columns])]
    found: dict[Any, tuple[Any, list[list[Any]]]] = {}
    for key, *row in zip(keys, *columns):
        _, parts = found.setdefault(id(key) if isinstance(key, Tensor) else key, (key, [[] for _ in columns]))
        for part, value in zip(parts, row):
            part.append(value)
    return list(found.values())


def _uniform(params: list[Tensor], grads: list[Tensor], *optional: Column, state: Sequence[Tensor] = ()) -> bool:
    """Whether one kernel can take all: dense contiguous tensors of one type, no optional inputs."""
    kind = params[0].dtype
    return (
        not any(value is not None for column in optional for value in column or ())
        and all(g.dtype is kind and not g.is_sparse and g.is_contiguous() for g in grads)
        and all(p.dtype is kind and p.is_contiguous() for p in (*params, *state))
    )


def _one_by_one(type_: str, columns: Sequence[Any], attrs: dict[str, Any]) -> Any:
    definition = find_op(type_)
    assert definition is not None
    rows = zip(*(column or [None] * len(columns[0]) for column in columns))
    return tuple(map(list, zip(*(definition.fn(*row, **attrs) for row in rows))))
