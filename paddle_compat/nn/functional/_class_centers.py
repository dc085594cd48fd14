"""Very many classes, which processes may share out: a few of them, drawn, and the loss with margins."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.nn.functional._apply import check_recorded, helper_for, paddle
from paddle_compat.nn.functional._reduction import reduced
from paddle_compat.ops import loss as ops
from paddle_compat.ops import sampling
from paddle_compat.tensor._calls import check, plain


def _shared(group: Any, api: str) -> dict[str, Any] | None:
    """How operators are told of the processes that share out the classes: nothing where there is one; None where this one takes no part.

    Args:
        group (Group | bool): the processes; None: all of the job; False: this one alone.
        api (str): the function's name.
    Raises:
        ValueError: group is something else.
    """
    if group is False:
        return {}
    from paddle_compat.distributed import _groups

    if group is not None and not isinstance(group, _groups.Group):
        raise invalid_argument("group", "a Group, as new_group gives it, None or False", group, api)
    if group is not None and not group.is_member():  # as Paddle says of a group of one process, too
        return None
    met = _groups.join() if group is None else group
    return {} if met is None or met.nranks < 2 else {"ring_id": met.id, "rank": met.rank, "nranks": met.nranks}


def class_center_sample(label: Any, num_classes: int, num_samples: int, group: Any = None) -> Any:
    """The classes of a batch's labels, filled up with drawn ones, and the labels as places among them.

    Args:
        label (Tensor): int32 or int64, [N].
        num_classes (int): how many classes there are, in this process where several share them out.
        num_samples (int): how many to give at least; more labels' classes than that are all given.
        group (Group | bool): the processes that share out the classes, all with the same labels; None: all of the job; False: this one
            has all classes.
    Returns:
        The labels as places, [N], and the classes: the labels' in order, then the drawn ones. Where processes share them out, each gets
        some of its own, counted from 0, and the places are among all of them, the first process's first. In a process that is not in the
        group, and where the group has one process, None.
    Raises:
        ValueError: more samples than classes are wanted; the labels have several dimensions; group is something else.
        TypeError: the labels are no whole numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> places, classes = paddle.nn.functional.class_center_sample(paddle.to_tensor([11, 5, 11]), 20, 4)
        >>> places.tolist(), classes.tolist()[:2]
        ([1, 0, 1], [5, 11])

    Follows Paddle 2.6.
    """
    shared = _shared(group, "class_center_sample")
    if shared is None:
        return None
    check(label, "label", "class_center_sample", ("int32", "int64"))
    num_classes, num_samples = plain(num_classes), plain(num_samples)
    for name, wrong, expected, received in (
        ("num_samples", num_samples > num_classes, f"up to {num_classes}", num_samples),
        ("label", len(label.shape) != 1, "one dimension", list(label.shape)),
    ):
        if wrong:
            raise ValueError(f"Invalid value for argument `{name}` of `class_center_sample`. Expected {expected}. Received: {received}")
    return sampling.class_center_sample(label, num_classes=num_classes, num_samples=num_samples, **shared)


def margin_cross_entropy(
    logits: Any,
    label: Any,
    margin1: float = 1.0,
    margin2: float = 0.5,
    margin3: float = 0.0,
    scale: float = 64.0,
    group: Any = None,
    return_softmax: bool = False,
    reduction: str | None = "mean",
) -> Any:
    """Softmax and cross entropy of cosines, where the labelled one must win by a margin (ArcFace and its kin).

    Args:
        logits (Tensor): cosines, [N, classes]; where processes share out the classes, those of this one.
        label (Tensor): class indices, [N] or [N, 1].
        margin1, margin2, margin3 (float): cos(margin1 angle + margin2) - margin3 stands for the labelled cosine.
        scale (float): factor on all of them.
        group (Group | bool): the processes that share out the classes, all with the same labels; None: all of the job; False: this one
            has all classes.
        return_softmax (bool): also return the softmax.
        reduction (str): "mean", "sum" or None.
    Returns:
        Tensor: the loss, and the softmax if asked for. In a process that is not in the group, and where the
            group has one process, None.
    Raises:
        ValueError: label has another number of dimensions, there is no such reduction, or group is something else.

    Example:
        >>> import paddle_compat as paddle
        >>> cosines, label = paddle.rand([2, 4]), paddle.to_tensor([3, 0])
        >>> paddle.nn.functional.margin_cross_entropy(cosines, label, return_softmax=False).shape
        []

    Follows Paddle 2.6.
    """
    shared = _shared(group, "margin_cross_entropy")
    if shared is None:
        return None
    check_recorded("margin_cross_entropy", logits=logits)
    if reduction not in ("mean", "sum", None):
        raise failed_assertion("reduction", "'mean', 'sum' or None", reduction, "margin_cross_entropy")
    rank = len(logits.shape)
    if len(label.shape) not in (rank - 1, rank):
        raise invalid_argument("label", f"{rank - 1} or {rank} dimensions", list(label.shape), "margin_cross_entropy")
    if len(label.shape) == rank - 1:
        label = paddle.unsqueeze(label, axis=-1)
    softmax, loss = ops.margin_cross_entropy(
        logits,
        label,
        margin1=margin1,
        margin2=margin2,
        margin3=margin3,
        scale=scale,
        return_softmax=return_softmax,
        **shared,
        _helper=helper_for("margin_cross_entropy", logits),
    )
    loss = reduced(loss, reduction or "none")
    return (loss, softmax) if return_softmax else loss
