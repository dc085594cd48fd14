"""Activations. Their kinks are Paddle's: at a bound the gradient is what Paddle's comparisons give."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.constants import beside
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.paddle3 import SINCE_3_2
from paddle_compat.ops._checks import check_axis
from paddle_compat.ops._select import SMALL, is_finite, is_small, least, ones_where, select
from paddle_compat.ops.math import bounded, like_first, unary

Tensor = torch.Tensor
# What `torch.nn.functional` calls in the end, behind checks that cost as much.
_leaky_relu, _elu, _hardswish, _silu = (getattr(torch._C._nn, name) for name in ("leaky_relu", "elu", "hardswish", "silu"))



def _softsign(x: Tensor) -> Tensor:
    return torch.div(x, torch.abs(x).add_(beside(1.0, x)))


def _soft(x: Tensor) -> Tensor:
    return torch.log(1 + torch.exp(x))


relu = unary("relu", torch.relu, "max(x, 0).", ("Out",))
sigmoid = unary("sigmoid", torch.sigmoid, "1 / (1 + exp(-x)).", ("Out",))
tanh = unary("tanh", torch.tanh, "The hyperbolic tangent.", ("Out",))
logsigmoid = unary("logsigmoid", lambda x: -_soft(-x) if x.is_complex() else F.logsigmoid(x), "log(1 / (1 + exp(-x))).")
softsign = unary("softsign", lambda x: _Softsign.apply(x) if x.requires_grad and not x.is_complex() else _softsign(x), "x / (1 + |x|).")
tanh_shrink = unary("tanh_shrink", F.tanhshrink, "x - tanh(x).")
silu = unary("silu", lambda x: x * torch.sigmoid(x) if x.is_complex() else _silu(x), "x * sigmoid(x).", ("X", "Out"))


class _Softsign(torch.autograd.Function):
    """x / (1 + |x|), whose slope torch composes from those of its parts."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return _softsign(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad / (1 + x.abs()).square()


@op(inputs=("X",), grad=("Out",), infer=like_first)
def relu6(x: Tensor, *, threshold: float = 6.0) -> Tensor:
    """x between 0 and `threshold`."""
    return bounded(x, 0.0, threshold)


@op(inputs=("X",), grad=("X",), infer=like_first)
def brelu(x: Tensor, *, t_min: float = 0.0, t_max: float = 24.0) -> Tensor:
    """x between `t_min` and `t_max`."""
    return bounded(x, t_min, t_max)


class _LeakyRelu(torch.autograd.Function):
    """x above zero, alpha * x below. The gradient at zero is either side's; at NaN it is 0."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, alpha: float, slope_at_zero: bool) -> Tensor:
        ctx.save_for_backward(x)
        ctx.alpha = alpha
        ctx.compares = (torch.le, torch.gt) if slope_at_zero else (torch.lt, torch.ge)
        return _leaky_relu(x, alpha)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (x,), (below, above) = ctx.saved_tensors, ctx.compares
        return grad * ones_where(below, x, 0).mul_(ctx.alpha).add_(ones_where(above, x, 0)), None, None


@op(inputs=("X",), grad={1: ("Out",), 2: ("X",)}, infer=like_first)
def leaky_relu(x: Tensor, *, alpha: float = 0.02, _slope_at_zero: bool = False) -> Tensor:
    """x above zero, alpha * x below. At zero itself the gradient is alpha in 1.x, 1 in 2.x."""
    if x.requires_grad and not (is_small(x) and least(x.abs()) > 0):  # zeros and NaN are where torch's gradient is another
        return _LeakyRelu.apply(x, alpha, _slope_at_zero)
    return _leaky_relu(x, alpha)


@op(inputs=("X",), grad={1: ("X",), 2: ("X", "Out")}, infer=like_first)
def elu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """x above zero, alpha * (exp(x) - 1) below."""
    return _elu(x, alpha)


@op(inputs=("X",), grad=("X",), infer=like_first)
def celu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """x above zero, alpha * (exp(x / alpha) - 1) below."""
    return torch.celu(x, alpha)


@op(inputs=("X",), grad=("Out",), infer=like_first)
def selu(x: Tensor, *, alpha: float = 1.6732631921768188, scale: float = 1.0507010221481323) -> Tensor:
    """scale * x above zero, scale * alpha * (exp(x) - 1) below."""
    return _elu(x, alpha) * beside(scale, x)


_ROOT, _CUBE = 2 * math.sqrt(2 / math.pi), 0.044715


class _TanhGelu(torch.autograd.Function):
    """x * (1 + tanh(u)) / 2 as x * sigmoid(2u): on the CPU a sigmoid takes a quarter of the time of a tanh."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return _share(x).mul_(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return torch.ops.aten.gelu_backward(grad, x, approximate="tanh")
        share = _share(x)
        slope = (x * x).mul_(3 * _CUBE * _ROOT).add_(_ROOT).mul_(x)
        return slope.mul_(1 - share).add_(1).mul_(share).mul_(grad)


def _share(x: Tensor) -> Tensor:
    """The part of x that the approximated gelu keeps."""
    return (x * x).mul_(_CUBE * _ROOT).add_(_ROOT).mul_(x).sigmoid_()


@op(inputs=("X",), grad=("X",), infer=like_first)
def gelu(x: Tensor, *, approximate: bool = False) -> Tensor:
    """x times the normal distribution's cumulative function, or an approximation by tanh."""
    if approximate and type(x) is Tensor and x.is_cpu and x.numel() >= SMALL and x.dtype is torch.float32:
        return _TanhGelu.apply(x)
    if approximate:
        return F.gelu(x, approximate="tanh")
    if is_small(x) and x.dim() > 1:  # oneDNN's kernel, which takes what is contiguous, has more to set up than to do
        return F.gelu(x.mT).mT
    return F.gelu(x)


@op(inputs=("X",), grad=("X",), infer=like_first)
def softplus(x: Tensor, *, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold."""
    if x.is_complex():
        return torch.where((x * beta).real > threshold, x, _soft(x * beta) / beta)
    return F.softplus(x, beta, threshold)


@op(inputs=("X",), grad=("X",), infer=like_first)
def softshrink(x: Tensor, **attrs: Any) -> Tensor:
    """x moved towards zero by `lambda`."""
    return F.softshrink(x, attrs.get("lambda", 0.5))


softshrink.attrs["lambda"] = 0.5  # no Python parameter can have that name


@op(inputs=("X",), grad=("X",), infer=like_first)
def hard_shrink(x: Tensor, *, threshold: float = 0.5) -> Tensor:
    """x, but zero where it is not beyond the threshold; what is at it stays since Paddle 3.2."""
    if SINCE_3_2:
        return torch.where((x >= threshold) | (x <= -threshold), x, x.detach() * 0.0)
    return torch.hardshrink(x, threshold)


@op(inputs=("X",), grad=("X",), infer=like_first)
def thresholded_relu(x: Tensor, *, threshold: float = 1.0) -> Tensor:
    """x, but zero where it is not above the threshold."""
    return torch.threshold(x, threshold, 0.0)


@op(inputs=("X",), grad=("Out",), infer=like_first)
def hard_sigmoid(x: Tensor, *, slope: float = 0.2, offset: float = 0.5) -> Tensor:
    """slope * x + offset, between 0 and 1."""
    return bounded(torch.mul(x, beside(slope, x)).add_(beside(offset, x)), 0.0, 1.0)


class _HardSwish(torch.autograd.Function):
    """x * (x + offset, between 0 and `threshold`) / scale, with Paddle's slopes at the bounds and above."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, threshold: float, scale: float, offset: float) -> Tensor:
        ctx.save_for_backward(x)
        ctx.numbers = threshold, scale, offset
        if ctx.numbers == (6.0, 6.0, 3.0):
            return _hardswish(x)
        return (x + offset).clamp_(0.0, threshold).mul_(x).div_(scale)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        (x,), (threshold, scale, offset) = ctx.saved_tensors, ctx.numbers
        if ctx.numbers == (6.0, 6.0, 3.0) and x.device.type == "cpu" and is_finite(x):
            return torch.ops.aten.hardswish_backward(grad, x), None, None, None
        shifted = x.detach() + offset
        below = ones_where(torch.lt, shifted, threshold)
        inside = ones_where(torch.gt, shifted, 0.0).mul_(below).div_(scale)
        return grad * ((x * 2 + offset) * inside + (1 - below)), None, None, None


@op(inputs=("X",), grad=("X",), infer=like_first)
def hard_swish(x: Tensor, *, threshold: float = 6.0, scale: float = 6.0, offset: float = 3.0) -> Tensor:
    """x * (x + offset, between 0 and `threshold`) / scale. Above the threshold the gradient is 1, whatever the scale."""
    if (threshold, scale, offset) == (6.0, 6.0, 3.0) and (not x.requires_grad or is_small(x) and is_finite(x)):
        return _hardswish(x)
    if x.requires_grad:
        return _HardSwish.apply(x, threshold, scale, offset)
    return x * (x + offset).clamp(0.0, threshold) / scale


@op(inputs=("X",), grad=("X",), infer=like_first)
def swish(x: Tensor, *, beta: float = 1.0) -> Tensor:
    """x * sigmoid(beta * x)."""
    return _silu(x) if beta == 1.0 else x * torch.sigmoid(beta * x)


@op(inputs=("X",), grad=("X",), infer=like_first)
def mish(x: Tensor, *, threshold: float = 20.0) -> Tensor:
    """x * tanh(softplus(x)), where softplus is x above the threshold and exp(x) below its negative."""
    if threshold >= 20:  # there the branches meet
        return x * torch.tanh(F.softplus(x, threshold=threshold))
    base = x.detach()
    softplus = torch.where(base < -threshold, torch.exp(base), F.softplus(base, threshold=threshold))
    if x.requires_grad:  # the slope is that of log(1 + exp(x)) at the result, whatever the branch
        softplus = softplus + (x - base) * -torch.expm1(-softplus)
    return x * torch.tanh(softplus)


@op(inputs=("X",), grad=("Out",), infer=like_first)
def soft_relu(x: Tensor, *, threshold: float = 40.0) -> Tensor:
    """log(1 + exp(x)), x kept between -threshold and threshold. For the gradient it is the result that must lie between."""
    out = torch.log1p(torch.exp(x.detach().clamp(-threshold, threshold)))
    if not x.requires_grad:
        return out
    slope = torch.where(out.abs() < threshold, -torch.expm1(-out), 0.0)
    return out + (x - x.detach()) * slope


@op(inputs=("X", "Alpha"), grad=("X", "Alpha"), infer=lambda x, alpha, **attrs: Meta(x.shape, x.dtype))
def prelu(x: Tensor, alpha: Tensor, *, mode: str = "all", data_format: str = "NCHW") -> Tensor:
    """x above zero, alpha * x below; one alpha for all, for each channel, or for each element of a sample."""
    if mode == "channel":
        shape = [1] * x.dim()
        shape[-1 if data_format == "NHWC" else 1] = -1
        alpha = alpha.reshape(shape)
    elif mode == "element":
        alpha = alpha.reshape(1, *x.shape[1:])
    else:
        alpha = alpha.reshape([1] * x.dim())
    return torch._prelu_kernel(x, alpha)


@op(inputs=("X",), grad=("X", "Out"), lod=None)
def maxout(x: Tensor, *, groups: int, axis: int = 1) -> Tensor:
    """The largest of each group of neighbouring channels."""
    axis %= x.dim()
    if groups < 2:
        raise invalid_argument("groups", "a number above 1", groups)
    if x.shape[axis] % groups:
        raise invalid_argument("groups", f"a divisor of the number of channels, {x.shape[axis]}", groups)
    out, *others = x.unflatten(axis, (x.shape[axis] // groups, groups)).unbind(axis + 1)
    for other in others:  # the first of equal ones gets the gradient; the kernel compares likewise, so that NaN counts where it comes last
        out = select(out >= other, out, other)
    return out


# The real CPU kernels take no logit further than this below the largest one; the GPU kernels have no such bound.
DEPTH = 64.0
_LEAST = math.exp(-DEPTH)


def _in_eights(x: Tensor, axis: int) -> bool:
    """Whether the real kernel takes eight numbers of a row at once. It finds what is no number as far below the rest as can be."""
    return x.dtype is torch.float32 and x.dim() > 0 and x.shape[axis] % 8 == 0 and math.prod(x.shape[axis % x.dim() :]) == x.shape[axis]


def _below_largest(x: Tensor, axis: int) -> Tensor:
    """How far each number is below its row's largest, as that kernel finds it: rows of nothing but -inf are even."""
    below = x - x.nan_to_num(-math.inf, math.inf, -math.inf).amax(axis, keepdim=True)
    return torch.where(below > -DEPTH, below, -DEPTH)


def log_softmax_of(x: Tensor, axis: int, in_eights: bool = False) -> Tensor:
    """The logarithm of the softmax, on the CPU bounded as in Paddle, and (`in_eights`) found by the kernel of `softmax`.

    The bound is put into the values that autograd has kept, past its eyes: the real gradient, too, is that of an
    unbounded softmax, taken at bounded values.
    """
    logs = torch.log_softmax(x, axis)
    if type(x) is not Tensor:  # while a graph is traced values are not known: the bound is always put in
        return logs + (torch.maximum(logs, logs.amax(axis, keepdim=True) - DEPTH) - logs).detach() if x.device.type == "cpu" else logs
    if x.is_cpu and logs.numel() and not (lowest := least(logs)) >= -DEPTH:
        values = logs.data
        if lowest != lowest and in_eights and _in_eights(x, axis):
            values.copy_(torch.log_softmax(_below_largest(x.detach(), axis), axis))
        else:
            torch.maximum(values, values.amax(axis, keepdim=True) - DEPTH, out=values)
    return logs


def _infer_softmax(x: Meta, *, axis: int = -1, **attrs: Any) -> Meta:
    check_axis(axis, len(x.shape), x.shape)
    return Meta(x.shape, x.dtype)


class _TracedSoftmax(torch.autograd.Function):
    """The softmax of the CPU in a graph that is traced, where the bound is put in at once: it takes one pass less."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, axis: int) -> Tensor:
        wide = x.float() if x.dtype.itemsize == 2 else x
        below = wide - wide.amax(axis, keepdim=True)
        powers = torch.exp(torch.where(below > -DEPTH, below, -DEPTH) if _in_eights(x, axis) else below.clamp_min(-DEPTH))
        out = (powers / powers.sum(axis, keepdim=True)).to(x.dtype)
        ctx.save_for_backward(out)
        ctx.axis = axis
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (out,) = ctx.saved_tensors
        return torch._softmax_backward_data(grad, out, ctx.axis, out.dtype), None


def softmax_of(x: Tensor, axis: int) -> Tensor:
    """Exponentials that sum to 1 along a dimension, on the CPU bounded as in Paddle (see log_softmax_of)."""
    if not x.is_cpu:
        return torch.softmax(x, axis)
    if type(x) is not Tensor:
        return _TracedSoftmax.apply(x, axis)
    out = torch.softmax(x, axis)
    values = out.data if out.requires_grad else out
    if values.numel() and not (lowest := values.min().item()) >= _LEAST:
        if lowest != lowest and _in_eights(x, axis):
            values.copy_(torch.softmax(_below_largest(x.detach(), axis), axis))
        else:
            torch.maximum(values, values.amax(axis, keepdim=True) * _LEAST, out=values)
    return out


@op(inputs=("X",), grad=("Out",), infer=_infer_softmax)
def softmax(x: Tensor, *, axis: int = -1, data_format: str = "AnyLayout", is_test: bool = False) -> Tensor:
    """Exponentials that sum to 1 along a dimension."""
    return softmax_of(x, axis)


@op(inputs=("X",), grad=("Out",), infer=_infer_softmax)
def log_softmax(x: Tensor, *, axis: int = -1) -> Tensor:
    """The logarithm of `softmax`."""
    return log_softmax_of(x, axis)
