"""`paddle.fluid.metrics`: metrics that add up over batches, in Python."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.fluid._detection_metric import DetectionMAP
from paddle_compat.metric._counts import area_under_curve, bucket_counts, found_and_missed, trapezoid

_Number = (int, float, np.integer, np.floating)


def _is_number(value: Any) -> bool:
    return isinstance(value, _Number) or (isinstance(value, np.ndarray) and value.shape == (1,))


def _require_numbers(api: str, **given: Any) -> None:
    for name, value in given.items():
        if not _is_number(value) and not isinstance(value, np.ndarray):
            raise ValueError(
                f"Invalid value for argument `{name}` of `{api}.update`. Expected a number or numpy array. "
                f"Received: {value!r}"
            )


def _require_arrays(api: str, **given: Any) -> None:
    for name, value in given.items():
        if not isinstance(value, np.ndarray):
            raise ValueError(f"Invalid value for argument `{name}` of `{api}.update`. Expected a numpy array. Received: {value!r}")


class MetricBase:
    """Base of all metrics: `update` takes a batch, `eval` gives the value so far, `reset` starts anew.

    Args:
        name: its name; None: that of its class.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> class Count(fluid.metrics.MetricBase):
        ...     def __init__(self):
        ...         super().__init__("count")
        ...         self.samples = 0
        ...     def update(self, preds, labels):
        ...         self.samples += len(preds)
        ...     def eval(self):
        ...         return self.samples
        >>> count = Count()
        >>> count.update([0.1, 0.9], [0, 1]); count.eval()
        2
        >>> count.get_config()
        {'name': 'count', 'states': {'samples': 2}}
        >>> count.reset(); count.eval()
        0

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None) -> None:
        self._name = str(name) if name is not None else type(self).__name__

    def __str__(self) -> str:
        return self._name

    def _states(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def reset(self) -> None:
        """Set every public number to 0; what a metric keeps under a private name stays, as in Paddle 1.8."""
        for name, value in self._states().items():
            if isinstance(value, int):
                value = 0
            elif isinstance(value, float):
                value = 0.0
            elif isinstance(value, (np.ndarray, np.generic)):
                value = np.zeros_like(value)
            else:
                value = None
            setattr(self, name, value)

    def get_config(self) -> dict[str, Any]:
        """The metric's name and its numbers.

        Returns:
            {"name": ..., "states": {...}}.
        """
        return {"name": self._name, "states": copy.deepcopy(self._states())}

    def update(self, preds: Any, labels: Any) -> None:
        """Take a batch.

        Args:
            preds: what a network found.
            labels: what it should have found.
        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise UnimplementedError(f"`{type(self).__name__}` defines no `update`.")

    def eval(self) -> Any:
        """The value so far.

        Returns:
            A number, an array, or several.
        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise UnimplementedError(f"`{type(self).__name__}` defines no `eval`.")


class CompositeMetric(MetricBase):
    """Several metrics that take the same batches.

    Args:
        name: its name.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> both = fluid.metrics.CompositeMetric()
        >>> both.add_metric(fluid.metrics.Precision())
        >>> both.add_metric(fluid.metrics.Recall())
        >>> both.update(np.array([[0.1], [0.7], [0.8]]), np.array([[0], [1], [0]]))
        >>> both.eval()
        [0.5, 1.0]

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._metrics: list[MetricBase] = []

    def add_metric(self, metric: MetricBase) -> None:
        """Add a metric.

        Args:
            metric (MetricBase): the metric.
        Raises:
            ValueError: it is none.
        """
        if not isinstance(metric, MetricBase):
            raise ValueError(f"Invalid value for argument `metric`. Expected a metric. Received: {metric!r}")
        self._metrics.append(metric)

    def update(self, preds: Any, labels: Any) -> None:
        """Hand a batch to every metric.

        Args:
            preds, labels: as the metrics take them.
        """
        for metric in self._metrics:
            metric.update(preds, labels)

    def eval(self) -> list[Any]:
        """The values so far, in the order in which the metrics were added.

        Returns:
            A list of what the metrics give.
        """
        return [metric.eval() for metric in self._metrics]


class _OfHits(MetricBase):
    """Counts hits and one kind of errors of a binary classifier."""

    _errors = "fp"  # or "fn": what should be found and is not

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.tp = 0
        setattr(self, self._errors, 0)

    def update(self, preds: Any, labels: Any) -> None:
        """Take a batch.

        Args:
            preds: chances [N, 1].
            labels: 0 or 1, [N, 1].
        """
        _require_arrays(type(self).__name__, preds=preds, labels=labels)
        found = np.rint(preds).astype("int32").reshape(-1)[: labels.shape[0]]
        truth = labels.reshape(-1)[: labels.shape[0]]
        asked, other = (truth, found) if self._errors == "fn" else (found, truth)
        both, others = found_and_missed(asked, other)
        self.tp += both
        setattr(self, self._errors, getattr(self, self._errors) + others)

    def eval(self) -> float:
        """The share so far.

        Returns:
            float.
        """
        all_asked = self.tp + getattr(self, self._errors)
        return float(self.tp) / all_asked if all_asked else 0.0


class Precision(_OfHits):
    """The share of right ones among those that a binary classifier finds.

    Args:
        name: its name.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.Precision()
        >>> metric.update(np.array([[0.1], [0.7], [0.8]]), np.array([[0], [1], [0]]))
        >>> metric.eval()
        0.5

    Follows Paddle 1.8.
    """

    _errors = "fp"


class Recall(_OfHits):
    """The share of those found among the ones that a binary classifier should find.

    Args:
        name: its name.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.Recall()
        >>> metric.update(np.array([[0.1], [0.7], [0.8]]), np.array([[1], [1], [0]]))
        >>> metric.eval()
        0.5

    Follows Paddle 1.8.
    """

    _errors = "fn"


class Accuracy(MetricBase):
    """The mean of batches' accuracies.

    Args:
        name: its name.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.Accuracy()
        >>> metric.update(value=0.5, weight=4)
        >>> metric.update(value=1.0, weight=4)
        >>> metric.eval()
        0.75

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.value: Any = 0.0
        self.weight: Any = 0.0

    def update(self, value: Any, weight: Any) -> None:
        """Take a batch.

        Args:
            value: its accuracy.
            weight: its size.
        Raises:
            ValueError: an argument is no number, or weight is negative.
        """
        _require_numbers("Accuracy", value=value, weight=weight)
        if _is_number(weight) and weight < 0:
            raise ValueError(
                "Invalid value for argument `weight` of `Accuracy.update`. Expected a number that is not negative. "
                f"Received: {weight}"
            )
        self.value += value * weight
        self.weight += weight

    def eval(self) -> Any:
        """The mean so far.

        Returns:
            A number or an array.
        Raises:
            ValueError: there was no batch.
        """
        if self.weight == 0:
            raise ValueError("Metric `Accuracy` has no value. Expected `update` before `eval`. Received: no batch")
        return self.value / self.weight


class ChunkEvaluator(MetricBase):
    """Precision, recall and F1 of chunks, from the counts of layers.chunk_eval.

    Args:
        name: its name.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.ChunkEvaluator()
        >>> metric.update(num_infer_chunks=10, num_label_chunks=5, num_correct_chunks=5)
        >>> metric.eval()
        (0.5, 1.0, 0.6666666666666666)

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.num_infer_chunks: Any = 0
        self.num_label_chunks: Any = 0
        self.num_correct_chunks: Any = 0

    def update(self, num_infer_chunks: Any, num_label_chunks: Any, num_correct_chunks: Any) -> None:  # type: ignore[override]
        """Take the counts of a batch.

        Args:
            num_infer_chunks, num_label_chunks, num_correct_chunks: how many chunks were found, are there, were found rightly.
        """
        given = {"num_infer_chunks": num_infer_chunks, "num_label_chunks": num_label_chunks, "num_correct_chunks": num_correct_chunks}
        _require_numbers("ChunkEvaluator", **given)
        self.num_infer_chunks += num_infer_chunks
        self.num_label_chunks += num_label_chunks
        self.num_correct_chunks += num_correct_chunks

    def eval(self) -> tuple[Any, Any, Any]:
        """Precision, recall and F1 so far.

        Returns:
            Three numbers.
        """
        right = self.num_correct_chunks
        precision = right / self.num_infer_chunks if self.num_infer_chunks else 0
        recall = right / self.num_label_chunks if self.num_label_chunks else 0
        return precision, recall, 2 * precision * recall / (precision + recall) if right else 0


class EditDistance(MetricBase):
    """The mean edit distance, and the share of sequences with one.

    Args:
        name: its name.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.EditDistance("distance")
        >>> metric.update(np.array([[0.0], [2.0]]), 2)
        >>> print(*metric.eval())
        1.0 0.5

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None) -> None:
        super().__init__(name)
        self.total_distance: Any = 0.0
        self.seq_num: Any = 0
        self.instance_error: Any = 0

    def update(self, distances: Any, seq_num: Any) -> None:
        """Take a batch.

        Args:
            distances: a numpy array of distances.
            seq_num: how many sequences there are.
        """
        _require_arrays("EditDistance", distances=distances)
        _require_numbers("EditDistance", seq_num=seq_num)
        self.seq_num += seq_num
        self.instance_error += seq_num - np.sum(distances == 0)
        self.total_distance += np.sum(distances)

    def eval(self) -> tuple[Any, Any]:
        """The mean distance and the share so far.

        Returns:
            Two numbers.
        Raises:
            ValueError: there was no batch.
        """
        if self.seq_num == 0:
            raise ValueError("Metric `EditDistance` has no value. Expected `update` before `eval`. Received: no batch")
        return self.total_distance / self.seq_num, self.instance_error / self.seq_num


class Auc(MetricBase):
    """The area under the curve of a binary classifier, by buckets of chances. As in Paddle 1.8, `reset` leaves the buckets.

    Args:
        name: its name.
        curve: "ROC".
        num_thresholds: how many buckets.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> metric = fluid.metrics.Auc("auc")
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1]]), np.array([[1], [0]]))
        >>> float(metric.eval())
        1.0

    Follows Paddle 1.8.
    """

    def __init__(self, name: str | None, curve: str = "ROC", num_thresholds: int = 4095) -> None:
        super().__init__(name)
        self._curve = curve
        self._num_thresholds = num_thresholds
        self._stat_pos = np.zeros(num_thresholds + 1, "int64")
        self._stat_neg = np.zeros(num_thresholds + 1, "int64")

    def update(self, preds: Any, labels: Any) -> None:
        """Take a batch.

        Args:
            preds: [N, 2], the second column the chance of a hit.
            labels: 0 or 1, [N, 1].
        """
        _require_arrays("Auc", preds=preds, labels=labels)
        truth = labels.reshape(-1).astype(bool)
        hits, others = bucket_counts(preds[: len(truth), 1], truth, self._num_thresholds)
        self._stat_pos += hits
        self._stat_neg += others

    @staticmethod
    def trapezoid_area(x1: float, x2: float, y1: float, y2: float) -> float:
        """The area under a line from (x1, y1) to (x2, y2).

        Args:
            x1, x2, y1, y2 (float): the two points.
        Returns:
            float.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> fluid.metrics.Auc.trapezoid_area(0.0, 2.0, 1.0, 3.0)
            4.0
        """
        return trapezoid(x1, x2, y1, y2)

    def eval(self) -> float:
        """The area so far.

        Returns:
            float.
        """
        return float(area_under_curve(self._stat_pos, self._stat_neg))


__all__ = ["Accuracy", "Auc", "ChunkEvaluator", "CompositeMetric", "DetectionMAP", "EditDistance", "MetricBase", "Precision", "Recall"]

__getattr__ = missing(__name__)
