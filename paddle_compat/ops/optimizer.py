"""Update operators: each one moves a parameter and its accumulators one step, in place.

The gradient is a dense tensor or sparse COO rows of a table (what Paddle calls SelectedRows); ops._sparse_updates holds
what operators do with rows. Learning rate and powers of beta are tensors of one element: on the CPU they are read
as numbers, on other devices they stay tensors, so that no step waits for the device. A master parameter is the float32
copy that takes the steps of a half-precision parameter. Coefficients are float32 in Paddle whatever the parameter is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import op
from paddle_compat.ops import _fused_updates as fused
from paddle_compat.ops._sparse_updates import on_rows, subtract_rows, where_rows
from paddle_compat.ops._update_parts import (
    Number,
    adam_step,
    dense,
    gaussian,
    move,
    narrow,
    number,
    sign_shrink,
    single,
    skipped,
    wide,
)

Tensor = torch.Tensor


@op(
    inputs=("Param", "Grad", "LearningRate", "MasterParam?@2"),
    outputs=("ParamOut", "MasterParamOut?@2"),
    inplace={"ParamOut": "Param", "MasterParamOut": "MasterParam"},
    fused=fused.sgd,
)
@torch.no_grad()
def sgd(
    param: Tensor, grad: Tensor, rate: Tensor, master: Tensor | None = None, *, multi_precision: bool = False
) -> tuple[Tensor, Tensor | None]:
    """Param -= LearningRate * Grad; of a table, only the rows that the gradient holds."""
    target = wide(param, master)
    if grad.is_sparse:
        subtract_rows(target, grad, number(rate))
    else:
        move(target, dense(grad, target), number(rate))
    return narrow(param, master), master


@op(inputs=("Param", "Grad", "LearningRate"), outputs=("ParamOut",), inplace={"ParamOut": "Param"}, random=True)
@torch.no_grad()
def dpsgd(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    *,
    clip: float = 10.0,
    batch_size: float = 16.0,
    sigma: float = 1.0,
    seed: int = 0,
) -> Tensor:
    """SGD on a gradient clipped by norm, with one Gaussian number, drawn anew each step, added to all of it."""
    grad = dense(grad, param)
    norm = grad.norm()
    scale = torch.where(norm > single(clip), norm / single(clip), 1.0)
    noise = gaussian(seed) * single(sigma) / single(batch_size)
    move(param, grad / scale + noise, number(rate))
    return param


@op(inputs=("Param", "Grad", "LearningRate"), outputs=("ParamOut",), inplace={"ParamOut": "Param"})
@torch.no_grad()
def proximal_gd(param: Tensor, grad: Tensor, rate: Tensor, *, l1: float = 0.0, l2: float = 0.0) -> Tensor:
    """SGD, then the proximal step of an L1 and an L2 penalty."""
    speed = number(rate)
    move(param, dense(grad, param), speed)
    return sign_shrink(param, speed, single(l1), single(l2))


@op(
    inputs=("Param", "Grad", "Velocity", "LearningRate", "MasterParam?@2"),
    outputs=("ParamOut", "VelocityOut", "MasterParamOut?@2"),
    inplace={"ParamOut": "Param", "VelocityOut": "Velocity", "MasterParamOut": "MasterParam"},
    fused=fused.momentum,
)
@torch.no_grad()
def momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    rate: Tensor,
    master: Tensor | None = None,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
    rescale_grad: float = 1.0,
    multi_precision: bool = False,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Velocity = mu * Velocity + Grad; Param -= LearningRate * Velocity. Rows that a sparse gradient lacks coast on."""
    target, mu = wide(param, master), single(mu)
    # Paddle's CPU kernel forgets the factor of a dense gradient; its other kernels do not
    factor = single(rescale_grad) if grad.is_sparse or grad.device.type != "cpu" else 1.0
    grad = dense(grad, target)
    if factor != 1.0:
        grad = grad * factor
    if regularization_method == "l2_decay":
        grad = grad.add(target, alpha=single(regularization_coeff))
    velocity.mul_(mu).add_(grad)
    move(target, grad.add(velocity, alpha=mu) if use_nesterov else velocity, number(rate))
    return narrow(param, master), velocity, master


@op(
    inputs=("Param*", "Grad*", "Velocity*", "LearningRate*", "MasterParam*?@2"),
    outputs=("ParamOut*", "VelocityOut*", "MasterParamOut*?@2"),
    inplace={"ParamOut": "Param", "VelocityOut": "Velocity", "MasterParamOut": "MasterParam"},
)
@torch.no_grad()
def merged_momentum(
    params: list[Tensor],
    grads: list[Tensor],
    velocities: list[Tensor],
    rates: list[Tensor],
    masters: list[Tensor] | None = None,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: Sequence[str] = (),
    regularization_coeff: Sequence[float] = (),
    rescale_grad: float = 1.0,
    multi_precision: bool = False,
) -> tuple[list[Tensor], list[Tensor], list[Tensor] | None]:
    """`momentum` of many parameters in one operator."""
    for i, param in enumerate(params):
        momentum.fn(
            param, grads[i], velocities[i], rates[i % len(rates)], masters[i] if masters else None,
            mu=mu, use_nesterov=use_nesterov, rescale_grad=rescale_grad,
            regularization_method=regularization_method[i] if regularization_method else "",
            regularization_coeff=regularization_coeff[i] if regularization_coeff else 0.0,
        )  # fmt: skip
    return params, velocities, masters


@op(
    inputs=("Param", "Grad", "Velocity", "Index", "Axis?", "LearningRate", "MasterParam?"),
    outputs=("ParamOut", "VelocityOut", "MasterParamOut?"),
    inplace={"ParamOut": "Param", "VelocityOut": "Velocity", "MasterParamOut": "MasterParam"},
    infer=lambda param, grad, velocity, index, along, rate, master=None, **attrs: (param, velocity, master),
)
@torch.no_grad()
def sparse_momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    index: Tensor,
    axis_tensor: Tensor | None,
    rate: Tensor,
    master: Tensor | None = None,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
    rescale_grad: float = 1.0,
    multi_precision: bool = False,
    axis: int = 0,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """`momentum` along a gradient of some rows (or columns, by `axis`), which Index names; a row that is named twice adds up."""
    if index.dim() not in (1, 2) or index.dim() == 2 and index.shape[1] != 1:
        raise invalid_argument("Index", "numbers of rows, [rows] or [rows, 1]", list(index.shape), "sparse_momentum")
    along = int(axis if axis_tensor is None else axis_tensor)
    whole = torch.zeros_like(wide(param, master)).index_add_(along, index.flatten(), grad.to(wide(param, master).dtype))
    return momentum.fn(  # the rows' factor counts on the CPU, too, which a dense gradient's does not there
        param, whole.mul_(single(rescale_grad)), velocity, rate, master, mu=mu, use_nesterov=use_nesterov,
        regularization_method=regularization_method, regularization_coeff=regularization_coeff,
    )  # fmt: skip


_ADAM_STATE = {
    "ParamOut": "Param",
    "Moment1Out": "Moment1",
    "Moment2Out": "Moment2",
    "Beta1PowOut": "Beta1Pow",
    "Beta2PowOut": "Beta2Pow",
    "MasterParamOut": "MasterParam",
    "Moment2MaxOut": "Moment2Max",
}
_ADAM_INPUTS = (
    "Param", "Grad", "LearningRate", "Moment1", "Moment2", "Beta1Pow", "Beta2Pow",
    "MasterParam?@2", "SkipUpdate?@2", "Beta1Tensor?", "Beta2Tensor?", "EpsilonTensor?@2",
    "Moment2Max?@3",
)  # fmt: skip
_ADAM_OUTPUTS = ("ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut", "Beta2PowOut", "MasterParamOut?@2", "Moment2MaxOut?@3")


@op(inputs=_ADAM_INPUTS, outputs=_ADAM_OUTPUTS, inplace=_ADAM_STATE, fused=fused.adam)
@torch.no_grad()
def adam(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    power1: Tensor,
    power2: Tensor,
    master: Tensor | None = None,
    skip: Tensor | None = None,
    beta1_tensor: Tensor | None = None,
    beta2_tensor: Tensor | None = None,
    epsilon_tensor: Tensor | None = None,
    largest: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    lazy_mode: bool = False,
    min_row_size_to_use_multithread: int = 1000,
    multi_precision: bool = False,
    use_global_beta_pow: bool = False,
    _v1: bool = False,
) -> tuple[Tensor, ...]:
    """One step of Adam, bias-corrected; the powers of beta advance unless `use_global_beta_pow`.

    Moment2Max, the largest second moment so far, takes the place of Moment2 under the root, where it is given.
    `_v1`: Paddle 1.8 adds epsilon to the root of the second moment as it is, 2.x to the bias-corrected one. Rows: with
    `lazy_mode` the other rows stay as they are; without, their gradient is zero.
    """
    state = (param, moment1, moment2, power1, power2, master, largest)
    if skipped(skip):
        return state  # type: ignore[return-value]
    first = number(beta1_tensor) if beta1_tensor is not None else single(beta1)
    second = number(beta2_tensor) if beta2_tensor is not None else single(beta2)
    raw = number(epsilon_tensor) if epsilon_tensor is not None else single(epsilon)

    def advance() -> None:
        if not use_global_beta_pow:
            power1.mul_(first)
            power2.mul_(second)

    # Paddle corrects the bias of sparse gradients by the powers of the step that follows
    if grad.is_sparse:
        advance()
    correction = (1 - number(power2)) ** 0.5
    speed = number(rate) * correction / (1 - number(power1))
    if not grad.is_sparse:
        advance()

    def step(p: Tensor, m: Tensor, v: Tensor, *rest: Tensor, tiny: Number) -> None:
        *most, g = rest
        adam_step(p, g, m, v, first, second, tiny, speed, *most)

    target, corrected = wide(param, master), raw if _v1 else raw * correction
    kept = (target, moment1, moment2) if largest is None else (target, moment1, moment2, largest)
    if not grad.is_sparse:
        step(*kept, dense(grad, target), tiny=corrected)
    elif lazy_mode:
        on_rows(partial(step, tiny=corrected), grad, *kept)
    else:
        step(*kept, dense(grad, target), tiny=where_rows(grad, corrected, raw))
    narrow(param, master)
    return state  # type: ignore[return-value]


@op(inputs=_ADAM_INPUTS, outputs=_ADAM_OUTPUTS, inplace=_ADAM_STATE, fused=fused.adamw)
@torch.no_grad()
def adamw(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    power1: Tensor,
    power2: Tensor,
    master: Tensor | None = None,
    skip: Tensor | None = None,
    beta1_tensor: Tensor | None = None,
    beta2_tensor: Tensor | None = None,
    epsilon_tensor: Tensor | None = None,
    largest: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    coeff: float = 0.01,
    lr_ratio: float = 1.0,
    with_decay: bool = False,
    lazy_mode: bool = False,
    min_row_size_to_use_multithread: int = 1000,
    multi_precision: bool = False,
    use_global_beta_pow: bool = False,
) -> tuple[Tensor, ...]:
    """Adam after the parameter has shrunk by LearningRate * lr_ratio * coeff (where `with_decay`)."""
    if skipped(skip):
        return param, moment1, moment2, power1, power2, master, largest  # type: ignore[return-value]
    scaled = rate * single(lr_ratio) if lr_ratio != 1.0 else rate
    if with_decay:
        wide(param, master).mul_(1 - number(scaled) * single(coeff))
    if param.device.type != "cpu":  # Paddle's CPU kernel scales the decay only
        rate = scaled
    return adam.fn(
        param, grad, rate, moment1, moment2, power1, power2, master, None, beta1_tensor, beta2_tensor, epsilon_tensor, largest,
        beta1=beta1, beta2=beta2, epsilon=epsilon, lazy_mode=lazy_mode, use_global_beta_pow=use_global_beta_pow,
    )  # fmt: skip


@op(
    inputs=(
        "Param*", "Grad*", "LearningRate*", "Moment1*", "Moment2*", "Beta1Pow*", "Beta2Pow*", "MasterParam*?@2",
    ),
    outputs=("ParamOut*", "Moment1Out*", "Moment2Out*", "Beta1PowOut*", "Beta2PowOut*", "MasterParamOut*?@2"),
    inplace=_ADAM_STATE,
)  # fmt: skip
@torch.no_grad()
def merged_adam(
    params: list[Tensor],
    grads: list[Tensor],
    rates: list[Tensor],
    moment1s: list[Tensor],
    moment2s: list[Tensor],
    power1s: list[Tensor],
    power2s: list[Tensor],
    masters: list[Tensor] | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    multi_precision: bool = False,
    use_global_beta_pow: bool = False,
) -> tuple[Any, ...]:
    """`adam` of many parameters in one operator."""
    rates = [rates[i % len(rates)] for i in range(len(params))]
    return fused.adam(
        params, grads, rates, moment1s, moment2s, power1s, power2s, masters or [None] * len(params),
        beta1=beta1, beta2=beta2, epsilon=epsilon, use_global_beta_pow=use_global_beta_pow,
    )  # fmt: skip


_FUSED_STATE = {
    f"{slots}Out": slots for slots in ("Params", "Moments1", "Moments2", "Beta1Pows", "Beta2Pows", "MasterParams")
}


@op(
    inputs=("Params*", "Grads*", "LearningRate", "Moments1*", "Moments2*", "Beta1Pows*", "Beta2Pows*", "MasterParams*?", "SkipUpdate?"),
    outputs=("ParamsOut*", "Moments1Out*", "Moments2Out*", "Beta1PowsOut*", "Beta2PowsOut*", "MasterParamsOut*?"),
    inplace=_FUSED_STATE,
    infer=lambda params, grads, rate, *kept, **attrs: (params, *kept[:4], kept[4] if len(kept) > 4 else None),
)
@torch.no_grad()
def fused_adam(
    params: list[Tensor],
    grads: list[Tensor],
    rate: Tensor,
    moment1s: list[Tensor],
    moment2s: list[Tensor],
    power1s: list[Tensor],
    power2s: list[Tensor],
    masters: list[Tensor] | None = None,
    skip: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    chunk_size: int = 0,
    weight_decay: float = 0.0,
    use_adamw: bool = False,
    multi_precision: bool = False,
    use_global_beta_pow: bool = False,
) -> tuple[Any, ...]:
    """`adam` of many parameters in one operator, or `adamw`."""
    if not skipped(skip):
        update = partial(fused.adamw, coeff=weight_decay, with_decay=True) if use_adamw else fused.adam
        update(
            params, grads, [rate] * len(params), moment1s, moment2s, power1s, power2s, masters or [None] * len(params),
            beta1=beta1, beta2=beta2, epsilon=epsilon, use_global_beta_pow=use_global_beta_pow,
        )  # fmt: skip
    return params, moment1s, moment2s, power1s, power2s, masters


_SUMS = ("sum_1", "sum_2", "sum_3", "num_accumulates", "old_num_accumulates", "num_updates")
_SHIFT_EVERY = 16384  # sum_1 moves into sum_2 this often, before float32 additions lose the small terms


@op(
    inputs=("param", *(f"in_{name}" for name in _SUMS)),
    outputs=tuple(f"out_{name}" for name in _SUMS),
    inplace={f"out_{name}": f"in_{name}" for name in _SUMS},
)
@torch.no_grad()
def average_accumulates(
    param: Tensor,
    sum_1: Tensor,
    sum_2: Tensor,
    sum_3: Tensor,
    accumulates: Tensor,
    old_accumulates: Tensor,
    updates: Tensor,
    *,
    average_window: float = 0.0,
    max_average_window: int = 2**63 - 1,
    min_average_window: int = 10000,
) -> tuple[Tensor, ...]:
    """Sum a parameter over a sliding window; when the window is full, sum_3 takes it and a new one begins."""
    updates.add_(1)
    accumulates.add_(1)
    sum_1.add_(param)
    shift = updates % _SHIFT_EVERY == 0
    sum_2.copy_(torch.where(shift, sum_2 + sum_1, sum_2))
    sum_1.copy_(torch.where(shift, 0.0, sum_1))
    window = (updates * single(average_window)).to(torch.int64).clamp(max=max_average_window)
    if min_average_window > max_average_window:
        raise ValueError(
            f"(InvalidArgument) The min_average_window > max_average_window is not right, min_average_window is {min_average_window}, "
            f"max_average_window is {max_average_window}."
        )
    full = (accumulates >= min_average_window) & (accumulates >= window)
    sum_3.copy_(torch.where(full, sum_1 + sum_2, sum_3))
    sum_1.copy_(torch.where(full, 0.0, sum_1))
    sum_2.copy_(torch.where(full, 0.0, sum_2))
    old_accumulates.copy_(torch.where(full, accumulates, old_accumulates))
    accumulates.copy_(torch.where(full, 0, accumulates))
    return sum_1, sum_2, sum_3, accumulates, old_accumulates, updates
