"""Losses: classification, regression, ranking, metric learning.

Where a logarithm meets 0, Paddle takes a large finite number in some operators and minus infinity in others; each
function does what its operator does.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.constants import beside
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.rings import ring_of
from paddle_compat.ops._checks import check_axis, check_columns, check_fits, check_integers, check_same_shape, fit
from paddle_compat.ops._classes import LARGEST, SoftTarget, of_probabilities, picked
from paddle_compat.ops._ranks import check_ranks, start_of
from paddle_compat.ops._select import SMALL, is_small, least
from paddle_compat.ops._transducer import sum_of_ways
from paddle_compat.ops.activation import log_softmax_of
from paddle_compat.ops.collective_classes import ClassLoss
from paddle_compat.ops.reduction import flat

Tensor = torch.Tensor
# What `torch.nn.functional` calls in the end, behind checks that cost as much.
_nll_loss: Any = torch._C._nn.nll_loss_nd
_binary_cross_entropy: Any = torch._C._nn.binary_cross_entropy
_huber_loss: Any = torch._C._nn.huber_loss
_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
_NONE, _MEAN, _SUM = _REDUCTIONS.values()


def _shape_of_x(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype, 0)


def _like_x(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype)


def loss_of_classes(logits: Tensor, label: Tensor, axis: int, ignore_index: int) -> Tensor:
    """The loss that `softmax_with_cross_entropy` gives for classes by number."""
    return picked(log_softmax_of(logits, axis, in_eights=True), label, axis, ignore_index)


def mean_of_classes(logits: Tensor, label: Tensor) -> Tensor:
    """The mean of `softmax_with_cross_entropy` over the rows whose label is not -100, in scripts of Paddle 3 over all rows.

    Raises:
        ArithmeticError: there may be none of them, and the mean be 0.
    """
    logs = log_softmax_of(logits, -1, in_eights=True)
    label = label if label.dim() == 1 else label.reshape(-1)
    if SINCE_3:
        return torch.div(_nll_loss(logs, label, None, _SUM, -100), len(label))
    if not logs.is_cpu:
        total, count = torch.ops.aten.nll_loss_forward(logs, label, None, _SUM, -100)
        return torch.div(total, torch.clamp_min(count, 1.0))
    mean = _nll_loss(logs, label, None, _MEAN, -100)
    number = mean.item()
    if number != number:
        raise ArithmeticError
    return mean


def _check_label(x: Meta | Tensor, label: Meta | Tensor, axis: int, soft: bool) -> None:
    """Refuse a label that is not of the shape of x, or of size 1 where x has its classes."""
    shape = list(x.shape)
    if not soft:
        shape[axis] = 1
    if not fit(label.shape, shape):
        raise invalid_argument("label", f"shape {shape}, as the classes have {list(x.shape)}", f"shape {list(label.shape)}")


def need_label_rank(logits: Tensor, label: Tensor) -> None:
    """Refuse a label that has another number of dimensions."""
    if label.dim() != logits.dim():
        raise invalid_argument(
            "label", f"{logits.dim()} dimensions, as the logits have shape {list(logits.shape)}", f"shape {list(label.shape)}"
        )


def _infer_softmax_loss(logits: Meta, label: Meta, *, axis: int = -1, **attrs: Any) -> tuple[Meta, Meta]:
    check_axis(axis, len(logits.shape), logits.shape)
    _check_label(logits, label, axis, attrs.get("soft_label", False))
    shape = list(logits.shape)
    shape[axis] = 1
    return Meta(logits.shape, logits.dtype), Meta(tuple(shape), logits.dtype)


@op(
    inputs=("Logits", "Label"),
    outputs=("Softmax", "Loss"),
    grad=("Label", "Softmax", "Loss@GRAD"),
    no_grad=("Label",),
    infer=_infer_softmax_loss,
)
def softmax_with_cross_entropy(
    logits: Tensor,
    label: Tensor,
    *,
    soft_label: bool = False,
    use_softmax: bool = True,
    numeric_stable_mode: bool = True,
    ignore_index: int = -100,
    axis: int = -1,
    _ignored_learn: bool = False,
) -> tuple[Tensor, Tensor]:
    """Softmax along `axis`, and its cross entropy with a class index or (`soft_label`) with probabilities.

    `_ignored_learn` is Paddle 1.x's way on the CPU: `ignore_index` silences the loss, but not the gradient.
    """
    need_label_rank(logits, label)
    if soft_label:
        _check_label(logits, label, axis, True)
    if not use_softmax:
        return logits, of_probabilities(logits, label, axis, soft_label, ignore_index)
    if soft_label:
        return SoftTarget.apply(logits, label, axis, None)
    if _ignored_learn and logits.device.type == "cpu":
        label = label if label.dim() == logits.dim() else label.unsqueeze(axis)
        silent = label == ignore_index
        if bool(silent.any()):
            inside = (label >= 0) & (label < logits.shape[axis])
            target = torch.zeros_like(logits).scatter_(axis, label * inside, inside.to(logits.dtype))
            return SoftTarget.apply(logits, target, axis, silent)
    logs = log_softmax_of(logits, axis, in_eights=True)
    return logs.detach().exp(), picked(logs, label, axis, ignore_index)


def _infer_of_classes(x: Meta, label: Meta, *, soft_label: bool = False, **attrs: Any) -> Any:
    if not soft_label and len(label.shape) == len(x.shape) - 1:  # without the dimension of size 1, which the loss lacks, too
        _check_label(x, Meta((*label.shape, 1), label.dtype), -1, False)
        return Meta(label.shape, x.dtype)
    _check_label(x, label, -1, soft_label)
    return Meta((*x.shape[:-1], 1), x.dtype) if len(label.shape) == len(x.shape) else NotImplemented


@op(inputs=("X", "Label"), outputs=("Y",), grad=("X", "Label"), no_grad=("Label",), infer=_infer_of_classes)
def cross_entropy(x: Tensor, label: Tensor, *, soft_label: bool = False, ignore_index: int = -100) -> Tensor:
    """Cross entropy of probabilities along the last dimension with a class index or with probabilities."""
    if not soft_label:
        return _of_match(*_match(x, label, ignore_index))
    logs = torch.where(x > 0, x, 1.0).log().masked_fill(x <= 0, -LARGEST)
    return -(label * logs).sum(-1, keepdim=True)


def _match(x: Tensor, label: Tensor, ignore_index: int) -> tuple[Tensor, Tensor]:
    """The probabilities of the labelled classes, and where they are ignored."""
    flat = label.dim() == x.dim() - 1
    if not label.is_meta:  # a variable may be declared as other than what is fed
        check_integers("label", label)  # type: ignore[arg-type]
        _check_label(x, label[..., None] if flat else label, -1, False)
    label = label.long()
    ignored = label == ignore_index
    places = label.masked_fill(ignored, 0)
    return x.gather(-1, places[..., None])[..., 0] if flat else x.gather(-1, places), ignored


def _of_match(match: Tensor, ignored: Tensor) -> Tensor:
    return match.log().neg().clamp(max=LARGEST).masked_fill(ignored, 0.0)


def _infer_matched(x: Meta, label: Meta, **attrs: Any) -> Any:
    loss = _infer_of_classes(x, label)
    return NotImplemented if loss is NotImplemented else (loss, Meta(loss.shape, loss.dtype, 0))


@op(
    inputs=("X", "Label"),
    outputs=("Y", "XShape~", "MatchX"),
    grad=("Label", "MatchX", "XShape"),
    grad_type="cross_entropy_grad2",
    infer=_infer_matched,
    no_grad=("Label",),
    describe={"XShape": lambda x, *_, **__: Meta((*x.shape, 0), x.dtype, x.lod_level)},
)
def cross_entropy2(x: Tensor, label: Tensor, *, ignore_index: int = -100) -> tuple[Tensor, Tensor]:
    """Cross entropy of probabilities with a class index, and the probability of that class (0 where it is ignored)."""
    match, ignored = _match(x, label, ignore_index)
    return _of_match(match, ignored), match.detach().masked_fill(ignored, 0.0)


class _BinaryCrossEntropy(torch.autograd.Function):
    """Binary cross entropy on the CPU, where torch's own forward pass takes one logarithm after the other."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, label: Tensor) -> Tensor:
        ctx.save_for_backward(x, label)
        miss, hit = (1 - x).log_().clamp_min_(-100), x.log().clamp_min_(-100)
        return miss.mul_(label - 1).sub_(hit.mul_(label))

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return torch.ops.aten.binary_cross_entropy_backward(grad, *ctx.saved_tensors, None, 0), None


@op(inputs=("X", "Label"), grad=("X", "Label"), no_grad=("Label",))
def bce_loss(x: Tensor, label: Tensor) -> Tensor:
    """Binary cross entropy of probabilities, element by element."""
    if x.shape != label.shape and not x.is_meta:  # of which sizes may be unknown; torch would read what is not there
        raise invalid_argument("label", f"shape {list(x.shape)}, as X has", list(label.shape), "bce_loss")
    if is_small(x):  # where to look at the values takes longer than the loss, which looks, too, and refuses the same ones
        try:
            return _binary_cross_entropy(x, label, None, _NONE)
        except RuntimeError:
            pass
    if x.device.type == "cpu" and x.numel():
        low, high = (bound.item() for bound in torch.aminmax(x.detach()))
        if not (low >= 0 and high <= 1):
            raise invalid_argument("X", "probabilities, between 0 and 1", f"numbers between {low} and {high}")
        # a few arrive here with labels that are no probabilities, which torch refuses and Paddle takes
        if (x.numel() >= SMALL or is_small(x)) and x.shape == label.shape and x.dtype is label.dtype:
            return _BinaryCrossEntropy.apply(x, label)
    return _binary_cross_entropy(x, label, None, _NONE)


def _infer_sigmoid_loss(x: Meta, label: Meta, pos_weight: Meta | None = None, **attrs: Any) -> Meta:
    check_same_shape("label", [x, label])
    return Meta(x.shape, x.dtype)


@op(
    inputs=("X", "Label", "pos_weight?@2"),
    grad={1: ("X", "Label"), 2: ("X", "Label", "pos_weight")},
    no_grad=("Label", "pos_weight"),
    infer=_infer_sigmoid_loss,
)
def sigmoid_cross_entropy_with_logits(
    x: Tensor, label: Tensor, pos_weight: Tensor | None = None, *, ignore_index: int = -100, normalize: bool = False
) -> Tensor:
    """Binary cross entropy of logits, element by element; 0 where the label is `ignore_index`."""
    if pos_weight is None:
        loss = torch.binary_cross_entropy_with_logits(x, label, None, None, 0)
    elif SINCE_3:
        loss = (1 - label) * x + pos_weight * F.softplus(-x)
    else:
        # The real operator of 2.6 weights only the logarithm that is left when the exponential is made stable, and its
        # gradient is that of another function: the whole softplus weighted.
        value = torch.relu(x) - x * label + pos_weight * torch.log1p((-x.abs()).exp())
        differentiated = pos_weight * F.softplus(x) - x * label
        loss = differentiated + (value - differentiated).detach()
    if not normalize and type(label) is Tensor and label.is_cpu and label.numel() and least(label) > ignore_index + 1:
        return loss  # nothing to ignore
    kept = (label - ignore_index).abs() > 1e-6
    loss = torch.where(kept, loss, 0.0)
    return loss / kept.sum().clamp(min=1) if normalize else loss


def _infer_huber(x: Meta, y: Meta, **attrs: Any) -> Meta:
    check_same_shape("label", [x, y])
    return Meta(y.shape, y.dtype)


@op(
    inputs=("X", "Y"),
    outputs=("Out", "Residual~"),
    grad=("Residual",),
    describe={"Residual": lambda x, y, **attrs: Meta(y.shape, y.dtype, 0)},
    derive={"Residual": lambda x, y, out, **attrs: (y - x).view(y.shape)},
    infer=_infer_huber,
)
def huber_loss(x: Tensor, y: Tensor, *, delta: float) -> Tensor:
    """Half the squared error up to `delta`, linear beyond."""
    if x.shape != y.shape:
        raise invalid_argument("label", f"the shape of input, {list(x.shape)}", list(y.shape))
    if delta > 0:
        return _huber_loss(x, y, _NONE, delta)
    error = (x - y).abs()
    return torch.where(error <= delta, 0.5 * error * error, delta * (error - 0.5 * delta))


@op(
    inputs=("X", "Y", "InsideWeight?", "OutsideWeight?"),
    outputs=("Out", "Diff~"),
    grad=("InsideWeight", "OutsideWeight", "Diff"),
    no_grad=("InsideWeight", "OutsideWeight"),
    describe={"Diff": _shape_of_x},
    lod=None,
    derive={"Diff": lambda x, y, inside, *rest, **attrs: x - y if inside is None else (x - y) * inside},
)
def smooth_l1_loss(x: Tensor, y: Tensor, inside: Tensor | None = None, outside: Tensor | None = None, *, sigma: float = 1.0) -> Tensor:
    """Squared error near 0, absolute error beyond, summed over each row: (N, 1)."""
    if not x.is_meta and (x.shape != y.shape or x.dim() < 2):
        raise invalid_argument("Y", f"the shape of X, {list(x.shape)}, of 2 or more dimensions", list(y.shape))
    if inside is not None:
        x, y = x * inside, y * inside
    loss = F.smooth_l1_loss(x, y, reduction="none", beta=1.0 / (sigma * sigma))
    if outside is not None:
        loss = loss * outside
    return loss.flatten(1).sum(1, keepdim=True)


@op(inputs=("Predicted", "Labels"), outputs=("Loss",), grad=("Predicted", "Labels"), no_grad=("Labels",), infer=_like_x)
def log_loss(predicted: Tensor, labels: Tensor, *, epsilon: float) -> Tensor:
    """Binary cross entropy of probabilities, `epsilon` inside the logarithms."""
    check_columns("log_loss", input=predicted, label=labels)
    return -labels * (predicted + epsilon).log() - (1 - labels) * (1 - predicted + epsilon).log()


@op(inputs=("Logits", "Labels"), outputs=("Loss",), grad=("Logits", "Labels"), no_grad=("Labels",))
def hinge_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """max(0, 1 - (2 label - 1) logit)."""
    return torch.relu(1 - (2 * labels - 1) * logits)


def _infer_rank_loss(label: Meta, left: Meta, right: Meta) -> Any:
    for name, value in (("label", label), ("left", left), ("right", right)):
        check_fits(name, value, label.shape[:1], (*label.shape[:1], 1))
    return Meta(label.shape, left.dtype)


@op(inputs=("Label", "Left", "Right"), grad=("Label", "Left", "Right"), no_grad=("Label",), lod=None, infer=_infer_rank_loss)
def rank_loss(label: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """RankNet's loss: whether `left` ranks above `right`, against the label."""
    left, right = (side.reshape(-1, *label.shape[1:]) for side in (left, right))  # [N] and [N, 1] go together
    return torch.log1p((left - right).exp()) - label * (left - right)


def _infer_margin_rank_loss(x1: Meta, x2: Meta, label: Meta, **attrs: Any) -> Meta:
    for name, value in (("label", label), ("left", x1), ("right", x2)):
        check_fits(name, value, (label.shape[0] if label.shape else -1, 1))
    return Meta(label.shape, x1.dtype)


@op(
    inputs=("X1", "X2", "Label"),
    outputs=("Out", "Activated~"),
    grad=("Label", "Activated"),
    no_grad=("Label",),
    describe={"Activated": _shape_of_x},
    derive={"Activated": lambda x1, x2, label, out, **attrs: (out > 0).to(out.dtype)},
    lod=None,
    infer=_infer_margin_rank_loss,
)
def margin_rank_loss(x1: Tensor, x2: Tensor, label: Tensor, *, margin: float = 0.0) -> Tensor:
    """max(0, margin - label (x1 - x2))."""
    check_columns("margin_rank_loss", label=label, left=x1, right=x2)
    return torch.relu(-label * (x1 - x2) + margin)


@op(
    inputs=("X", "Y"),
    outputs=("Out", "IntermediateVal~"),
    grad=("Y", "IntermediateVal"),
    no_grad=("Y",),
    describe={"IntermediateVal": _shape_of_x},
    derive={"IntermediateVal": lambda x, y, out: (2 * y - 1) * x},
)
def modified_huber_loss(x: Tensor, y: Tensor) -> Tensor:
    """The squared hinge of (2 y - 1) x, linear where that is below -1."""
    product = (2 * y - 1) * x
    return torch.where(product < -1, -4 * product, torch.relu(1 - product).square())


@op(inputs=("X", "Label"), outputs=("Y",), grad=("X", "Label"), no_grad=("Label",))
def bpr_loss(x: Tensor, label: Tensor) -> Tensor:
    """Bayesian personalized ranking: how far the labelled item ranks above every other."""
    label = label.long()
    above = F.logsigmoid(x.gather(-1, label) - x)
    others = torch.ones_like(x).scatter(-1, label, 0.0)
    return -(above * others).sum(-1, keepdim=True) / (x.shape[-1] - 1)


class _Clipped(torch.autograd.Function):
    """Nothing on the way forward; no gradient outside the bounds on the way back."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, low: float, high: float) -> Tensor:
        ctx.save_for_backward((x > low) & (x < high))
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (inside,) = ctx.saved_tensors
        return grad * inside, None, None


@op(inputs=("X", "Label"), outputs=("Y",), grad=("X", "Label"), no_grad=("Label",))
def teacher_student_sigmoid_loss(
    x: Tensor, label: Tensor, *, soft_max_up_bound: float = 15.0, soft_max_lower_bound: float = -15.0
) -> Tensor:
    """Binary cross entropy with a click and, where the label carries one, with a teacher's score.

    The label is -2 (no click) or -1 (click) without a score z, z (no click) or 1 + z (click) with one.
    """
    check_columns("teacher_student_sigmoid_loss", input=x, label=label)
    x = _Clipped.apply(x, soft_max_lower_bound, soft_max_up_bound)
    scored = label >= 0
    clicked = torch.where(scored, label >= 1, label >= -1).to(x.dtype)
    score = torch.where(scored, label - clicked, 0.0)
    base = torch.relu(x) + torch.log1p((-x.abs()).exp())
    return base - x * clicked + torch.where(scored, base - x * score, 0.0)


@op(inputs=("X", "Label", "FgNum"), grad=("X", "Label", "FgNum"), no_grad=("Label", "FgNum"))
def sigmoid_focal_loss(x: Tensor, label: Tensor, fg_num: Tensor, *, gamma: float = 2.0, alpha: float = 0.25) -> Tensor:
    """The focal loss of C binary classifiers; label 0 is background, label c the c-th class, -1 is left out."""
    if fg_num.dim() != 1:  # a number for each image would be taken for one for each class
        raise invalid_argument("fg_num", "shape [1], the foreground boxes of all images", list(fg_num.shape), "sigmoid_focal_loss")
    classes = torch.arange(1, x.shape[1] + 1, device=x.device)
    positive = (label == classes).to(x.dtype)
    negative = ((label != classes) & (label != -1)).to(x.dtype)
    p = torch.sigmoid(x)
    hit = positive * alpha * (1 - p).pow(gamma) * F.logsigmoid(x)
    miss = negative * (1 - alpha) * p.pow(gamma) * F.logsigmoid(-x)
    return -(hit + miss) / fg_num.clamp(min=1).to(x.dtype)


@op(inputs=("X", "PriorDist?"), grad=(), no_grad=("PriorDist",), infer=_like_x)
def label_smooth(x: Tensor, prior: Tensor | None = None, *, epsilon: float = 0.0) -> Tensor:
    """Mix labels with the uniform distribution, or with `prior`."""
    if prior is None:
        classes = x.shape[-1] if x.dim() else 1
        return torch.add(torch.mul(x, beside(1 - epsilon, x)), beside(epsilon / max(classes, 1), x))
    return (x * (1 - epsilon) + prior * epsilon).reshape(x.shape)


@op(
    inputs=("X", "Label", "Centers", "CenterUpdateRate"),
    outputs=("CentersOut", "SampleCenterDiff", "Loss"),
    grad=("X", "SampleCenterDiff", "Loss@GRAD"),
    no_grad=("Label", "Centers", "CenterUpdateRate"),
)
def center_loss(
    x: Tensor, label: Tensor, centers: Tensor, rate: Tensor, *, cluster_num: int, need_update: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Half the squared distance of each sample to its class's centre; the centres move towards their samples."""
    label = label.reshape(-1).long()
    difference = x - centers[label]
    loss = difference.square().sum(1, keepdim=True) / 2
    with torch.no_grad():
        if need_update:
            count = torch.ones_like(centers[:, :1]).index_add(0, label, torch.ones_like(difference[:, :1]))
            moved = torch.zeros_like(centers).index_add(0, label, difference)
            centers = centers + rate * moved / count
    return centers, difference.detach(), loss


@op(inputs=("X", "Y"), outputs=("Out", "XNorm", "YNorm"), grad=("X", "Y", "Out", "XNorm", "YNorm"))
def cos_sim(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The cosine of each row of x with the row of y (or with its only one), and the rows' lengths, of which none is below 1e-4.

    The derivative takes a length that was lifted to 1e-4 for one that it computed.
    """
    x, y = x.flatten(1), y.flatten(1)
    squares = [v.square().sum(1, keepdim=True) for v in (x, y)]
    x_norm, y_norm = ((s + (s.clamp(min=1e-8) - s).detach()).sqrt() for s in squares)
    return (x * y).sum(1, keepdim=True) / x_norm / y_norm, x_norm.detach(), y_norm.detach()


def _infer_kldiv(x: Meta, target: Meta, *, reduction: str = "mean", _rank1: bool = False) -> Meta:
    check_same_shape("target", [x, target])
    return Meta(x.shape if reduction == "none" else (1,) if _rank1 else (), x.dtype)


@op(inputs=("X", "Target"), outputs=("Loss",), grad=("X", "Target"), no_grad=("Target",), infer=_infer_kldiv, lod=None)
def kldiv_loss(x: Tensor, target: Tensor, *, reduction: str = "mean", _rank1: bool = False) -> Tensor:
    """target (log target - x), 0 where the target is not positive."""
    if x.shape != target.shape:
        raise invalid_argument("label", f"the shape of input, {list(x.shape)}", list(target.shape))
    loss = torch.where(target > 0, target * (target.log() - x), 0.0)
    if reduction == "none":
        return loss
    total = loss.sum()
    if reduction == "mean":
        total = total / x.numel()
    elif reduction == "batchmean":
        total = total / x.shape[0]
    return flat(total, _rank1)


def likelihood(x: Tensor, label: Tensor, reduction: str, ignore_index: int) -> Tensor:
    """`nll_loss` of a vector of classes, without weights and their sum."""
    loss = _nll_loss(x, label, None, _REDUCTIONS[reduction], ignore_index)
    if reduction != "mean" or loss.is_cpu and not math.isnan(loss.item()):  # which the mean over no rows is
        return loss
    return torch.where((label != ignore_index).any(), loss, 0.0)


def _flat_label(label: Any) -> Any:
    """[N, 1] counts as [N]."""
    if len(label.shape) != 2 or label.shape[1] != 1:
        return label
    return Meta(label.shape[:1], label.dtype) if isinstance(label, Meta) else label.squeeze(1)


def _infer_nll(x: Meta, label: Meta, weight: Meta | None = None, *, reduction: str = "mean", _rank1: bool = False, **attrs: Any) -> Any:
    label = _flat_label(label)
    if len(label.shape) != len(x.shape) - 1 or label.shape[:1] != x.shape[:1]:
        return NotImplemented
    one = Meta((1,) if _rank1 else (), x.dtype)
    return (Meta(label.shape, x.dtype) if reduction == "none" else one), one


@op(
    inputs=("X", "Label", "Weight?"),
    outputs=("Out", "Total_weight"),
    infer=_infer_nll,
    grad=("X", "Label", "Weight", "Total_weight"),
    no_grad=("Label", "Weight"),
)
def nll_loss(
    x: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    _rank1: bool = False,
) -> tuple[Tensor, Tensor]:
    """-x[label], weighted by class, and the sum of the weights (0 without reduction)."""
    label = _flat_label(label).long()
    loss = _nll_loss(x, label, weight, _REDUCTIONS[reduction], ignore_index)
    if reduction == "none":
        return loss, flat(x.new_zeros(()), _rank1)
    kept = label != ignore_index
    weights = kept if weight is None else weight[label.masked_fill(~kept, 0)] * kept
    total = weights.sum(dtype=x.dtype)
    if reduction == "mean":
        loss = torch.where(total == 0, 0.0, loss)  # where nothing counts
    return flat(loss, _rank1), flat(total, _rank1)


@op(inputs=("Logits", "Label"), outputs=("Softmax", "Loss"), grad=("Logits", "Label", "Softmax", "Loss@GRAD"), no_grad=("Label",))
def margin_cross_entropy(
    logits: Tensor,
    label: Tensor,
    *,
    margin1: float = 1.0,
    margin2: float = 0.5,
    margin3: float = 0.0,
    scale: float = 64.0,
    return_softmax: bool = False,
    ring_id: int = 0,
    rank: int = 0,
    nranks: int = 1,
) -> tuple[Tensor, Tensor]:
    """Softmax and cross entropy of cosines, the labelled one replaced by cos(margin1 angle + margin2) - margin3.

    Several ranks share out the classes, as many to each as it has columns of logits.
    """
    label = label.reshape(-1, 1).long()
    if nranks > 1:
        ring = ring_of(ring_id)
        check_ranks(ring, nranks, "margin_cross_entropy")
        start = start_of(ring, rank, logits.shape[1], logits.device, "margin_cross_entropy")
        here = label - start
        elsewhere = (here < 0) | (here >= logits.shape[1])
        here = here.masked_fill(elsewhere, 0)
        cosine = logits.gather(1, here)
        harder = torch.cos(margin1 * torch.acos(cosine.masked_fill(elsewhere, 0.0)) + margin2) - margin3
        out: tuple[Tensor, Tensor] = ClassLoss.apply(
            logits.scatter(1, here, torch.where(elsewhere, cosine, harder)) * scale, label, -100, start, ring
        )
        return out
    cosine = logits.gather(1, label)
    harder = torch.cos(margin1 * torch.acos(cosine) + margin2) - margin3
    logs = torch.log_softmax(logits.scatter(1, label, harder) * scale, 1)
    return logs.detach().exp(), -logs.gather(1, label)


def _transducer_gradient(x: Tensor, *rest: Tensor, **attrs: Any) -> Tensor:
    """The gradient of the sum of the losses."""
    with torch.enable_grad():
        again = x.detach().requires_grad_()
        (found,) = torch.autograd.grad(warprnnt.fn(again, *rest, **attrs).sum(), again)
    return found


@op(
    inputs=("input", "label", "input_lengths", "label_lengths"),
    outputs=("loss", "warprnntgrad~"),
    grad=("input", "input_lengths", "warprnntgrad"),
    no_grad=("label", "input_lengths", "label_lengths"),
    describe={"warprnntgrad": lambda x, *rest, **attrs: Meta((), x.dtype, 0)},
    derive={"warprnntgrad": lambda x, label, frames, lengths, loss, **attrs: _transducer_gradient(x, label, frames, lengths, **attrs)},
    infer=lambda x, *rest, **attrs: Meta((-1,), x.dtype),
)
def warprnnt(x: Tensor, label: Tensor, frames: Tensor, lengths: Tensor, *, blank: int = 0, fastemit_lambda: float = 0.0) -> Tensor:
    """The loss of transducers: -log of the sum over all ways to emit the label within the frames, (N,).

    x is (N, frames, label + 1, classes) and taken for logarithms of probabilities, as Paddle's CPU kernel takes it.
    """
    stay = x[..., blank]
    steps = label.shape[1]
    emit = x[:, :, :steps].gather(-1, label.long()[:, None, :, None].expand(-1, x.shape[1], -1, 1)).squeeze(-1)
    if fastemit_lambda:  # heightens the gradient of emitting, not the loss
        emit = emit + fastemit_lambda * (emit - emit.detach())
    return -sum_of_ways(stay, emit, frames, lengths)
