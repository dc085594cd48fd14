"""The arithmetic behind the metrics of both ages of Paddle."""

from __future__ import annotations

from typing import Any

import numpy as np


def found_and_missed(asked: Any, other: Any) -> tuple[int, int]:
    """Where `asked` is 1: how often `other` is 1 too, and how often it is not."""
    positive = asked == 1
    both = int(np.sum(positive & (other == 1)))
    return both, int(np.sum(positive)) - both


def bucket_counts(chances: Any, truth: Any, thresholds: int) -> tuple[Any, Any]:
    """How many hits and how many others have their chance in each of `thresholds + 1` buckets."""
    buckets = (chances * thresholds).astype("int64")
    return np.bincount(buckets[truth], minlength=thresholds + 1), np.bincount(buckets[~truth], minlength=thresholds + 1)


def area_under_curve(positive: Any, negative: Any) -> float:
    """The area under the ROC curve of hits and others in buckets of growing chance; 0 without both."""
    hits = np.concatenate([[0], np.cumsum(positive[::-1])]).astype("float64")
    misses = np.concatenate([[0], np.cumsum(negative[::-1])]).astype("float64")
    area = np.sum(np.abs(np.diff(misses)) * (hits[1:] + hits[:-1]) / 2.0)
    return area / hits[-1] / misses[-1] if hits[-1] > 0 and misses[-1] > 0 else 0.0


def trapezoid(x1: float, x2: float, y1: float, y2: float) -> float:
    """The area under a line from (x1, y1) to (x2, y2)."""
    return abs(x1 - x2) * (y1 + y2) / 2.0
