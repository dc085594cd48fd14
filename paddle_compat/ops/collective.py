"""Collective operators: what all ranks of a ring do together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import Ring, ring_of
from paddle_compat.ops._ranks import MAX, MIN, PROD, SUM, agree, reduced, reduced_at, travel
from paddle_compat.ops.norm import batch_norm, normalized_batch

Tensor = torch.Tensor


def all_reduce_together(xs: Sequence[Tensor], *, ring_ids: Sequence[int]) -> list[Tensor]:
    """Many neighbouring `c_allreduce_sum`, each with its ring: the ranks of a ring, whatever numbers it has, meet once for all of them."""
    found = list(xs)
    places: dict[Ring, list[int]] = {}
    for place, ring_id in enumerate(ring_ids):
        places.setdefault(ring_of(ring_id), []).append(place)
    for ring, mine in places.items():
        together = [xs[place] for place in mine]
        agree(ring, "c_allreduce_sum", together)
        for place, total in zip(mine, ring.all_reduce(together)):
            found[place] = total
    return found


def infer_same(x: Meta, *others: Meta | None, **attrs: Any) -> Meta:
    """What comes back has the shape of what goes round."""
    return Meta(x.shape, x.dtype)


def grad_as(type_: str, *names: str, ages: tuple[int, ...] = (1, 2)) -> Callable[..., list[tuple[Any, ...]]]:
    """A gradient that is an operator of that type with these attributes of the operator; none in Programs of other ages."""

    def make(op_: Any, grad_outs: Any, grad_ins: Any) -> list[tuple[Any, ...]]:
        wanted = [name for name in grad_ins["X"] if name]
        if not wanted or op_.block.program.age not in ages:
            return []
        return [(type_, {"X": list(grad_outs["Out"])}, {"Out": wanted}, {name: op_.attr(name) for name in names})]

    return make


def _summed(ring: Ring, x: Tensor) -> Tensor:
    return reduced(ring, x, SUM, "c_allreduce_sum")


def _same(ring: Ring, x: Tensor) -> Tensor:
    return x


@op(inputs=("X", "Cond?@2"), grad_maker=grad_as("c_allreduce_sum", "ring_id", "use_calc_stream", ages=(1,)), infer=infer_same)
def c_allreduce_sum(
    x: Tensor,
    cond: Tensor | None = None,
    *,
    ring_id: int = 0,
    use_calc_stream: bool = False,
    use_model_parallel: bool = False,
    _summed_back: bool = False,
) -> Tensor:
    """The sum over all ranks of the ring. In Paddle 1.x (`_summed_back`) its gradient is the sum of the gradients, in 2.x it has none."""
    return travel(x, ring_id, _summed, _summed if _summed_back else None)


def _to_all(type_: str, kind: str) -> None:
    @op(inputs=("X",), name=type_, infer=infer_same)
    def fn(x: Tensor, *, ring_id: int = 0, use_calc_stream: bool = False, use_model_parallel: bool = False) -> Tensor:
        return reduced(ring_of(ring_id), x.detach(), kind, type_)


def _to_root(type_: str, kind: str) -> None:
    @op(inputs=("X",), name=type_, infer=infer_same)
    def fn(x: Tensor, *, ring_id: int = 0, root_id: int = 0, use_calc_stream: bool = False) -> Tensor:
        return reduced_at(ring_of(ring_id), x.detach(), root_id, kind, type_)


for _type, _kind in (("c_allreduce_max", MAX), ("c_allreduce_min", MIN), ("c_allreduce_prod", PROD)):
    _to_all(_type, _kind)
for _type, _kind in (("c_reduce_sum", SUM), ("c_reduce_max", MAX), ("c_reduce_min", MIN), ("c_reduce_prod", PROD)):
    _to_root(_type, _kind)


def _kind_of(kinds: Sequence[str], reduce_type: int, type_: str) -> str:
    if not 0 <= reduce_type < len(kinds):
        raise invalid_argument("reduce_type", f"a number from 0 to {len(kinds) - 1}", reduce_type, type_)
    return kinds[reduce_type]


@op(inputs=("X",), infer=infer_same)
def allreduce(x: Tensor, *, reduce_type: int = 0, sync_mode: bool = False) -> Tensor:
    """Paddle 1.x: the sum (0), product (1), maximum (2) or minimum (3) over all ranks of ring 0."""
    return reduced(ring_of(0), x.detach(), _kind_of((SUM, PROD, MAX, MIN), reduce_type, "allreduce"), "allreduce")


@op(inputs=("x",), outputs=("out",), infer=infer_same)
def all_reduce(x: Tensor, *, ring_id: int = 0, reduce_type: int = 0) -> Tensor:
    """The sum (0), maximum (1), minimum (2) or product (3) over all ranks of the ring."""
    return reduced(ring_of(ring_id), x.detach(), _kind_of((SUM, MAX, MIN, PROD), reduce_type, "all_reduce"), "all_reduce")


@op(inputs=("x",), outputs=("out",), infer=infer_same)
def reduce(x: Tensor, *, ring_id: int = 0, root_id: int = 0, reduce_type: int = 0) -> Tensor:
    """As `all_reduce`, at one rank; the others keep what they have."""
    return reduced_at(ring_of(ring_id), x.detach(), root_id, _kind_of((SUM, MAX, MIN, PROD), reduce_type, "reduce"), "reduce")


@op(inputs=("X",), grad_maker=grad_as("c_identity", "ring_id", "use_calc_stream"), infer=infer_same)
def mp_allreduce_sum(x: Tensor, *, ring_id: int = 0, use_calc_stream: bool = False) -> Tensor:
    """The sum over all ranks; the gradient goes to each of them as it is."""
    return travel(x, ring_id, _summed, _same)


@op(inputs=("X",), grad_maker=grad_as("c_allreduce_sum", "ring_id", "use_calc_stream", "use_model_parallel"), infer=infer_same)
def c_identity(x: Tensor, *, ring_id: int = 0, use_calc_stream: bool = True, use_model_parallel: bool = True) -> Tensor:
    """What all ranks have alike; its gradient is the sum of theirs."""
    return travel(x, ring_id, _same, _summed)


def _channels(x: Tensor, values: Tensor) -> Tensor:
    """One value for each channel (dimension 1), as it broadcasts against x."""
    return values.reshape(-1, *[1] * (x.dim() - 2))


class _NormalizedTogether(torch.autograd.Function):
    """Channels normalized over the batches of all ranks; y, the mean and the biased variance."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, bias: Tensor, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
        ring, kind = ring_of(0), x.dtype
        x = x.to(scale.dtype)
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
        return torch.addcmul(_channels(x, bias), normal, _channels(x, scale)).to(kind), mean, variance

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
