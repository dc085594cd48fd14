"""Update operators that Paddle has since version 3; ops.optimizer says what all have in common."""

from __future__ import annotations

import torch

from paddle_compat.core.op import op
from paddle_compat.ops._update_parts import dense, moments, move, narrow, number, single, wide

Tensor = torch.Tensor
_MOMENTS = {"Moment1Out": "Moment1", "Moment2Out": "Moment2", "MasterParamOut": "MasterParam"}


@op(
    inputs=("Param", "Grad", "LearningRate", "MomentumDecayPow", "Beta2Pow", "MuProduct", "Moment1", "Moment2", "MasterParam?"),
    outputs=("ParamOut", "MomentumDecayPowOut", "Beta2PowOut", "MuProductOut", "Moment1Out", "Moment2Out", "MasterParamOut?"),
    inplace={
        "ParamOut": "Param", "MomentumDecayPowOut": "MomentumDecayPow", "Beta2PowOut": "Beta2Pow", "MuProductOut": "MuProduct", **_MOMENTS,
    },
)  # fmt: skip
@torch.no_grad()
def nadam(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    decay_power: Tensor,
    power2: Tensor,
    product: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    master: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    momentum_decay: float = 0.004,
) -> tuple[Tensor | None, ...]:
    """Adam that looks ahead: the first moment is taken as of the next step, and its share grows from step to step."""
    target, first, second = wide(param, master), single(beta1), single(beta2)
    grad = dense(grad, target)
    decay_power.mul_(0.96)
    power2.mul_(second)
    share = first * (1 - 0.5 * decay_power**momentum_decay)
    following = first * (1 - 0.5 * (decay_power * 0.96) ** momentum_decay)
    product.mul_(share)
    moments(grad, moment1, moment2, first, second)
    ahead = following * moment1 / (1 - product * following) + (1 - share) * grad / (1 - product)
    move(target, ahead / ((moment2 / (1 - power2)).sqrt() + single(epsilon)), number(rate))
    return narrow(param, master), decay_power, power2, product, moment1, moment2, master


@op(
    inputs=("Param", "Grad", "LearningRate", "Beta1Pow", "Beta2Pow", "Rho", "Moment1", "Moment2", "MasterParam?"),
    outputs=("ParamOut", "Beta1PowOut", "Beta2PowOut", "RhoOut", "Moment1Out", "Moment2Out", "MasterParamOut?"),
    inplace={"ParamOut": "Param", "Beta1PowOut": "Beta1Pow", "Beta2PowOut": "Beta2Pow", "RhoOut": "Rho", **_MOMENTS},
)
@torch.no_grad()
def radam(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    power1: Tensor,
    power2: Tensor,
    rho: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    master: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Tensor | None, ...]:
    """Adam whose steps are divided by the root of the second moment only once its variance is known well enough.

    Rho is t * beta2^t / (1 - beta2^t), kept up from step to step.
    """
    target, first, second = wide(param, master), single(beta1), single(beta2)
    grad = dense(grad, target)
    power1.mul_(first)
    power2.mul_(second)
    rho.mul_(second - power2).add_(power2).div_(1 - power2)
    moments(grad, moment1, moment2, first, second)
    step = moment1 / (1 - power1)
    most = 2 / (1 - second) - 1
    length = most - 2 * rho
    known = ((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)).clamp(min=0).sqrt()
    divided = step * known * (1 - power2).sqrt() / (moment2.sqrt() + single(epsilon))
    move(target, torch.where(length > 5, divided, step), number(rate))
    return narrow(param, master), power1, power2, rho, moment1, moment2, master


@op(
    inputs=("Param", "Grad", "LearningRate", "Prev", "LearningRates", "MasterParam?"),
    outputs=("ParamOut", "PrevOut", "LearningRatesOut", "MasterParamOut?"),
    inplace={"ParamOut": "Param", "PrevOut": "Prev", "LearningRatesOut": "LearningRates", "MasterParamOut": "MasterParam"},
)
@torch.no_grad()
def rprop(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    former: Tensor,
    rates: Tensor,
    master: Tensor | None = None,
    *,
    shrinks: float = 0.5,
    grows: float = 1.2,
    least: float = 1e-5,
    most: float = 50.0,
    multi_precision: bool = False,
) -> tuple[Tensor | None, ...]:
    """Steps that know gradients' signs only: they grow while a sign stays, shrink where it changes, and there wait for a step."""
    target = wide(param, master)
    grad = dense(grad, target)
    agreement = torch.sign(grad * former)
    factor = torch.where(agreement > 0, single(grows), torch.where(agreement < 0, single(shrinks), 1.0))
    rates.mul_(factor.to(rates.dtype)).clamp_(single(least), single(most))
    former.copy_(torch.where(agreement < 0, 0.0, grad))
    target.sub_(former.sign() * rates)
    return narrow(param, master), former, rates, master


@op(
    inputs=("Param", "Grad", "LearningRate", "D", "Y", "M", "MasterParam?"),
    outputs=("ParamOut", "DOut", "YOut", "MOut", "MasterParamOut?"),
    inplace={"ParamOut": "Param", "DOut": "D", "YOut": "Y", "MOut": "M", "MasterParamOut": "MasterParam"},
)
@torch.no_grad()
def asgd(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    total: Tensor,
    former: Tensor,
    steps: Tensor,
    master: Tensor | None = None,
    *,
    multi_precision: bool = False,
) -> tuple[Tensor | None, ...]:
    """Steps along the mean of the last gradients, whose sum is kept; the newest takes the place of the oldest."""
    target = wide(param, master)
    grad = dense(grad, target)
    place = steps % former.shape[0]
    total.add_(grad - former.index_select(0, place)[0])
    former.index_copy_(0, place, grad.to(former.dtype).unsqueeze(0))
    steps.add_(1)
    target.sub_(total * (number(rate) / steps.clamp(max=former.shape[0])).to(total.dtype))
    return narrow(param, master), total, former, steps, master
