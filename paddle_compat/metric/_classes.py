"""Metrics that add up over batches, on numpy arrays."""

from __future__ import annotations

import abc
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.tensor import Tensor
from paddle_compat.metric._counts import area_under_curve, bucket_counts, found_and_missed, trapezoid
from paddle_compat.tensor.manipulation import cast, reshape, slice
from paddle_compat.tensor.search import argmax, argsort


def _array(value: Any, name: str, api: str) -> Any:
    """A numpy array of an array or Tensor; ValueError for anything else."""
    if not isinstance(value, (Tensor, np.ndarray, np.generic)):
        raise ValueError(f"Invalid value for argument `{name}` of `{api}.update`. Expected a numpy array or Tensor. Received: {value!r}")
    return np.asarray(value)


def _class_column(label: Any) -> Any:
    """Classes with a last dimension of one, of numbers or of one-hot rows."""
    if len(label.shape) > 1 and label.shape[-1] != 1:
        return argmax(label, axis=-1, keepdim=True)
    return label if len(label.shape) > 2 else reshape(label, (-1, 1))


class Metric(metaclass=abc.ABCMeta):
    """Base of the metrics: `compute` may be part of a network, `update` takes what it gives, `accumulate` is the value so far.

    Example:
        >>> import paddle_compat as paddle
        >>> class Count(paddle.metric.Metric):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.reset()
        ...     def reset(self):
        ...         self.n = 0
        ...     def update(self, batch):
        ...         self.n += len(batch)
        ...     def accumulate(self):
        ...         return self.n
        ...     def name(self):
        ...         return "count"
        >>> count = Count()
        >>> count.update([1, 2, 3])
        >>> count.accumulate()
        3

    Follows Paddle 2.6.
    """

    @abc.abstractmethod
    def reset(self) -> None:
        """Start anew.

        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise self._lacks("reset")

    @abc.abstractmethod
    def update(self, *args: Any) -> Any:
        """Take what `compute` gives for a batch, as numpy arrays.

        Args:
            args: what `compute` gives, as numpy arrays.
        Returns:
            What the metric says of the batch, or nothing.
        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise self._lacks("update")

    @abc.abstractmethod
    def accumulate(self) -> Any:
        """The value of all batches so far.

        Returns:
            A number, or a list of them.
        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise self._lacks("accumulate")

    @abc.abstractmethod
    def name(self) -> Any:
        """The metric's name, or names.

        Returns:
            str, or a list of them.
        Raises:
            UnimplementedError: the subclass does not define it.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.metric.Accuracy(topk=(1, 5)).name(), paddle.metric.Precision().name()
            (['acc_top1', 'acc_top5'], 'precision')
        """
        raise self._lacks("name")

    def compute(self, *args: Any) -> Any:
        """What `update` wants, of a network's outputs and the labels: these themselves, unless a metric does better.

        Args:
            args: outputs and labels.
        Returns:
            The same.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.metric.Auc().compute("chances", "labels")
            ('chances', 'labels')
        """
        return args

    def _lacks(self, method: str) -> UnimplementedError:
        return UnimplementedError(f"`{type(self).__name__}` defines no `{method}`.")


class Accuracy(Metric):
    """The share of samples whose label is among their k most likely classes.

    Args:
        topk: the numbers k to answer for.
        name (str, optional): "acc" when left out; `_topK` is added where a k is not 1.
        args, kwargs: of no effect.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> metric = paddle.metric.Accuracy()
        >>> right = metric.compute(paddle.to_tensor([[0.1, 0.9], [0.8, 0.2]]), paddle.to_tensor([[1], [1]]))
        >>> metric.update(right)
        0.5
        >>> metric.accumulate()
        0.5

    Follows Paddle 2.6.
    """

    total: list[Any]
    count: list[int]

    def __init__(self, topk: Sequence[int] = (1,), name: str | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.topk = topk
        self.maxk = max(topk)
        name = name or "acc"
        self._name = [f"{name}_top{k}" for k in topk] if self.maxk != 1 else [name]
        self.reset()

    def compute(self, pred: Any, label: Any, *args: Any) -> Any:
        """Which of the likeliest classes is the label.

        Args:
            pred: scores [N, ..., classes].
            label: classes [N], [N, ..., 1], or one-hot [N, ..., classes].
            args: of no effect.
        Returns:
            float32 [N, ..., the largest k]: 1 where it is.
        """
        order = argsort(pred, descending=True)
        likeliest = slice(order, [len(order.shape) - 1], [0], [self.maxk])
        return cast(likeliest == _class_column(label), "float32")

    def update(self, correct: Any, *args: Any) -> Any:
        """Take a batch.

        Args:
            correct: what `compute` gives.
            args: of no effect.
        Returns:
            The batch's share, a float; a list of them for several k.
        """
        hits = np.asarray(correct)
        samples = math.prod(hits.shape[:-1])
        right = [hits[..., :k].sum() for k in self.topk]
        self.total = [before + now for before, now in zip(self.total, right)]
        self.count = [before + samples for before in self.count]
        shares = [float(now) / samples for now in right]
        return shares[0] if len(shares) == 1 else shares

    def reset(self) -> None:
        """Start anew."""
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> Any:
        """The share so far, a float; a list of them for several k."""
        shares = [float(right) / count if count else 0.0 for right, count in zip(self.total, self.count)]
        return shares[0] if len(shares) == 1 else shares

    def name(self) -> list[str]:
        """One name for each k."""
        return self._name


class _OfHits(Metric):
    """Counts hits and one kind of errors of a binary classifier."""

    _errors = "fp"  # or "fn": what should be found and is not

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Start anew."""
        self.tp = 0
        setattr(self, self._errors, 0)

    def _round(self, chances: Any) -> Any:
        """The class that a chance stands for."""
        return np.floor(chances + 0.5)

    def update(self, preds: Any, labels: Any) -> None:
        """Take a batch.

        Args:
            preds: chances, a vector or [N, 1].
            labels: 0 or 1, a vector or [N, 1].
        Raises:
            ValueError: one is no array, or has several columns.
        """
        api = type(self).__name__
        preds, labels = _array(preds, "preds", api), _array(labels, "labels", api)
        for name, given in (("preds", preds), ("labels", labels)):
            if given[:1].size > 1:
                raise ValueError(f"Invalid shape of argument `{name}` of `{api}.update`. Expected [N] or [N, 1]. Received: {given.shape}")
        found, truth = self._round(preds).astype("int32").reshape(-1)[: len(labels)], labels.reshape(-1)
        both, others = found_and_missed(*((truth, found) if self._errors == "fn" else (found, truth)))
        self.tp += both
        setattr(self, self._errors, getattr(self, self._errors) + others)

    def accumulate(self) -> float:
        """The share so far; 0 without any."""
        asked = self.tp + getattr(self, self._errors)
        return float(self.tp) / asked if asked else 0.0

    def name(self) -> str:
        """The metric's name."""
        return self._name


class Precision(_OfHits):
    """The share of right ones among those that a binary classifier finds.

    Args:
        name: its name.
        args, kwargs: of no effect.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> metric = paddle.metric.Precision()
        >>> metric.update(np.array([[0.1], [0.5], [0.8]]), np.array([[0], [1], [0]]))
        >>> metric.accumulate()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, name: str = "precision", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)


class Recall(_OfHits):
    """The share of those found among the ones that a binary classifier should find.

    Args:
        name: its name.
        args, kwargs: of no effect.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> metric = paddle.metric.Recall()
        >>> metric.update(np.array([[0.1], [0.7], [0.8]]), np.array([[1], [1], [0]]))
        >>> metric.accumulate()
        0.5

    Follows Paddle 2.6.
    """

    _errors = "fn"

    def __init__(self, name: str = "recall", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)

    def _round(self, chances: Any) -> Any:
        return np.rint(chances)  # a half goes to the even class, unlike in Precision


class Auc(Metric):
    """The area under the ROC curve of a binary classifier, by buckets of chances.

    Args:
        curve: kept; the curve is the ROC one whatever it says, as in Paddle.
        num_thresholds: how many buckets, less one.
        name: its name.
        args, kwargs: of no effect.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> metric = paddle.metric.Auc()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1]]), np.array([[1], [0]]))
        >>> float(metric.accumulate())
        1.0

    Follows Paddle 2.6.
    """

    def __init__(self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc", *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._curve = curve
        self._num_thresholds = num_thresholds
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Start anew."""
        self._stat_pos = np.zeros(self._num_thresholds + 1)
        self._stat_neg = np.zeros(self._num_thresholds + 1)

    def update(self, preds: Any, labels: Any) -> None:
        """Take a batch.

        Args:
            preds: [N, 2], the second column the chance of a hit.
            labels: 0 or 1, [N, 1].
        Raises:
            ValueError: one is no array.
            AssertionError: a chance is above 1.
        """
        labels, preds = _array(labels, "labels", "Auc"), _array(preds, "preds", "Auc")
        chances = preds[: len(labels), 1]
        above = chances[(chances * self._num_thresholds).astype("int64") > self._num_thresholds]
        assert not above.size, f"Invalid value for argument `preds` of `Auc.update`. Expected chances up to 1. Received: {above[0]}"
        hits, others = bucket_counts(chances, labels.reshape(-1).astype(bool), self._num_thresholds)
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
            >>> import paddle_compat as paddle
            >>> paddle.metric.Auc.trapezoid_area(0.0, 2.0, 1.0, 3.0)
            4.0
        """
        return trapezoid(x1, x2, y1, y2)

    def accumulate(self) -> float:
        """The area so far; 0 while there is but one class."""
        return area_under_curve(self._stat_pos, self._stat_neg)

    def name(self) -> str:
        """The metric's name."""
        return self._name


__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall"]
