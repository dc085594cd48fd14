"""Losses of sequences whose labels are not aligned with their steps."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.functional._apply import helper_for, paddle
from paddle_compat.nn.functional._reduction import check_reduction, reduced
from paddle_compat.ops import loss as ops
from paddle_compat.ops.ctc import edit_distance as distance_between
from paddle_compat.ops.ctc import warpctc
from paddle_compat.ops.sequence import sequence_erase
from paddle_compat.tensor._calls import FLOATS, check


def ctc_loss(
    log_probs: Any,
    labels: Any,
    input_lengths: Any,
    label_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    norm_by_times: bool = False,
    zero_infinity: bool = False,
) -> Any:
    """Connectionist temporal classification: the loss of unaligned label sequences.

    Args:
        log_probs (Tensor): logits, [time, N, classes]; softmax is part of the loss.
        labels (Tensor): [N, longest label], int32.
        input_lengths (Tensor): [N], int64.
        label_lengths (Tensor): [N], int64.
        blank (int): the class that stands for no label.
        reduction (str): "mean" (of the losses over their labels' lengths), "sum" or "none".
        norm_by_times (bool): whether gradients are divided by the time.
        zero_infinity (bool): whether infinite losses, and their gradients, count as zeros.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> labels, lengths = paddle.to_tensor([[1, 2]], dtype="int32"), paddle.to_tensor([2])
        >>> paddle.nn.functional.ctc_loss(paddle.rand([5, 1, 3]), labels, paddle.to_tensor([5]), lengths).shape
        []

    Follows Paddle 2.6.
    """
    if reduction not in ("mean", "sum", "none"):
        raise failed_assertion("reduction", "'mean', 'sum' or 'none'", reduction, "ctc_loss")
    for value, argument, kinds in (
        (log_probs, "input", FLOATS[2:]), (labels, "label", ("int32",)),
        (input_lengths, "LogitsLength", ("int64",)), (label_lengths, "LabelLength", ("int64",)),
    ):  # fmt: skip
        check(value, argument, "warpctc", kinds)
    helper = helper_for("warpctc", log_probs)
    outputs = None
    if helper is not None:
        outputs = {"Loss": helper.create_variable_for_type_inference(log_probs.dtype)}
    attrs: dict[str, Any] = {"blank": blank, "norm_by_times": norm_by_times}
    out = warpctc(log_probs, labels, input_lengths, label_lengths, **attrs, _helper=helper, _outputs=outputs)
    out = paddle.squeeze(out, [-1])
    if zero_infinity:
        out = paddle.where(paddle.isinf(out), paddle.zeros_like(out), out)
    if reduction == "mean":
        return paddle.mean(out / label_lengths.astype(out.dtype))
    return reduced(out, reduction)


def rnnt_loss(
    input: Any,
    label: Any,
    input_lengths: Any,
    label_lengths: Any,
    blank: int = 0,
    fastemit_lambda: float = 0.001,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """The loss of recurrent transducers.

    Args:
        input (Tensor): logarithms of probabilities, [N, frames, longest label + 1, classes].
        label (Tensor): [N, longest label], int32.
        input_lengths (Tensor): [N], int32.
        label_lengths (Tensor): [N], int32.
        blank (int): the class that stands for no label.
        fastemit_lambda (float): how much more the gradient favours emitting early.
        reduction (str): "mean" (the sum over the number of samples), "sum" or "none".
        name (str): kept.
    Returns:
        Tensor: the loss, [N] if `reduction` is "none".
    Raises:
        ValueError: there is no such reduction.

    Example:
        >>> import paddle_compat as paddle
        >>> logits, label = paddle.rand([1, 2, 3, 5]), paddle.to_tensor([[1, 2]], dtype="int32")
        >>> frames, lengths = paddle.to_tensor([2], dtype="int32"), paddle.to_tensor([2], dtype="int32")
        >>> paddle.nn.functional.rnnt_loss(logits, label, frames, lengths).shape
        []

    Follows Paddle 2.6.
    """
    check_reduction(reduction, "rnnt_loss")
    for value, argument in ((label, "label"), (input_lengths, "logit_lengths"), (label_lengths, "label_lengths")):
        check(value, argument, "warprnnt", ("int32",))
    helper = helper_for("warprnnt", input)
    out = ops.warprnnt(input, label, input_lengths, label_lengths, blank=blank, fastemit_lambda=fastemit_lambda, _helper=helper)
    if reduction == "mean":
        return paddle.sum(out, name=name) / input.shape[0]
    return reduced(out, reduction, name)


def edit_distance(
    input: Any,
    label: Any,
    normalized: bool = True,
    ignored_tokens: Any = None,
    input_length: Any = None,
    label_length: Any = None,
) -> tuple[Any, Any]:
    """How many insertions, deletions and replacements lie between sequences.

    Args:
        input (Tensor): [N, longest] with lengths, int64; in static mode also [T, 1] with LoD.
        label (Tensor): what to compare with, like `input`.
        normalized (bool): whether distances are divided by the lengths of `label`.
        ignored_tokens (list): ids that are taken out first, where there are no lengths.
        input_length (Tensor): [N], int64.
        label_length (Tensor): [N], int64.
    Returns:
        Two tensors: how many sequences there are, int64 [1], and the distances, float32 [N, 1]. In static mode, the
        distances come first.
    Raises:
        TypeError: `input` or `label` is not int64.
        ValueError: there are neither lengths nor LoD, or a label is empty and `normalized` is set.

    Example:
        >>> import paddle_compat as paddle
        >>> said, meant = paddle.to_tensor([[1, 2, 3]]), paddle.to_tensor([[1, 3, 3]])
        >>> lengths = paddle.to_tensor([3])
        >>> paddle.nn.functional.loss.edit_distance(said, meant, False, None, lengths, lengths)[1].item()
        1.0

    Follows Paddle 2.6.
    """
    check(input, "input", "edit_distance", ("int64",))
    check(label, "label", "edit_distance", ("int64",))
    helper, outputs = helper_for("edit_distance", input), None
    if ignored_tokens is not None and len(ignored_tokens) > 0:
        input, label = (sequence_erase(value, tokens=list(ignored_tokens), _helper=helper) for value in (input, label))
    if helper is not None:
        outputs = {slot: helper.create_variable_for_type_inference("int64") for slot in ("Out", "SequenceNum")}
    lengths = (input_length, label_length) if input_length is not None and label_length is not None else (None, None)
    count, distance = distance_between(input, label, *lengths, normalized=normalized, _helper=helper, _outputs=outputs)
    return (count, distance) if helper is None else (distance, count)
