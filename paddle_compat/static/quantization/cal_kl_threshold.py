"""`paddle.static.quantization.cal_kl_threshold`: the threshold for few bits that keeps a distribution most like itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing


def cal_kl_threshold(hist: Any, bin_width: float, bits: int) -> float:
    """Cut a histogram off where the Kullback-Leibler divergence from what few bits can tell apart is least.

    Args:
        hist: how many magnitudes lie in each bin.
        bin_width: how wide a bin is.
        bits: how many bits tell the steps apart.
    Returns:
        The middle of the last bin that stays.
    """
    return least_divergent(hist, bin_width, 2 ** (bits - 1) - 1, 0.5)


def least_divergent(hist: Any, bin_width: float, levels: int, share: float) -> float:
    """The threshold for a number of steps; at least that share of the bins stays."""
    counts = np.asarray(hist, np.float64)
    first = int((len(counts) - 1) * share)
    best: tuple[float, int] | None = None
    for end in range(first, len(counts)):
        if end and counts[end - 1] != 0:
            divergence = _divergence(counts, end, levels)
            if best is None or divergence < best[0]:
                best = divergence, end
    if best is None:
        filled = np.flatnonzero(counts[1 : first + 1])
        return (float(filled[-1] + 1 if len(filled) else 0) + 0.5) * bin_width
    return (best[1] + 0.5) * bin_width


def _divergence(counts: Any, end: int, levels: int) -> float:
    """Between the first bins, the last of which takes what lies beyond, and the same in groups of one level each."""
    reference = counts[:end].copy()
    reference[-1] += counts[end:].sum()
    starts = np.arange(levels) * (end // levels)
    filled = reference != 0
    sums, sizes = np.add.reduceat(counts[:end], starts), np.add.reduceat(filled.astype(np.float64), starts)
    mean = np.divide(sums, sizes, out=np.zeros(levels), where=sizes > 0)
    coarse = np.repeat(mean, np.diff(np.append(starts, end)))[filled]
    p = reference[filled]
    total, coarse_total = p.sum(), coarse.sum()
    return float((p * np.log(coarse_total * p) - p * np.log(total * coarse)).sum() / total)


__getattr__ = missing(__name__)
