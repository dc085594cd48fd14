"""Metrics as a function of predictions and labels, and as objects that add up over batches."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.metric._classes import Accuracy, Auc, Metric, Precision, Recall
from paddle_compat.ops import metric as ops
from paddle_compat.static.nn._arguments import ALL_FLOATS, need_variable
from paddle_compat.tensor.manipulation import cast
from paddle_compat.tensor.search import topk


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None, name: str | None = None) -> Any:
    """The share of samples whose label is among their `k` most likely classes.

    Args:
        input (Tensor|Variable): scores, [N, classes], float.
        label (Tensor|Variable): [N, 1], int64 or int32.
        k (int): how many classes count.
        correct (Tensor|Variable, optional): takes the number of those samples.
        total (Tensor|Variable, optional): takes the number of all.
        name (str, optional): of no effect.
    Returns:
        The share, float32, without dimensions.
    Raises:
        TypeError: in static mode, scores that are no Variable of floats.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> score, label = paddle.static.data("score", [None, 10]), paddle.static.data("label", [None, 1], "int64")
        >>> paddle.metric.accuracy(score, label, k=5).shape
        ()
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not in_dygraph_mode():
        need_variable(input, "input", "accuracy", ALL_FLOATS)
    if str(label.dtype).endswith("int32"):
        label = cast(label, "int64")
    values, indices = topk(input, k=k)
    if in_dygraph_mode():
        share, right, count = ops.accuracy(values, indices, label)
        for given, found in ((correct, right), (total, count)):
            if given is not None:
                given._become(found._t)
        return share
    given = {slot: var for slot, var in (("Correct", correct), ("Total", total)) if var is not None}
    return ops.accuracy(values, indices, label, _helper=LayerHelper("accuracy"), _outputs=given or None)[0]


__getattr__ = missing(__name__)
__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]
