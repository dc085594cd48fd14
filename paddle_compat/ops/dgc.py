"""Operators of deep gradient compression: of a gradient only the largest elements travel, the others wait at home.

Each rank keeps a velocity U and a sum V of velocities; the elements of V that are largest by absolute value are sent to
the other ranks, and U and V begin anew there (Lin et al., "Deep Gradient Compression").
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import ring_of
from paddle_compat.ops._update_parts import dense, move, narrow, number, single, wide

Tensor = torch.Tensor


def _ranks(nranks: Tensor) -> int:
    """How many ranks train; -1 stands for those of the ring."""
    count = int(nranks)
    if count < 0:
        count = ring_of(0).size
    if count <= 1:
        raise InvalidArgumentError(f"DGC is not useful when num_trainers <= 1, but now nranks={count}")
    return count


def _sparsity(step: float, sparsity: Sequence[float], rampup_step: float) -> float:
    """The share of elements that stay at home; the list is gone through once in `rampup_step` steps."""
    at = int(step * len(sparsity) / rampup_step) if rampup_step > 0 else len(sparsity)
    return sparsity[min(at, len(sparsity) - 1)]


def _infer(u: Meta, v: Meta, grad: Meta, param: Meta, step: Meta, nranks: Meta, **attrs: object) -> tuple[Meta, ...]:
    return u, v, Meta((-1,), grad.dtype, 0), Meta(grad.shape, grad.dtype), Meta((1,), torch.float32), Meta((-1,), grad.dtype, 0)


@op(
    inputs=("U", "V", "Grad", "Param", "current_step", "nranks"),
    outputs=("U_out", "V_out", "EncodeGrad", "Grad_out", "k", "GatherBuff"),
    inplace={"U_out": "U", "V_out": "V"},
    infer=_infer,
    lod=None,
)
@torch.no_grad()
def dgc(
    u: Tensor,
    v: Tensor,
    grad: Tensor,
    param: Tensor,
    step: Tensor,
    nranks: Tensor,
    *,
    m: float = 0.9,
    use_nesterov: bool = True,
    sparsity: Sequence[float] = (),
    rampup_begin_step: float = 0.0,
    rampup_step: float = 0.0,
    regular_coeff: float = 0.0,
    regular_type: int = 0,
) -> tuple[Tensor, ...]:
    """What of a gradient is sent: all of it before `rampup_begin_step`, then the largest elements of V.

    The gradient comes divided by the number of ranks, and leaves as one rank's own. `Grad_out` holds zeros where nothing is
    sent; it is sparse (its rows are the elements of the flattened gradient) where that makes the sum over the ranks shorter.
    `EncodeGrad` is k positions, then k values, as bits of the gradient's data type where Paddle packs them into one buffer.
    """
    count = _ranks(nranks)
    own = dense(grad, param) * count
    if regular_type:
        own = own.add(param if regular_type == 2 else param.sign(), alpha=single(regular_coeff))
    now = float(step)
    if now < rampup_begin_step:
        return u, v, own.new_zeros(1), own, torch.zeros(1), own.new_zeros(1)
    factor = single(m)
    if use_nesterov:
        u.add_(own).mul_(factor)
        v.add_(u).add_(own)
    else:
        u.mul_(factor).add_(own)
        v.add_(u)
    kept = own.numel()
    chosen = max(1, int(kept * (1 - single(_sparsity(now - rampup_begin_step, sparsity, rampup_step)))))
    flat = v.view(-1)
    places = flat.abs().topk(chosen, sorted=False).indices.sort().values
    values = flat[places]
    flat[places] = 0
    u.view(-1)[places] = 0
    # a sparse element travels as a position (8 bytes) and a value to each rank, a dense one as a value back and forth
    if chosen * (8 + values.element_size()) * (count - 1) < 2 * kept * values.element_size():
        sent: Tensor = torch.sparse_coo_tensor(places[None], values, (kept,), check_invariants=False)
    else:
        sent = torch.zeros_like(flat).index_put_((places,), values).view(own.shape)
    encoded = torch.cat([places.to(values.dtype), values])
    return u, v, encoded, sent, torch.full((1,), float(chosen)), own.new_zeros(1)


@op(inputs=("X", "current_step"), outputs=("Out",), infer=lambda x, step, **attrs: Meta(x.shape, x.dtype))
@torch.no_grad()
def dgc_clip_by_norm(x: Tensor, step: Tensor, *, max_norm: float, rampup_begin_step: float = -1.0) -> Tensor:
    """A gradient scaled down to a norm, from `rampup_begin_step` on."""
    if rampup_begin_step < 0 or float(step) < rampup_begin_step:
        return x
    norm = x.norm()
    limit = single(max_norm)
    return torch.where(norm > limit, x * (limit / norm), x)


@op(
    inputs=("Param", "Grad", "Velocity", "LearningRate", "MasterParam?@2", "current_step", "nranks"),
    outputs=("ParamOut", "VelocityOut", "MasterParamOut?@2", "Grad_out"),
    inplace={"ParamOut": "Param", "VelocityOut": "Velocity", "MasterParamOut": "MasterParam"},
    infer=lambda param, grad, velocity, rate, master, step, nranks, **attrs: (param, velocity, master, Meta(grad.shape, grad.dtype)),
)
@torch.no_grad()
def dgc_momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    rate: Tensor,
    master: Tensor | None,
    step: Tensor,
    nranks: Tensor,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
    rescale_grad: float = 1.0,
    multi_precision: bool = False,
    rampup_begin_step: float = -1.0,
) -> tuple[Tensor, Tensor, Tensor | None, Tensor]:
    """Momentum before `rampup_begin_step`, then plain steps (the ranks keep the velocity), by the sum of gradients over the ranks."""
    target = wide(param, master)
    mean = dense(grad, target).view(target.shape) / _ranks(nranks)
    if float(step) >= rampup_begin_step:
        move(target, mean, number(rate))
    else:
        grad = mean.add(target, alpha=single(regularization_coeff)) if regularization_method == "l2_decay" else mean
        velocity.mul_(single(mu)).add_(grad)
        move(target, grad.add(velocity, alpha=single(mu)) if use_nesterov else velocity, number(rate))
    return narrow(param, master), velocity, master, mean
