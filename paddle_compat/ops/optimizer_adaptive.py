"""Update operators that adapt their steps to past gradients; ops.optimizer says what all have in common."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat.core.op import op
from paddle_compat.ops import _fused_adaptive as fused
from paddle_compat.ops._sparse_updates import on_rows
from paddle_compat.ops._update_parts import dense, moments, move, narrow, norms, number, sign_shrink, single, skipped, wide

Tensor = torch.Tensor


@op(
    inputs=("Param", "Grad", "Moment", "LearningRate", "MasterParam?@2"),
    outputs=("ParamOut", "MomentOut", "MasterParamOut?@2"),
    inplace={"ParamOut": "Param", "MomentOut": "Moment", "MasterParamOut": "MasterParam"},
    fused=fused.adagrad,
)
@torch.no_grad()
def adagrad(
    param: Tensor,
    grad: Tensor,
    moment: Tensor,
    rate: Tensor,
    master: Tensor | None = None,
    *,
    epsilon: float = 1e-6,
    multi_precision: bool = False,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Moment += Grad^2; Param -= LearningRate * Grad / (sqrt(Moment) + epsilon); rows as they are."""

    def step(p: Tensor, m: Tensor, g: Tensor) -> None:
        m.addcmul_(g, g)
        move(p, g / (m.sqrt().add_(single(epsilon))), number(rate))

    target = wide(param, master)
    if grad.is_sparse:
        on_rows(step, grad, target, moment)
    else:
        step(target, moment, dense(grad, target))
    return narrow(param, master), moment, master


@op(
    inputs=("Param", "Grad", "Moment", "LearningRate"),
    outputs=("ParamOut", "MomentOut"),
    inplace={"ParamOut": "Param", "MomentOut": "Moment"},
)
@torch.no_grad()
def decayed_adagrad(
    param: Tensor, grad: Tensor, moment: Tensor, rate: Tensor, *, decay: float = 0.95, epsilon: float = 1e-6
) -> tuple[Tensor, Tensor]:
    """Adagrad whose moment forgets: Moment = decay * Moment + (1 - decay) * Grad^2."""
    grad, decay = dense(grad, param), single(decay)
    moment.mul_(decay).addcmul_(grad, grad, value=1 - decay)
    move(param, grad / moment.sqrt().add_(single(epsilon)), number(rate))
    return param, moment


@op(
    inputs=("Param", "Moment", "Grad", "LearningRate"),
    outputs=("ParamOut", "MomentOut"),
    inplace={"ParamOut": "Param", "MomentOut": "Moment"},
)
@torch.no_grad()
def proximal_adagrad(
    param: Tensor, moment: Tensor, grad: Tensor, rate: Tensor, *, l1: float = 0.0, l2: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Adagrad without epsilon, then the proximal step of an L1 and an L2 penalty."""
    grad, speed = dense(grad, param), number(rate)
    moment.addcmul_(grad, grad)
    move(param, grad / moment.sqrt(), speed)
    return sign_shrink(param, speed, single(l1), single(l2)), moment


@op(
    inputs=("Param*", "Grad*", "Velocity*", "LearningRate*", "MasterParam*?@2"),
    outputs=("ParamOut*", "VelocityOut*", "MasterParamOut*?@2"),
    inplace={"ParamOut": "Param", "VelocityOut": "Velocity", "MasterParamOut": "MasterParam"},
)
@torch.no_grad()
def lars_momentum(
    params: list[Tensor],
    grads: list[Tensor],
    velocities: list[Tensor],
    rates: list[Tensor],
    masters: list[Tensor] | None = None,
    *,
    mu: float,
    lars_coeff: float = 0.001,
    lars_weight_decay: float | Sequence[float] = 0.0005,
    epsilon: float = 0.0,
    rescale_grad: float = 1.0,
    multi_precision: bool = False,
    _v1: bool = False,
) -> tuple[list[Tensor], list[Tensor], list[Tensor] | None]:
    """Momentum whose rate follows the ratio of the norms of parameter and gradient.

    Where one of the norms is zero it does not, nor, except in Paddle 1.8 (`_v1`), without weight decay.
    """
    decays = list(lars_weight_decay) if isinstance(lars_weight_decay, Sequence) else [lars_weight_decay] * len(params)
    for i, (param, grad, velocity, rate) in enumerate(zip(params, grads, velocities, rates)):
        master = masters[i] if masters else None
        target, decay = wide(param, master), single(decays[i])
        grad = dense(grad, target) * single(rescale_grad)
        weight_norm, grad_norm = norms(target, grad)
        local = rate.to(target)
        scaled = local * single(lars_coeff) * weight_norm / (grad_norm + decay * weight_norm + single(epsilon))
        if decay > 0 or _v1:
            local = torch.where((weight_norm > 0) & (grad_norm > 0), scaled, local)
        velocity.mul_(single(mu)).add_(grad.add(target, alpha=decay) * local)
        target.sub_(velocity)
        narrow(param, master)
    return params, velocities, masters


@op(
    inputs=("Param", "Grad", "LearningRate", "Moment", "InfNorm", "Beta1Pow", "MasterParam?@2"),
    outputs=("ParamOut", "MomentOut", "InfNormOut", "MasterParamOut?@2"),
    inplace={"ParamOut": "Param", "MomentOut": "Moment", "InfNormOut": "InfNorm", "MasterParamOut": "MasterParam"},
    fused=fused.adamax,
)
@torch.no_grad()
def adamax(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    moment: Tensor,
    inf_norm: Tensor,
    power1: Tensor,
    master: Tensor | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    multi_precision: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Adam with the largest gradient so far in place of the second moment; a `scale` operator advances Beta1Pow."""
    target, beta1 = wide(param, master), single(beta1)
    grad = dense(grad, target)
    moment.mul_(beta1).add_(grad, alpha=1 - beta1)
    torch.maximum(grad.abs(), inf_norm.mul_(single(beta2)).add_(single(epsilon)), out=inf_norm)
    move(target, moment / inf_norm, number(rate) / (1 - number(power1)))
    return narrow(param, master), moment, inf_norm, master


@op(
    inputs=("Param", "Grad", "AvgSquaredGrad", "AvgSquaredUpdate", "LearningRate?@2", "MasterParam?@2"),
    outputs=("ParamOut", "AvgSquaredGradOut", "AvgSquaredUpdateOut", "MasterParamOut?@2"),
    inplace={
        "ParamOut": "Param",
        "AvgSquaredGradOut": "AvgSquaredGrad",
        "AvgSquaredUpdateOut": "AvgSquaredUpdate",
        "MasterParamOut": "MasterParam",
    },
    fused=fused.adadelta,
)
@torch.no_grad()
def adadelta(
    param: Tensor,
    grad: Tensor,
    square: Tensor,
    square_update: Tensor,
    rate: Tensor | None = None,
    master: Tensor | None = None,
    *,
    rho: float = 0.95,
    epsilon: float = 1e-6,
    multi_precision: bool = False,
    _apart: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Steps as long as the root of the mean of former steps over that of gradients.

    Paddle 1.8 has no learning rate here, and takes the mean after it has added the present step to it; before that where its outputs
    are other variables than its inputs (`_apart`).
    """
    target, rho, epsilon = wide(param, master), single(rho), single(epsilon)
    grad = dense(grad, target)
    square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
    update = grad * ((square_update + epsilon) / (square + epsilon)).sqrt_()
    square_update.mul_(rho).addcmul_(update, update, value=1 - rho)
    if rate is None and not _apart:
        target.sub_(grad * ((square_update + epsilon) / (square + epsilon)).sqrt_())
    else:
        move(target, update, 1.0 if rate is None else number(rate))
    return narrow(param, master), square, square_update, master


@op(
    inputs=("Param", "MeanSquare", "Grad", "Moment", "LearningRate", "MeanGrad?", "MasterParam?@2"),
    outputs=("ParamOut", "MomentOut", "MeanSquareOut", "MeanGradOut?", "MasterParamOut?@2"),
    inplace={
        "ParamOut": "Param",
        "MomentOut": "Moment",
        "MeanSquareOut": "MeanSquare",
        "MeanGradOut": "MeanGrad",
        "MasterParamOut": "MasterParam",
    },
    fused=fused.rmsprop,
)
@torch.no_grad()
def rmsprop(
    param: Tensor,
    mean_square: Tensor,
    grad: Tensor,
    moment: Tensor,
    rate: Tensor,
    mean_grad: Tensor | None = None,
    master: Tensor | None = None,
    *,
    decay: float = 0.9,
    epsilon: float = 1e-10,
    momentum: float = 0.0,
    centered: bool = False,
    multi_precision: bool = False,
) -> tuple[Tensor | None, ...]:
    """Gradients over the root of their mean square, epsilon inside the root."""
    target, decay = wide(param, master), single(decay)
    grad = dense(grad, target)
    mean_square.mul_(decay).addcmul_(grad, grad, value=1 - decay)
    spread = mean_square + single(epsilon)
    if centered:
        assert mean_grad is not None
        mean_grad.mul_(decay).add_(grad, alpha=1 - decay)
        spread.addcmul_(mean_grad, mean_grad, value=-1)
    moment.mul_(single(momentum))
    move(moment, grad / spread.sqrt_(), -number(rate))
    target.sub_(moment)
    return narrow(param, master), moment, mean_square, mean_grad, master


@op(
    inputs=(
        "Param", "Grad", "LearningRate", "Moment1", "Moment2", "Beta1Pow", "Beta2Pow",
        "MasterParam?@2", "SkipUpdate?@2",
    ),
    outputs=("ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut?@2", "Beta2PowOut?@2", "MasterParamOut?@2"),
    inplace={
        "ParamOut": "Param",
        "Moment1Out": "Moment1",
        "Moment2Out": "Moment2",
        "Beta1PowOut": "Beta1Pow",
        "Beta2PowOut": "Beta2Pow",
        "MasterParamOut": "MasterParam",
    },
    fused=fused.lamb,
)  # fmt: skip
@torch.no_grad()
def lamb(
    param: Tensor,
    grad: Tensor,
    rate: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    power1: Tensor,
    power2: Tensor,
    master: Tensor | None = None,
    skip: Tensor | None = None,
    *,
    weight_decay: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    always_adapt: bool = False,
    multi_precision: bool = False,
    _v1: bool = False,
) -> tuple[Tensor | None, ...]:
    """Adam's direction plus decay, as long as LearningRate times the parameter's norm.

    `_v1`: Paddle 1.8 corrects no bias and leaves the powers of beta alone. 2.x takes LearningRate as it is where there
    is no decay, unless `always_adapt`.
    """
    state = (param, moment1, moment2, power1, power2, master)
    if skipped(skip):
        return state
    target, beta1, beta2, decay = wide(param, master), single(beta1), single(beta2), single(weight_decay)
    grad = dense(grad, target)
    moments(grad, moment1, moment2, beta1, beta2)
    if _v1:
        direction = moment1 / moment2.sqrt().add_(single(epsilon))
    else:
        direction = moment1 / (1 - number(power1)) / (moment2 / (1 - number(power2))).sqrt_().add_(single(epsilon))
        power1.mul_(beta1)
        power2.mul_(beta2)
    if decay:
        direction.add_(target, alpha=decay)
    if decay or always_adapt or _v1:
        length, step = norms(target, direction)
        direction.mul_(torch.where((length > 0) & (step > 0), length / step, 1.0))
    move(target, direction, number(rate))
    narrow(param, master)
    return state


@op(
    inputs=("Param", "SquaredAccumulator", "LinearAccumulator", "Grad", "LearningRate"),
    outputs=("ParamOut", "SquaredAccumOut", "LinearAccumOut"),
    inplace={"ParamOut": "Param", "SquaredAccumOut": "SquaredAccumulator", "LinearAccumOut": "LinearAccumulator"},
)
@torch.no_grad()
def ftrl(
    param: Tensor,
    square: Tensor,
    linear: Tensor,
    grad: Tensor,
    rate: Tensor,
    *,
    l1: float = 0.0,
    l2: float = 0.0,
    lr_power: float = -0.5,
) -> tuple[Tensor, Tensor, Tensor]:
    """Follow the regularised leader: parameters whose linear accumulator stays within l1 are zero."""
    l1, l2, power = single(l1), single(l2), -single(lr_power)
    grad, speed = dense(grad, param), number(rate)
    raised = square.addcmul(grad, grad)
    old, new = square**power, raised**power
    linear.add_(grad).sub_((new - old) / speed * param)
    param.copy_(torch.where(linear.abs() > l1, (l1 * linear.sign() - linear) / (new / speed + 2 * l2), 0.0))
    square.copy_(raised)
    return param, square, linear
