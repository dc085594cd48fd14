"""`paddle.quantization.imperative.ptq_quantizer`: thresholds of what layers take, give and hold."""

from __future__ import annotations

import abc
import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.quantization.imperative.utils import spec_channel_axis_layers
from paddle_compat.static.quantization.cal_kl_threshold import cal_kl_threshold


def abs_max_value(tensor: Any) -> float:
    """The largest magnitude."""
    return float(np.abs(tensor.numpy()).max())


def merge_max_value(old: list[Any], new: list[Any]) -> list[Any]:
    """The larger ones of two lists, which may hold lists."""
    if not (isinstance(old, list) and isinstance(new, list)):
        raise failed_assertion("old", "two lists", (old, new), "merge_max_value")
    if not old:
        return new
    if len(old) != len(new):
        raise failed_assertion("new", f"{len(old)} values", new, "merge_max_value")
    return [merge_max_value(a, b) if isinstance(b, list) else max(a, b) for a, b in zip(old, new)]


def _histogram(tensor: Any, largest: float, bins: int) -> Any:
    return np.histogram(np.abs(tensor.numpy()), range=(0.0, largest), bins=bins)[0].astype(np.float32)


def combine_abs_max_and_hist(tensor: Any, origin_max: float, origin_hist: Any, bins: int, upsample_bins: int) -> tuple[float, Any]:
    """Add a tensor's magnitudes to a histogram, whose bins become wider where they do not reach."""
    largest = abs_max_value(tensor)
    if largest == 0.0:
        return origin_max, origin_hist
    if origin_max == 0.0:
        return largest, _histogram(tensor, largest, bins)
    if largest <= origin_max:
        return origin_max, _histogram(tensor, origin_max, bins) + origin_hist
    width = origin_max / (bins * upsample_bins)
    together = math.ceil(largest / (bins * width))  # how many of the finer bins make one of the wider
    largest = bins * width * together
    finer = np.zeros(bins * together, np.float32)
    finer[: bins * upsample_bins] = np.repeat(origin_hist, upsample_bins)
    sums = np.cumsum(finer, dtype=np.float64)[together - 1 :: together]
    former = np.diff(sums, prepend=0.0) / upsample_bins
    return largest, (_histogram(tensor, largest, bins) + former).astype(np.float32)


class BaseQuantizer(metaclass=abc.ABCMeta):
    """What watches tensors and works thresholds out: for subclasses."""

    def __init__(self, quant_bits: int = 8) -> None:
        if not isinstance(quant_bits, int) or not 0 < quant_bits <= 16:
            raise failed_assertion("quant_bits", "an int from 1 to 16", quant_bits)
        self.quant_bits = quant_bits
        self.abs_max_vals: list[Any] = []
        self.thresholds: list[Any] = []

    @abc.abstractmethod
    def sample_data(self, layer: Any, tensors: Any) -> None:
        """Look at a layer's tensors."""

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Work the thresholds out."""


class AbsmaxQuantizer(BaseQuantizer):
    """Thresholds are the largest magnitudes."""

    def sample_data(self, layer: Any, tensors: Any) -> None:
        """Look at a layer's tensors."""
        self.abs_max_vals = merge_max_value(self.abs_max_vals, [abs_max_value(tensor) for tensor in _tuple(tensors)])

    def cal_thresholds(self) -> None:
        """Take the largest."""
        self.thresholds = self.abs_max_vals


class PerChannelAbsmaxQuantizer(BaseQuantizer):
    """Thresholds are the largest magnitudes of each channel of a weight."""

    def sample_data(self, layer: Any, tensors: Any) -> None:
        """Look at a layer's weights."""
        axis = 1 if isinstance(layer, tuple(spec_channel_axis_layers)) else 0
        found = []
        for tensor in _tuple(tensors):
            values = np.abs(tensor.numpy())
            found.append([float(value) for value in values.max(axis=tuple(d for d in range(values.ndim) if d != axis))])
        self.abs_max_vals = merge_max_value(self.abs_max_vals, found)

    def cal_thresholds(self) -> None:
        """Take the largest."""
        self.thresholds = self.abs_max_vals


class BaseHistQuantizer(BaseQuantizer, metaclass=abc.ABCMeta):
    """Thresholds come from histograms of magnitudes: for subclasses."""

    def __init__(self, quant_bits: int = 8, bins: int = 1024, upsample_bins: int = 64) -> None:
        super().__init__(quant_bits)
        self.bins, self.upsample_bins = bins, upsample_bins
        self.hists: list[Any] = []

    def sample_data(self, layer: Any, tensors: Any) -> None:
        """Add a layer's tensors to the histograms."""
        tensors = _tuple(tensors)
        if not self.abs_max_vals:
            self.abs_max_vals = [abs_max_value(tensor) for tensor in tensors]
            pairs = zip(tensors, self.abs_max_vals)
            self.hists = [None if largest == 0.0 else _histogram(tensor, largest, self.bins) for tensor, largest in pairs]
            return
        if len(self.abs_max_vals) != len(tensors):
            raise failed_assertion("tensors", f"{len(self.abs_max_vals)} tensors", len(tensors), "sample_data")
        for place, tensor in enumerate(tensors):
            self.abs_max_vals[place], self.hists[place] = combine_abs_max_and_hist(
                tensor, self.abs_max_vals[place], self.hists[place], self.bins, self.upsample_bins
            )

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Work the thresholds out."""


class HistQuantizer(BaseHistQuantizer):
    """Thresholds that a share of the magnitudes lie below."""

    def __init__(self, quant_bits: int = 8, bins: int = 1024, upsample_bins: int = 64, hist_percent: float = 0.99999) -> None:
        super().__init__(quant_bits, bins, upsample_bins)
        self.hist_percent = hist_percent

    def cal_thresholds(self) -> None:
        """Find where the share is reached."""
        for largest, hist in zip(self.abs_max_vals, self.hists):
            if hist is None:
                self.thresholds.append(largest)
                continue
            shares = np.cumsum(hist / hist.sum(dtype=np.float64))
            self.thresholds.append(float((np.argmax(shares >= self.hist_percent) - 0.5) * (largest / len(hist))))


class KLQuantizer(BaseHistQuantizer):
    """Thresholds that change the distribution least."""

    def cal_thresholds(self) -> None:
        """Try them."""
        for largest, hist in zip(self.abs_max_vals, self.hists):
            self.thresholds.append(largest if hist is None else cal_kl_threshold(hist, largest / len(hist), self.quant_bits))


def _tuple(tensors: Any) -> tuple[Tensor, ...]:
    if not isinstance(tensors, tuple):
        raise failed_assertion("tensors", "a tuple of Tensors", tensors, "sample_data")
    return tensors


SUPPORT_ACT_QUANTIZERS = [AbsmaxQuantizer, HistQuantizer, KLQuantizer]
SUPPORT_WT_QUANTIZERS = [AbsmaxQuantizer, PerChannelAbsmaxQuantizer]

__getattr__ = missing(__name__)
