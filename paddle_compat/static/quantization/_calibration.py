"""How the largest step of a variable is found from what some batches give."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.static.quantization.cal_kl_threshold import cal_kl_threshold, least_divergent
from paddle_compat.static.quantization.utils import dequant_tensor, quant_tensor

ALGORITHMS = ("KL", "hist", "avg", "mse", "emd", "abs_max", "min_max", "ptf")
BINS = 2048


class Calibration:
    """What is known of variables so far, and the thresholds that follow.

    Args:
        algo: one of `ALGORITHMS`.
        bits: how many bits tell the steps apart.
        hist_percent: the share of the magnitudes that "hist" keeps.
        whole: steps are those of ONNX's operators.
    """

    def __init__(self, algo: str, bits: int, hist_percent: float, whole: bool) -> None:
        self.algo, self.bits, self.percent, self.whole = algo, bits, hist_percent, whole
        self.twice = algo in ("KL", "hist")  # the bounds first, and then the histogram
        self.ranges: dict[str, tuple[float, float]] = {}  # of the values, or of their magnitudes
        self._means: dict[str, list[float]] = {}
        self._best: dict[str, tuple[float, float]] = {}  # loss, threshold
        self._counts: dict[str, Any] = {}

    def look(self, name: str, value: Any) -> None:
        """Take note of one batch's values."""
        value = np.asarray(value, np.float32)
        if not value.size:
            return
        seen = value if self.algo == "min_max" else np.abs(value)
        least, most = float(seen.min()), float(seen.max())
        if name in self.ranges:
            least, most = min(least, self.ranges[name][0]), max(most, self.ranges[name][1])
        self.ranges[name] = least, most
        if self.algo == "avg":
            rows = seen.reshape(seen.shape[0] if seen.ndim else 1, -1)
            self._means.setdefault(name, []).append(float(rows.max(axis=1).mean()))
        elif self.algo in ("mse", "emd"):
            self._try(name, value, float(seen.max()) or 1e-8)
        elif self.algo == "ptf":
            tried = [float(seen.max() or 1e-8) / 2**halves for halves in range(4)]  # of this batch alone
            losses = [((value - self._rounded(value, scale, False)) ** 2).mean() for scale in tried]
            self._best[name] = float(min(losses)), tried[int(np.argmin(losses))]

    def _rounded(self, value: Any, scale: float, whole: bool) -> Any:
        """The steps that a largest one stands for; Paddle tries what is positive only, unless `whole`."""
        steps = np.round(quant_tensor(value if whole else np.maximum(value, 0), scale, -1, self.bits, whole))
        return dequant_tensor(steps, scale, -1, self.bits)

    def _try(self, name: str, value: Any, largest: float) -> None:
        """Look for a part of the range that loses least."""
        part = 0.3
        while part <= 1.0:
            scale = part * largest
            back = self._rounded(value, scale, self.whole)
            if self.algo == "mse":
                loss = float(((value - back) ** 2).mean())
            else:
                loss = float(abs(value.mean() - back.mean()) + abs(value.std() - back.std()))
            if name not in self._best or loss <= self._best[name][0]:
                self._best[name] = loss, scale
            part += 0.02

    def count(self, name: str, value: Any) -> None:
        """Add one batch's values to the histogram, whose bounds are known."""
        if name in self.ranges:
            hist, _ = np.histogram(np.abs(value), bins=BINS, range=self.ranges[name])
            self._counts[name] = self._counts.get(name, 0) + hist

    def threshold(self, name: str) -> float:
        """What the last step stands for."""
        if self.algo == "avg":
            return float(np.mean(self._means[name]))
        if self.algo in ("mse", "emd", "ptf"):
            return self._best[name][1]
        least, most = self.ranges[name]
        if not self.twice or most == least:
            return most
        width, counts = (most - least) / BINS, self._counts[name]
        if self.algo == "KL":
            return self._of_counts(counts, width)
        return float((np.argmax(np.cumsum(counts / counts.sum()) >= self.percent) + 0.5) * width)

    def _of_counts(self, counts: Any, width: float) -> float:
        return cal_kl_threshold(counts, width, self.bits)


class Early(Calibration):
    """1.8's: "KL" tries steps for both signs, and keeps more of the bins."""

    def _of_counts(self, counts: Any, width: float) -> float:
        return least_divergent(counts, width, 2**self.bits - 1, 0.7)
