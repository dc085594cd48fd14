"""Which ids a table takes in: entries of `paddle.distributed`, as their text in Programs says.

An id that is not taken in yet has no row: it reads as zeros, and gradients for it count for nothing. A trainer asks for an id once in a
step, however often the step has it. Paddle 2.6.2 writes entries into Programs, and its servers pass over them; this is what they are
documented to do.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Protocol

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.engine.row_index import Index, reserved


class Entry(Protocol):
    """What decides which new ids get rows."""

    def admit(self, ids: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Which of some ids without rows, which differ, get one now.

        Args:
            ids: (n), each once.
            times: how often each was asked for.
        Returns:
            (n), of bool.
        """
        ...

    def state(self) -> dict[str, torch.Tensor]:
        """What it remembers, for a snapshot."""
        ...

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Take up what `state` gave."""
        ...


class CountFilter:
    """An id is taken in when it was asked for often enough; 8 bytes and a slot are kept for each that was not yet.

    Args:
        least: how often.
        height: ids are smaller than it.
    """

    def __init__(self, least: int, height: int) -> None:
        self.least = least
        most = min(height, (1 << 31) - 1)
        self.index, self.counts = Index(most, height - 1), reserved(most, dtype=torch.int32).numpy()

    def admit(self, ids: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Count, and say who has come often enough."""
        where = self.index.find(ids)
        new = where < 0
        where[new] = self.index.add(ids[new])
        self.counts[where] += times.astype(np.int32)
        return np.asarray(self.counts[where] >= self.least)

    def state(self) -> dict[str, torch.Tensor]:
        """How often ids were asked for."""
        count = self.index.count
        return {"ids": torch.from_numpy(self.index.keys[:count].astype(np.int64)), "counts": torch.from_numpy(self.counts[:count])}

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Go on counting."""
        self.counts[self.index.add(state["ids"].numpy())] = state["counts"].numpy()


class Probability:
    """An id is taken in, each time that it is asked for, with some probability: frequent ones are, sooner or later.

    Args:
        share: the probability.
        seed: of the draws.
    """

    def __init__(self, share: float, seed: int = 0) -> None:
        self.share, self.random = share, np.random.default_rng(seed)

    def admit(self, ids: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Draw for each id, as often as it was asked for."""
        return np.asarray(self.random.random(len(ids)) < 1 - (1 - self.share) ** times)

    def state(self) -> dict[str, torch.Tensor]:
        """Nothing is remembered of ids."""
        return {}

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Nothing was."""


def entry_of(text: str, height: int, name: str = "") -> Entry | None:
    """The entry that an operator's attribute `entry` names.

    Args:
        text: "none", "count_filter_entry:10", "probability_entry:0.1" or "show_click_entry:show:click".
        height: of the table.
        name: of the table; seeds draws.
    Raises:
        InvalidArgumentError: there is no such entry.
    """
    kind, _, value = text.partition(":")
    if kind in ("none", "", "show_click_entry"):  # that of shows and clicks keeps no id out
        return None
    if kind == "count_filter_entry":
        return CountFilter(int(value), height)
    if kind == "probability_entry":
        return Probability(float(value), zlib.crc32(name.encode()))
    raise InvalidArgumentError(f"Invalid value for attribute `entry`. Expected one of paddle.distributed. Received: {text!r}")
