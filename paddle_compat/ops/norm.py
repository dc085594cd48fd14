"""Normalizations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from ctypes import c_float
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core._grad_spec import copied_attributes
from paddle_compat.core.constants import beside
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.operator import GRAD_SUFFIX, Operator
from paddle_compat.ops import _batch_moments
from paddle_compat.ops._checks import check_epsilon
from paddle_compat.ops._grad_makers import Names
from paddle_compat.ops._spatial import channels_back, channels_first, is_channel_last

Tensor = torch.Tensor


def _channels(x: Meta, data_layout: str) -> int:
    return x.shape[-1] if is_channel_last(data_layout) else x.shape[1]


def _describe_saved(x: Meta, *rest: Any, data_layout: str = "NCHW", is_test: bool = False, **attrs: Any) -> Meta:
    if is_test:
        return Meta((), torch.float32, 0)
    return Meta((_channels(x, data_layout),), torch.float64 if x.dtype is torch.float64 else torch.float32, 0)


def _fitting(x: Meta, size: int, *parts: Meta | None) -> bool:
    """Whether a trial run can be spared: floats, and one number of a part for each of `size`."""
    return x.dtype is torch.float32 and all(p is None or p.shape == (size,) and p.dtype is x.dtype for p in parts)


def _infer_batch_norm(
    x: Meta, scale: Meta | None, bias: Meta | None, mean: Meta, variance: Meta, *rest: Any,
    data_layout: str = "NCHW", **a: Any,
) -> Any:  # fmt: skip
    channels = _channels(x, data_layout) if 2 <= len(x.shape) <= 5 else 0
    fits = channels and (channels < 0 or _fitting(x, channels, scale, bias, mean, variance))
    return (Meta(x.shape, x.dtype), mean, variance) if fits else NotImplemented


def _of_batch(what: str) -> Callable[..., Tensor | None]:
    """The rule that derives SavedMean ("mean") or SavedVariance ("deviation", its inverse in truth)."""

    def saved(
        x: Tensor, *others: Any, epsilon: float = 1e-5, data_layout: str = "NCHW", is_test: bool = False,
        use_global_stats: bool = False, trainable_statistics: bool = False, **attrs: Any,
    ) -> Tensor | None:  # fmt: skip
        if use_global_stats or (is_test and not trainable_statistics):
            return None  # the wheels leave what memory held
        channel = x.dim() - 1 if is_channel_last(data_layout) and x.dim() > 2 else 1
        variance, mean = torch.var_mean(x, [d for d in range(x.dim()) if d != channel], correction=0)
        return mean if what == "mean" else (variance + epsilon).rsqrt()

    return saved


def both_or_neither(scale: Tensor | None, bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """Scale and bias, which want gradients together: 2.6's and 3.3's kernels give neither where one of them stops its own."""
    wanted = [part is not None and part.requires_grad for part in (scale, bias)]
    if wanted[0] is wanted[1]:
        return scale, bias
    return None if scale is None else scale.detach(), None if bias is None else bias.detach()


def normalized_rows(rows: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    """Channels (the second dimension) normalized over the batch, its mean and variance, neither of which carries a gradient.

    On a GPU the variance is the unbiased one, as the running variance of cuDNN is, and so Paddle's there.
    """
    if (found := _batch_moments.of_large(rows, scale, bias, epsilon)) is not None:
        return found
    if _is_plain_cuda(rows):
        y, mean, deviation = _by_cudnn(rows, scale, bias, None, None, 0.0, epsilon)
    else:
        y, mean, deviation = torch.native_batch_norm(rows, scale, bias, None, None, True, 0.0, epsilon)
    variance = deviation.pow(-2).sub_(beside(epsilon, deviation))  # torch keeps 1 / sqrt(variance + epsilon)
    if rows.is_cuda:
        count = rows.numel() / rows.shape[1]
        variance = variance * (count / (count - 1))
    return y, mean, variance


def normalized_moving(
    rows: Tensor, scale: Tensor | None, bias: Tensor | None, mean: Tensor, variance: Tensor, share: float, epsilon: float
) -> Tensor:
    """As `normalized_rows`, and the running statistics move in place: on a GPU by the same kernel, where four more would do it."""
    if _is_plain_cuda(rows) and (rows if scale is None else scale).dtype is mean.dtype:
        return _by_cudnn(rows, scale, bias, mean, variance, share, epsilon)[0]
    y, batch_mean, batch_variance = normalized_rows(rows, scale, bias, epsilon)
    mean.data.lerp_(batch_mean, share)  # nothing that was computed with the former ones may fail over this when it is differentiated
    variance.data.lerp_(batch_variance, share)
    return y


def _is_plain_cuda(rows: Tensor) -> bool:
    return rows.is_cuda and type(rows) is Tensor


def _by_cudnn(rows: Tensor, scale: Any, bias: Any, mean: Any, variance: Any, share: float, epsilon: float) -> Sequence[Tensor]:
    """Batch norm by cuDNN, if it can, which is faster than PyTorch's own kernel."""
    return torch._batch_norm_impl_index(rows, scale, bias, mean, variance, True, share, epsilon, torch.backends.cudnn.enabled)[:3]


@op(
    inputs=("X", "Scale?", "Bias?", "Mean", "Variance", "MomentumTensor?"),
    infer=_infer_batch_norm,
    derive={"SavedMean": _of_batch("mean"), "SavedVariance": _of_batch("deviation")},
    outputs=("Y", "MeanOut", "VarianceOut", "SavedMean~", "SavedVariance~", "ReserveSpace~?"),
    grad={
        1: ("X", "Scale", "Bias", "SavedMean", "SavedVariance", "ReserveSpace"),
        2: ("X", "Scale", "Bias", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace"),
    },
    no_grad=("Mean", "Variance", "MomentumTensor"),
    describe={
        "SavedMean": _describe_saved,
        "SavedVariance": _describe_saved,
        "ReserveSpace": lambda x, *rest, **a: Meta((-1,), x.dtype, 0),
    },
)
def batch_norm(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
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
    """Normalize every channel over the batch; return it with the new running mean and variance (biased on the CPU, as Paddle's)."""
    running = use_global_stats or (is_test and not trainable_statistics)
    kept = momentum if momentum_tensor is None else momentum_tensor
    scale, bias = both_or_neither(scale, bias)
    out = normalized_batch(x, scale, bias, mean, variance, None if running else normalized_rows, kept, epsilon, data_layout)
    if is_test and not running and out[0].requires_grad:  # the wheels' gradient is that by the running statistics all the same
        through = normalized_batch(x, scale, bias, *out[1:], None, kept, epsilon, data_layout)[0]
        return _WithGradientOf.apply(out[0].detach(), through), *out[1:]
    return out


class _WithGradientOf(torch.autograd.Function):
    """Values, and the gradient of another tensor of their shape."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, through: Tensor) -> Tensor:
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        return None, grad


def share_of_batch(momentum: float) -> float:
    """What a batch's statistics count for in the running ones: Paddle's momentum is a float32, in eager mode as in a Program."""
    return 1.0 - c_float(momentum).value


def alone(rows: Tensor) -> bool:
    """Whether a batch has one element for each channel, or none: Paddle lets it through as it is, and the running statistics alone."""
    return rows.dim() > 1 and rows.numel() in (0, rows.shape[1])


def let_through(rows: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    """The batch as it is, for its gradient, too; those of scale and bias are zeros."""
    parts = [part.view(-1, *[1] * (rows.dim() - 2)) for part in (scale, bias) if part is not None]
    never = torch.zeros_like(rows, dtype=torch.bool)
    return torch.where(never, sum(parts), rows) if parts else rows.clone()


def normalized_batch(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    normalize: Callable[..., tuple[Tensor, Tensor, Tensor]] | None,
    momentum: float | Tensor,
    epsilon: float,
    data_layout: str,
) -> tuple[Tensor, Tensor, Tensor]:
    """Batch norm by a way to normalize rows of channels over a batch, as `normalized_rows` does; None: by the running statistics."""
    if not 2 <= x.dim() <= 5:
        raise invalid_argument("x", "2 to 5 dimensions", list(x.shape), "batch_norm")
    rows = x if data_layout[-1] != "C" or x.dim() == 2 else x.movedim(-1, 1)
    if mean.requires_grad or variance.requires_grad:  # as those of a loaded layer whose parameters were all asked to
        mean, variance = mean.detach(), variance.detach()
    if normalize is None:
        y = F.batch_norm(rows, mean, variance, scale, bias, False, 0.0, epsilon)
        return (y if rows is x else y.movedim(1, -1)), mean, variance
    if normalize is normalized_rows and alone(rows):
        y = let_through(rows, scale, bias)
        return (y if rows is x else y.movedim(1, -1)), mean.clone(), variance.clone()
    share = share_of_batch(float(momentum))
    if normalize is normalized_rows and _is_plain_cuda(rows):
        mean_out, variance_out = torch._foreach_mul([mean, variance], 1.0)  # both copies by one kernel
        y = normalized_moving(rows, scale, bias, mean_out, variance_out, share, epsilon)
    else:
        y, batch_mean, batch_variance = normalize(rows, scale, bias, epsilon)
        mean_out, variance_out = mean.lerp(batch_mean, share), variance.lerp(batch_variance, share)
    return (y if rows is x else y.movedim(1, -1)), mean_out, variance_out


def _describe_left(x: Meta, *rest: Any, begin_norm_axis: int = 1, _flat: bool = False, **attrs: Any) -> Meta:
    left = x.shape[:begin_norm_axis]
    # 1.x multiplies what it knows of the dimensions, -1 included
    return Meta((math.prod(left),) if _flat else left, x.dtype, 0)


def _infer_layer_norm(
    x: Meta, scale: Meta | None = None, bias: Meta | None = None, *, begin_norm_axis: int = 1, epsilon: float = 1e-5, **attrs: Any
) -> Any:
    check_epsilon(epsilon)
    if begin_norm_axis < 1:
        raise invalid_argument("begin_norm_axis", "1 or more", begin_norm_axis, "layer_norm")
    size = math.prod(x.shape[begin_norm_axis:])
    if begin_norm_axis < len(x.shape) and -1 in x.shape[begin_norm_axis:]:  # the run tells what does not fit
        return Meta(x.shape, x.dtype)
    fits = 0 < begin_norm_axis < len(x.shape) and size > 0 and _fitting(x, size, scale, bias)
    return Meta(x.shape, x.dtype) if fits else NotImplemented


def _rows_left(x: Tensor, axis: int, flat: bool) -> tuple[Tensor, tuple[int, ...]]:
    """x with what layer_norm normalizes in one dimension, and the shape of the statistics."""
    left = x.shape[:axis]
    return x.reshape(math.prod(left), -1), (math.prod(left),) if flat else tuple(left)


def _layer_mean(x: Tensor, *others: Any, begin_norm_axis: int = 1, _flat: bool = False, **attrs: Any) -> Tensor:
    rows, shape = _rows_left(x, begin_norm_axis, _flat)
    return rows.mean(1).view(shape)


def _layer_variance(x: Tensor, *others: Any, begin_norm_axis: int = 1, _flat: bool = False, **attrs: Any) -> Tensor:
    rows, shape = _rows_left(x, begin_norm_axis, _flat)
    return rows.var(1, correction=0).view(shape)


@op(
    inputs=("X", "Scale?", "Bias?"),
    outputs=("Y", "Mean~", "Variance~"),
    infer=_infer_layer_norm,
    derive={"Mean": _layer_mean, "Variance": _layer_variance},
    grad=("X", "Scale", "Bias", "Mean", "Variance"),
    describe={"Mean": _describe_left, "Variance": _describe_left},
)
def layer_norm(
    x: Tensor,
    scale: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    epsilon: float = 1e-5,
    begin_norm_axis: int = 1,
    _flat: bool = False,
) -> Tensor:
    """Normalize each sample over the dimensions from `begin_norm_axis` on. `_flat`: how 1.x describes Mean and Variance."""
    shape = x.shape[begin_norm_axis:]
    if len(shape) > 1:
        scale = None if scale is None else scale.view(shape)
        bias = None if bias is None else bias.view(shape)
    return torch.layer_norm(x, shape, scale, bias, epsilon)


def _single_numbers(rows: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    """Groups of one number each, which is its own mean: exactly 0, where torch rounds or refuses."""
    y = rows - rows
    for part, combine in ((scale, torch.mul), (bias, torch.add)):
        y = y if part is None else combine(y, part.view(-1, *[1] * (rows.dim() - 2)))
    return y


def _describe_instances(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    # an unknown batch is not told from -1 samples
    return Meta((x.shape[0] * x.shape[1],), x.dtype, 0)


def _infer_instance_norm(x: Meta, scale: Meta | None = None, bias: Meta | None = None, *, epsilon: float = 1e-5) -> Any:
    fits = 3 <= len(x.shape) <= 5 and _fitting(x, x.shape[1], scale, bias)
    return Meta(x.shape, x.dtype) if fits else NotImplemented


def _instance_mean(x: Tensor, *others: Any, **attrs: Any) -> Tensor:
    return x.flatten(2).mean(2).flatten()


def _instance_deviation(x: Tensor, *others: Any, epsilon: float = 1e-5) -> Tensor:
    return (x.flatten(2).var(2, correction=0) + epsilon).rsqrt().flatten()


@op(
    inputs=("X", "Scale?", "Bias?"),
    outputs=("Y", "SavedMean~", "SavedVariance~"),
    infer=_infer_instance_norm,
    derive={"SavedMean": _instance_mean, "SavedVariance": _instance_deviation},
    grad=("X", "Scale", "SavedMean", "SavedVariance"),
    describe={"SavedMean": _describe_instances, "SavedVariance": _describe_instances},
)
def instance_norm(
    x: Tensor, scale: Tensor | None = None, bias: Tensor | None = None, *, epsilon: float = 1e-5
) -> Tensor:
    """Normalize every channel of every sample."""
    scale, bias = both_or_neither(scale, bias)
    if x.shape[0] == 0:
        return let_through(x, scale, bias)
    if x.dim() > 2 and x.shape[0] * x.shape[1] == x.numel():
        return _single_numbers(x, scale, bias)
    if type(x) is Tensor and x.is_cpu and x.dim() > 2 and x.numel():  # groups of one channel, whose moments torch adds up in vectors
        return torch.group_norm(x, x.shape[1], scale, bias, epsilon)
    return torch.instance_norm(x, scale, bias, None, None, True, 0.0, epsilon, torch.backends.cudnn.enabled)


def _describe_groups(x: Meta, *rest: Any, groups: int = -1, **attrs: Any) -> Meta:
    return Meta((x.shape[0], groups), x.dtype, 0)


def _infer_spectral_norm(weight: Meta, *others: Meta, **attrs: Any) -> Any:
    return Meta(weight.shape, weight.dtype) if -1 in weight.shape else NotImplemented


def _infer_group_norm(
    x: Meta,
    scale: Meta | None = None,
    bias: Meta | None = None,
    *,
    groups: int,
    data_layout: str = "NCHW",
    _uneven: bool = False,
    **attrs: Any,
) -> Any:
    channels = _channels(x, data_layout) if len(x.shape) > 2 else -2
    if channels == -1 and scale is not None and scale.shape[0] > 0:  # as many as the scale has
        last = is_channel_last(data_layout)
        channels = scale.shape[0]
        x = Meta((*x.shape[:-1], channels) if last else (x.shape[0], channels, *x.shape[2:]), x.dtype)
    even = channels > 0 and groups > 0 and (channels % groups == 0 or (_uneven and groups < channels))
    return Meta(x.shape, x.dtype) if even and _fitting(x, channels, scale, bias) else NotImplemented


def _of_groups(statistic: Callable[[Tensor], Tensor], x: Tensor, groups: int, data_layout: str) -> Tensor:
    """A statistic of every group's numbers, [N, groups]; 0 for groups that find no channels left."""
    rows = channels_first(x, data_layout)
    each = -(-rows.shape[1] // groups)
    numbers = [rows[:, i * each : (i + 1) * each].reshape(len(rows), -1) for i in range(groups)]
    return torch.stack([statistic(group) if group.shape[1] else group.sum(1) for group in numbers], 1)


def _group_mean(x: Tensor, *others: Any, groups: int, data_layout: str = "NCHW", **attrs: Any) -> Tensor:
    return _of_groups(lambda group: group.mean(1), x, groups, data_layout)


def _group_variance(x: Tensor, *others: Any, groups: int, data_layout: str = "NCHW", **attrs: Any) -> Tensor:
    return _of_groups(lambda group: group.var(1, correction=0), x, groups, data_layout)


def _normalized_groups(rows: Tensor, groups: int, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> Tensor:
    """Groups of as many channels each."""
    if scale is not None:
        alone = rows.shape[0] * groups == rows.numel()
        return _single_numbers(rows, scale, bias) if alone else F.group_norm(rows, groups, scale, bias, epsilon)
    # Without scale the real gradient forgets that the mean depends on x: what autograd subtracts for it is added again,
    # by a term that is zero.
    count, channels = rows.shape[:2]
    size = math.prod(rows.shape[2:])
    y, _, scales = torch.native_group_norm(rows.contiguous(), None, None, count, channels, size, groups, epsilon)
    if rows.requires_grad and rows.numel():
        mean = rows.reshape(count, groups, -1).sum(-1, keepdim=True) / (channels // groups * size)
        gone = (mean - mean.detach()) * scales.detach().unsqueeze(-1)
        y = (y.view(count, groups, -1) + gone).view(rows.shape)
    return y if bias is None else y + bias.view(-1, *[1] * (rows.dim() - 2))


@op(
    inputs=("X", "Scale?", "Bias?"),
    outputs=("Y", "Mean~", "Variance~"),
    infer=_infer_group_norm,
    derive={"Mean": _group_mean, "Variance": _group_variance},
    grad={1: ("Scale", "Bias", "Y", "Variance"), 2: ("X", "Scale", "Bias", "Y", "Mean", "Variance")},
    describe={"Mean": _describe_groups, "Variance": _describe_groups},
)
def group_norm(
    x: Tensor,
    scale: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    groups: int,
    epsilon: float = 1e-5,
    data_layout: str = "NCHW",
    _uneven: bool = False,
) -> Tensor:
    """Normalize the channels of every sample in groups. `_uneven`: the last groups may have fewer channels, as in Paddle 1.8."""
    rows = channels_first(x, data_layout)
    channels = rows.shape[1]
    if _uneven and 0 < groups < channels and channels % groups:
        each = -(-channels // groups)
        weights, biases = (itertools.repeat(None) if t is None else t.split(each) for t in (scale, bias))
        parts = [_normalized_groups(part, 1, w, b, epsilon) for part, w, b in zip(rows.split(each, 1), weights, biases)]
        return channels_back(torch.cat(parts, 1), data_layout)
    if groups < 1 or channels % groups:
        expected = f"a number up to that of the channels, {channels}" if _uneven else f"a divisor of the number of channels, {channels}"
        raise invalid_argument("groups", expected, groups, "group_norm")
    return channels_back(_normalized_groups(rows, groups, scale, bias, epsilon), data_layout)


class _DataNorm(torch.autograd.Function):
    """Scaling by global statistics, whose "gradients" are what this batch adds to them (summed up by the optimizer)."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, size: Tensor, total: Tensor, squares: Tensor, epsilon: float, slot_dim: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        means, scales = total / size, (size / squares).sqrt()
        y = (x - means) * scales
        if slot_dim > 0:
            # a slot that was never shown (its first element is 0) stays as zeros
            shown = (x[:, ::slot_dim].abs() > 1e-7).repeat_interleave(slot_dim, 1)
            y = y * shown
        ctx.save_for_backward(x, means, scales)
        ctx.epsilon, ctx.slot_dim = epsilon, slot_dim
        ctx.mark_non_differentiable(means, scales)
        return y, means, scales

    @staticmethod
    def backward(ctx: Any, grad: Tensor, *unused: Any) -> tuple[Any, ...]:
        x, means, scales = ctx.saved_tensors
        if ctx.slot_dim > 0:
            shown = (x[:, :: ctx.slot_dim].abs() > 1e-7).repeat_interleave(ctx.slot_dim, 1).to(x.dtype)
            count = shown.sum(0)
            counted = count.clamp(min=1)
            average = (x * shown).sum(0) / counted
            spread = ((x - means).square() * shown).sum(0) / counted + ctx.epsilon
            seen = (count > 0).to(x.dtype)
            return grad * scales, seen, average * seen, spread * seen, None, None
        rows = x.shape[0]
        size = torch.full_like(means, rows)
        return grad * scales, size, x.sum(0), (x - means).square().sum(0) + rows * ctx.epsilon, None, None


_STATISTICS = ("BatchSize", "BatchSum", "BatchSquareSum")


def _infer_data_norm(scale: Meta | None, bias: Meta | None, x: Meta, size: Meta, *sums: Meta, data_layout: str = "NCHW", **a: Any) -> Any:
    if len(x.shape) > 2:  # not looked at before a run, which takes matrices alone
        return Meta(x.shape, x.dtype), size, size
    fits = len(x.shape) == 2 and a.get("slot_dim", -1) <= 0 and _fitting(x, x.shape[1], scale, bias, size, *sums)
    return (Meta(x.shape, x.dtype), size, size) if fits else NotImplemented


def _data_norm_grad(forward: Operator, grad_outs: Names, grad_ins: Names) -> list[tuple[Any, ...]]:
    """One gradient operator, which names the statistics among its outputs too; on a CPU it leaves them as they are."""
    reads = {slot: list(forward.inputs.get(slot, [])) for slot in ("scale_w", "bias", "X")}
    reads.update({slot: list(forward.outputs[slot]) for slot in ("Means", "Scales")})
    writes = {slot + GRAD_SUFFIX: [n for n in names if n] for slot, names in grad_ins.items()}
    writes.update({slot: list(forward.inputs[slot]) for slot in _STATISTICS})
    return [("data_norm_grad", {**reads, "Y" + GRAD_SUFFIX: list(grad_outs["Y"])}, writes, copied_attributes(forward))]


@op(
    inputs=("scale_w?", "bias?", "X", *_STATISTICS),
    outputs=("Y", "Means", "Scales"),
    grad=("scale_w", "bias", "X", "Means", "Scales"),
    grad_maker=_data_norm_grad,
    infer=_infer_data_norm,
)
def data_norm(
    scale_w: Tensor | None,
    bias: Tensor | None,
    x: Tensor,
    batch_size: Tensor,
    batch_sum: Tensor,
    batch_square_sum: Tensor,
    *,
    epsilon: float = 1e-4,
    slot_dim: int = -1,
    summary_decay_rate: float = 0.9999999,
    enable_scale_and_shift: bool = False,
    data_layout: str = "NCHW",
    sync_stats: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize each feature by statistics of all data seen, kept as count, sum and sum of squares."""
    y, means, scales = _DataNorm.apply(x, batch_size, batch_sum, batch_square_sum, epsilon, slot_dim)
    if enable_scale_and_shift:
        y = y * scale_w + bias
    return y, means, scales


class _DivideByNorm(torch.autograd.Function):
    """The matrix over its norm u' matrix v. The real operator's gradient scales u v' by the sum of all elements, not by
    the product with the incoming gradient, and multiplies element by element; so does this one."""

    @staticmethod
    def forward(ctx: Any, matrix: Tensor, u: Tensor, v: Tensor) -> Tensor:
        norm = torch.dot(u, matrix @ v)
        out = matrix / norm
        ctx.save_for_backward(out, u, v, norm)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        out, u, v, norm = ctx.saved_tensors
        return grad * (1 - torch.outer(u, v) * out.sum()) / norm, None, None


@op(inputs=("Weight", "U", "V"), grad=("Weight", "U", "V"), no_grad=("U", "V"), infer=_infer_spectral_norm)
def spectral_norm(
    weight: Tensor, u: Tensor, v: Tensor, *, dim: int = 0, power_iters: int = 1, eps: float = 1e-12
) -> Tensor:
    """The weight divided by its largest singular value, which `power_iters` power iterations from U and V estimate."""
    if dim not in (0, 1):
        raise invalid_argument("dim", "0 or 1", dim, "spectral_norm")
    if power_iters < 0:
        raise invalid_argument("power_iters", "0 or more", power_iters, "spectral_norm")
    moved = weight.movedim(dim, 0)
    matrix = moved.flatten(1)
    with torch.no_grad():
        for _ in range(power_iters):
            v = matrix.T @ u
            v = v / (torch.linalg.vector_norm(v) + eps)
            u = matrix @ v
            u = u / (torch.linalg.vector_norm(u) + eps)
    return _DivideByNorm.apply(matrix, u, v).view(moved.shape).movedim(0, dim)


@op(inputs=("X",), outputs=("Out", "MidOut"), grad=("X", "Out", "MidOut"))
def lrn(
    x: Tensor,
    *,
    n: int = 5,
    k: float = 2.0,
    alpha: float = 1e-4,
    beta: float = 0.75,
    data_format: str = "AnyLayout",
    is_test: bool = False,
) -> tuple[Tensor, Tensor]:
    """Divide by the squares of the `n` neighbouring channels: x * (k + alpha * sum)^-beta."""
    dim = x.dim() - 1 if is_channel_last(data_format) else 1
    before = (n - 1) // 2
    padding = [0, 0] * (x.dim() - 1 - dim) + [before, n - 1 - before]
    middle = k + alpha * F.pad(x.square(), padding).unfold(dim, n, 1).sum(-1)
    return x * middle.pow(-beta), middle


@op(inputs=("X", "Scale", "Bias"), grad=("X", "Scale"))
def affine_channel(x: Tensor, scale: Tensor, bias: Tensor, *, data_layout: str = "AnyLayout") -> Tensor:
    """Scale and shift every channel."""
    channels = x.shape[-1 if is_channel_last(data_layout) else 1]
    for name, part in (("scale", scale), ("bias", bias)):
        if part.dim() != 1 or part.shape[0] != channels:
            raise invalid_argument(name, f"shape [{channels}]", f"shape {list(part.shape)}", "affine_channel")
    if is_channel_last(data_layout) or x.dim() == 2:
        return x * scale + bias
    shape = (-1,) + (1,) * (x.dim() - 2)
    return x * scale.view(shape) + bias.view(shape)
