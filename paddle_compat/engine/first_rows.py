"""The first values of a table's rows, made for some ids at a time: the same for an id whenever, and on whichever server, it is touched.

What a seeded `uniform_random` of Paddle 1.8 would have written into these rows of a whole table is what they get. Other random numbers
are made from seed, id and column alone: Paddle's own depend on all that were drawn before.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from paddle_compat.core import distributions
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.engines import Minstd, Words
from paddle_compat.core.errors import UnsupportedError

FirstRows = Callable[[torch.Tensor], torch.Tensor]
_FRACTION = 53  # bits of a float64


def first_rows(type_: str, attrs: Mapping[str, Any], width: int, name: str = "") -> FirstRows:
    """What an operator that fills a table would write into some of its rows.

    Args:
        type_: of the operator: `uniform_random`, `gaussian_random`, `truncated_gaussian_random`, `fill_constant` or `assign_value`.
        attrs: the operator's.
        width: of a row.
        name: the table's, which takes the place of a seed that is 0.
    Returns:
        A function of ids (n), that gives rows (n, width).
    Raises:
        UnsupportedError: the operator is another one.
    """
    dtype, seed = torch_dtype(attrs.get("dtype", VarType.FP32)), int(attrs.get("seed", 0))
    if type_ == "fill_constant":
        return constant_rows(width, float(attrs.get("value", 0.0)), dtype)
    if type_ == "assign_value":
        values = next(value for key, value in attrs.items() if key.endswith("_values") and value)
        return torch.tensor(list(values), dtype=dtype).view(-1, width).__getitem__
    own = seed or zlib.crc32(name.encode())
    if type_ == "uniform_random" and not attrs.get("diag_num"):
        low, high = float(attrs.get("min", -1.0)), float(attrs.get("max", 1.0))
        if seed and attrs.get("_engine") == "minstd":
            return _seeded_rows(width, low, high, seed, dtype)
        return uniform_rows(width, low, high, own, dtype)
    if type_ in ("gaussian_random", "truncated_gaussian_random"):
        within = math.inf if type_ == "gaussian_random" else 2.0
        return normal_rows(width, float(attrs.get("mean", 0.0)), float(attrs.get("std", 1.0)), own, within, dtype)
    raise UnsupportedError("is_distributed=True", f"the initializer's operator `{type_}`", "Uniform, Normal, Xavier, MSRA or Constant")


def constant_rows(width: int, value: float, dtype: torch.dtype = torch.float32) -> FirstRows:
    """Rows of one number."""
    return lambda ids: torch.full((len(ids), width), value, dtype=dtype)


def uniform_rows(width: int, low: float, high: float, seed: int, dtype: torch.dtype = torch.float32) -> FirstRows:
    """Rows of numbers in [low, high)."""
    return lambda ids: torch.from_numpy(low + (high - low) * _fractions(ids, width, seed)).to(dtype)


def normal_rows(width: int, mean: float, std: float, seed: int, within: float = math.inf, dtype: torch.dtype = torch.float32) -> FirstRows:
    """Rows of normally distributed numbers.

    Args:
        within: so many standard deviations of the mean.
    """
    share = math.erf(within / math.sqrt(2))

    def initial(ids: torch.Tensor) -> torch.Tensor:
        between = torch.from_numpy(_fractions(ids, width, seed) * 2 - 1 + 2.0**-_FRACTION).mul_(share)  # never -1 or 1
        return between.erfinv_().mul_(math.sqrt(2) * std).add_(mean).to(dtype)

    return initial


def _seeded_rows(width: int, low: float, high: float, seed: int, dtype: torch.dtype) -> FirstRows:
    """The rows that Paddle 1.8 fills a whole table with: its engine can be asked for any of its numbers."""
    precision, each = (np.float64, 2) if dtype == torch.float64 else (np.float32, 1)
    low, high = float(np.float32(low)), float(np.float32(high))

    def initial(ids: torch.Tensor) -> torch.Tensor:
        places = ids.numpy().astype(np.uint64) * np.uint64(width * each)
        drawn = _Drawn(Minstd(seed).rows(places, width * each).reshape(-1))
        return torch.from_numpy(distributions.uniform(drawn, len(ids) * width, low, high, precision)).view(-1, width).to(dtype)

    return initial


class _Drawn(Minstd):
    """Words that were drawn already."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words

    def take(self, count: int) -> Words:
        taken, self.words = self.words[:count], self.words[count:]
        return taken


def _fractions(ids: torch.Tensor, width: int, seed: int) -> np.ndarray:
    """Uniform numbers in [0, 1), float64, (n, width): seed, id and column, well mixed."""
    with np.errstate(over="ignore"):
        columns = np.arange(width, dtype=np.uint64)
        mixed = ids.numpy().astype(np.uint64)[:, None] * np.uint64(width) + columns + np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64
            mixed += np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(64 - _FRACTION)).astype(np.float64) / (1 << _FRACTION))
