"""Collective operators: what all ranks of a ring do together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import ring_of
from paddle_compat.ops.norm import batch_norm, normalized_batch

Tensor = torch.Tensor


def all_reduce_together(xs: Sequence[Tensor], *, ring_id: int = 0, **attrs: Any) -> list[Tensor]:
    """Many neighbouring `c_allreduce_sum`: the ranks meet once for all of them."""
    return ring_of(ring_id).all_reduce(xs)


def _infer_same(x: Meta, cond: Meta | None = None, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype)


def _gradient(op_: Any, grad_outs: Any, grad_ins: Any) -> list[tuple[Any, ...]]:
    """1.8 adds the gradients up, too; 2.x has none."""
    wanted = [name for name in grad_ins["X"] if name]
    attrs = {name: op_.attr(name) for name in ("ring_id", "use_calc_stream")}
    return [("c_allreduce_sum", {"X": list(grad_outs["Out"])}, {"Out": wanted}, attrs)] if wanted and op_.block.program.age == 1 else []


@op(inputs=("X", "Cond?@2"), grad_maker=_gradient, infer=_infer_same)
def c_allreduce_sum(
    x: Tensor, cond: Tensor | None = None, *, ring_id: int = 0, use_calc_stream: bool = False, use_model_parallel: bool = False
) -> Tensor:
    """The sum over all ranks of the ring."""
    return ring_of(ring_id).all_reduce([x])[0]


def _channels(x: Tensor, values: Tensor) -> Tensor:
    """One value for each channel (dimension 1), as it broadcasts against x."""
    return values.reshape(-1, *[1] * (x.dim() - 2))


class _NormalizedTogether(torch.autograd.Function):
    """Channels normalized over the batches of all ranks; y, the mean and the biased variance."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, bias: Tensor, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
        ring = ring_of(0)
        axes = [d for d in range(x.dim()) if d != 1]
        own = torch.full((1,), x.numel() // x.shape[1], dtype=scale.dtype, device=x.device)
        total, count = ring.all_reduce([x.sum(axes), own])
        mean = total / count
        centred = x - _channels(x, mean)
        variance = ring.all_reduce([centred.square().sum(axes)])[0] / count
        inverse = (variance + epsilon).rsqrt()
        normal = centred * _channels(x, inverse)
        ctx.save_for_backward(normal, scale, inverse, count)
        ctx.ring = ring  # the backward pass may run in another thread
        ctx.mark_non_differentiable(mean, variance)
        return torch.addcmul(_channels(x, bias), normal, _channels(x, scale)), mean, variance

    @staticmethod
    def backward(ctx: Any, grad: Tensor, *statistics: Tensor | None) -> tuple[Tensor | None, ...]:
        normal, scale, inverse, count = ctx.saved_tensors
        axes = [d for d in range(grad.dim()) if d != 1]
        of_bias, of_scale = grad.sum(axes), (grad * normal).sum(axes)
        all_bias, all_scale = ctx.ring.all_reduce([of_bias, of_scale])
        centred = grad - _channels(grad, all_bias / count) - normal * _channels(grad, all_scale / count)
        return centred * _channels(grad, scale * inverse), of_scale, of_bias, None


@op(
    inputs=("X", "Scale", "Bias", "Mean", "Variance", "MomentumTensor?"),
    infer=batch_norm.infer,
    outputs=("Y", "MeanOut", "VarianceOut", "SavedMean~", "SavedVariance~", "ReserveSpace~?"),
    grad=("X", "Scale", "Bias", "SavedMean", "SavedVariance", "ReserveSpace"),
    no_grad=("Mean", "Variance", "MomentumTensor"),
    describe={
        "SavedMean": lambda x, scale, *rest, **a: Meta(scale.shape, scale.dtype, 0),
        "SavedVariance": lambda x, scale, *rest, **a: Meta(scale.shape, scale.dtype, 0),
        "ReserveSpace": lambda x, *rest, **a: Meta((-1,), x.dtype, 0),
    },
)
def sync_batch_norm(
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    momentum_tensor: Tensor | None = None,
    *,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_layout: str = "NCHW",
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
    fuse_with_relu: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """`batch_norm` over the batches of all ranks; it returns the new running statistics, too, which are all ranks' alike."""
    running = use_global_stats or (is_test and not trainable_statistics)
    kept = momentum if momentum_tensor is None else momentum_tensor
    return normalized_batch(x, scale, bias, mean, variance, None if running else _NormalizedTogether.apply, kept, epsilon, data_layout)
