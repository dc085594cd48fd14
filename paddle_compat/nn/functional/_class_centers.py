"""Some of very many classes: those of a batch's labels, and drawn ones."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.ops import sampling
from paddle_compat.tensor._calls import check


def class_center_sample(label: Any, num_classes: int, num_samples: int, group: Any = None) -> Any:
    """The classes of a batch's labels, filled up with drawn ones, and the labels as places among them.

    Args:
        label (Tensor): int32 or int64, [N].
        num_classes (int): how many classes there are.
        num_samples (int): how many to give at least; more labels' classes than that are all given.
        group: None or False: the classes are not spread over processes.
    Returns:
        The labels as places, [N], and the classes: the labels' in order, then the drawn ones.
    Raises:
        ValueError: more samples than classes are wanted; the labels have several dimensions.
        TypeError: the labels are no whole numbers.
        UnsupportedError: there is a group.

    Example:
        >>> import paddle_compat as paddle
        >>> places, classes = paddle.nn.functional.class_center_sample(paddle.to_tensor([11, 5, 11]), 20, 4)
        >>> places.tolist(), classes.tolist()[:2]
        ([1, 0, 1], [5, 11])

    Follows Paddle 2.6.
    """
    if group not in (None, False):
        raise UnsupportedError("nn.functional.class_center_sample", "group", "one process, with group=None")
    check(label, "label", "class_center_sample", ("int32", "int64"))
    for name, wrong, expected, received in (
        ("num_samples", num_samples > num_classes, f"up to {num_classes}", num_samples),
        ("label", len(label.shape) != 1, "one dimension", list(label.shape)),
    ):
        if wrong:
            raise ValueError(f"Invalid value for argument `{name}` of `class_center_sample`. Expected {expected}. Received: {received}")
    return sampling.class_center_sample(label, num_classes=num_classes, num_samples=num_samples)
