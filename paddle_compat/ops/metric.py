"""Metrics: what a program reports beside its loss."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_rank
from paddle_compat.ops.reduction import flat

Tensor = torch.Tensor


def _infer_accuracy(out: Meta, indices: Meta, label: Meta, *, _rank1: bool = False) -> tuple[Meta, Meta, Meta]:
    """2.x describes even the counts as of the scores' type; the share alone has a LoD."""
    check_rank("label", label, 2)
    share = Meta((1,) if _rank1 else (), torch.float32 if _rank1 else out.dtype, out.lod_level)
    count = Meta(share.shape, torch.int32 if _rank1 else out.dtype)
    return share, count, count


@op(inputs=("Out", "Indices", "Label"), outputs=("Accuracy", "Correct", "Total"), infer=_infer_accuracy, lod=("Accuracy",))
def accuracy(
    out: Tensor, indices: Tensor, label: Tensor, *, out_lod: LoD | None = None, _rank1: bool = False
) -> tuple[Tensor, Tensor, Tensor, LoD | None]:
    """The share of samples whose label is among their `indices`, the number of those, and of all."""
    column = [indices.shape[0], 1]
    if list(label.shape) != column:
        raise invalid_argument("label", f"one class a sample, of the shape {column}", f"shape {list(label.shape)}", "accuracy")
    correct = (indices == label).any(1).sum(dtype=torch.int32)
    total = torch.full((), indices.shape[0], dtype=torch.int32, device=indices.device)
    share = correct.to(torch.float32) / max(indices.shape[0], 1)
    return flat(share, _rank1), flat(correct, _rank1), flat(total, _rank1), out_lod


def _area(positive: Tensor, negative: Tensor) -> Tensor:
    """The area under the curve of two histograms over the score."""
    above_positive, above_negative = (F.pad(h, (0, 1)).flip(0).cumsum(0, dtype=torch.float64) for h in (positive, negative))
    all_positive, all_negative = above_positive[-1], above_negative[-1]
    area = torch.trapezoid(above_positive, above_negative) / all_positive.clamp(min=1) / all_negative.clamp(min=1)
    return torch.where(all_positive * all_negative > 0, area, 0.0)


def _slide(state: Tensor, fresh: Tensor, steps: int) -> Tensor:
    """The state after a batch: `steps` histograms in a ring, their sum, and the number of batches so far."""
    bins = fresh.numel()
    flat_state = state.reshape(-1)
    ring, total, count = flat_state[: steps * bins].view(steps, bins), flat_state[steps * bins : -1], flat_state[-1:]
    place = torch.arange(steps, device=state.device).unsqueeze(1) == count % steps
    total = total - (ring * place).sum(0) + fresh
    return torch.cat((torch.where(place, fresh, ring).reshape(-1), total, count + 1)).view(state.shape)


def _infer_auc(
    predict: Meta,
    label: Meta,
    positive: Meta,
    negative: Meta,
    tag_weight: Meta | None = None,
    *,
    num_thresholds: int = 8191,
    slide_steps: int = 1,
    _rank1: bool = False,
    **attrs: object,
) -> tuple[Meta, Meta, Meta]:
    """2.x describes the area as of whole numbers."""
    if len(predict.shape) == 2 and predict.shape[1] > 2:
        raise invalid_argument("input", "1 or 2 columns, as there are two classes", f"shape {list(predict.shape)}", "auc")
    area = Meta((1,), torch.float64) if _rank1 else Meta((), torch.int64)
    shape = positive.shape if slide_steps else (1, num_thresholds + 1)
    return area, Meta(shape, positive.dtype), Meta(shape, negative.dtype)


@op(
    inputs=("Predict", "Label", "StatPos", "StatNeg", "InsTagWeight?@2"),
    outputs=("AUC", "StatPosOut", "StatNegOut"),
    infer=_infer_auc,
    lod=None,
)
def auc(
    predict: Tensor,
    label: Tensor,
    positive: Tensor,
    negative: Tensor,
    tag_weight: Tensor | None = None,
    *,
    curve: str = "ROC",
    num_thresholds: int = 8191,
    slide_steps: int = 1,
    _rank1: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """The area under the ROC curve over all batches (or the last `slide_steps` ones), and the histograms behind it."""
    bins = num_thresholds + 1
    positive, negative = positive.long(), negative.long()  # scripts put zeros of other types there to start anew
    score = predict.reshape(predict.shape[0], -1)[:, -1]
    if score.device.type == "cpu" and not bool(((score >= 0) & (score <= 1)).all()):
        outside = score[~((score >= 0) & (score <= 1))][0].item()
        raise PreconditionNotMetError(f"Invalid value for argument `Predict` of `auc`. Expected probabilities. Received: {outside}")
    bucket = (score * num_thresholds).long()
    hit = label.reshape(-1) != 0
    if tag_weight is not None:
        kept = tag_weight.reshape(-1) != 0
        bucket, hit = bucket[kept], hit[kept]
    counts = torch.zeros(2, bins, dtype=positive.dtype, device=positive.device)
    counts = counts.index_put((hit.long(), bucket), torch.ones((), dtype=positive.dtype), accumulate=True)
    if slide_steps == 0:
        positive, negative = ((h.reshape(-1)[:bins] + new)[None] for h, new in ((positive, counts[1]), (negative, counts[0])))
        totals = positive[0], negative[0]
    else:
        positive, negative = _slide(positive, counts[1], slide_steps), _slide(negative, counts[0], slide_steps)
        totals = positive.reshape(-1)[-1 - bins : -1], negative.reshape(-1)[-1 - bins : -1]
    return flat(_area(*totals), _rank1), positive, negative


@op(
    inputs=("Predictions", "Labels", "InWrongs*?", "InCorrects*?", "InMeanIou*?"),
    outputs=("OutMeanIou", "OutWrong", "OutCorrect"),
    lod=None,
)
def mean_iou(
    predictions: Tensor,
    labels: Tensor,
    wrongs: list[Tensor] | None = None,
    corrects: list[Tensor] | None = None,
    earlier: list[Tensor] | None = None,
    *,
    num_classes: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """The mean, over the classes that occur, of intersection over union; and the counts behind it."""
    predictions, labels = predictions.reshape(-1).long(), labels.reshape(-1).long()
    same = predictions == labels

    def count(classes: Tensor, kept: Tensor) -> Tensor:
        return torch.zeros(num_classes, dtype=torch.int32, device=labels.device).index_add(0, classes, kept.int())

    correct = count(labels, same)
    wrong = count(predictions, ~same) + count(labels, ~same)
    wrong_sum, correct_sum = sum(wrongs or [], wrong), sum(corrects or [], correct)
    union = wrong_sum + correct_sum
    seen = union > 0
    mean = torch.where(seen, correct_sum / union.clamp(min=1), 0.0).sum() / seen.sum().clamp(min=1)
    mean = sum(earlier or [], mean.to(torch.float32))
    return mean.reshape(1), wrong_sum, correct_sum


def _precision_recall(states: Tensor) -> Tensor:
    """Macro and micro precision, recall and F1 from counts of true and false positives, true and false negatives."""

    def share(part: Tensor, rest: Tensor) -> Tensor:
        return torch.where(part + rest > 0, part / (part + rest).clamp(min=1e-30), 1.0)

    def f1(precision: Tensor, recall: Tensor) -> Tensor:
        both = precision + recall
        return torch.where(both > 0, 2 * precision * recall / both.clamp(min=1e-30), 0.0)

    hit, false_hit, _, missed = states.double().unbind(1)
    precision, recall = share(hit, false_hit).mean(), share(hit, missed).mean()
    micro_precision, micro_recall = share(hit.sum(), false_hit.sum()), share(hit.sum(), missed.sum())
    return torch.stack((precision, recall, f1(precision, recall), micro_precision, micro_recall, f1(micro_precision, micro_recall)))


@op(
    inputs=("MaxProbs", "Indices", "Labels", "Weights?", "StatesInfo?"),
    outputs=("BatchMetrics", "AccumMetrics", "AccumStatesInfo"),
)
def precision_recall(
    max_probs: Tensor,
    indices: Tensor,
    labels: Tensor,
    weights: Tensor | None = None,
    states: Tensor | None = None,
    *,
    class_number: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Precision, recall and F1 of a classifier with many classes, of this batch and of all."""
    guess, label = indices.reshape(-1).long(), labels.reshape(-1).long()
    weight = torch.ones_like(max_probs[:, 0]) if weights is None else weights.reshape(-1)
    classes = torch.arange(class_number, device=label.device)
    guessed, right = guess.unsqueeze(1) == classes, label.unsqueeze(1) == classes
    kinds = torch.stack((guessed & right, guessed & ~right, ~guessed & ~right, ~guessed & right), -1)
    batch = (kinds * weight.view(-1, 1, 1)).sum(0).to(torch.float32)
    total = batch if states is None else batch + states
    return _precision_recall(batch), _precision_recall(total), total


@op(
    inputs=(
        "Score",
        "Label",
        "QueryID",
        "AccumulatePositivePair?",
        "AccumulateNegativePair?",
        "AccumulateNeutralPair?",
        "Weight?",
    ),
    outputs=("PositivePair", "NegativePair", "NeutralPair"),
)
def positive_negative_pair(
    score: Tensor,
    label: Tensor,
    query: Tensor,
    positive: Tensor | None = None,
    negative: Tensor | None = None,
    neutral: Tensor | None = None,
    weight: Tensor | None = None,
    *,
    column: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    """How many pairs of one query are ranked as their labels say, against them, and with equal scores."""
    score, label, query = score[:, column], label.reshape(-1), query.reshape(-1)
    each = torch.ones_like(score) if weight is None else weight.reshape(-1)
    first, second = torch.triu_indices(score.numel(), score.numel(), 1, device=score.device)
    by_score, by_label = score[first] - score[second], label[first] - label[second]
    value = (each[first] + each[second]) * 0.5 * ((query[first] == query[second]) & (by_label != 0))
    agree = by_score * by_label > 0
    sums = [(value * kind).sum().reshape(1) for kind in (agree, ~agree, by_score == 0)]
    for index, earlier in enumerate((positive, negative, neutral)):
        if earlier is not None:
            sums[index] = sums[index] + earlier
    return sums[0], sums[1], sums[2]
