"""`paddle.io.dataloader.fetcher`: what reads the samples of a batch, for harnesses that read them themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.io.dataloader._fetcher import Fetcher as _DatasetFetcher


class _MapDatasetFetcher(_DatasetFetcher):
    """Reads a Dataset by indices."""

    def __init__(self, dataset: Any, auto_collate_batch: bool, collate_fn: Callable[[Any], Any], drop_last: bool) -> None:
        super().__init__(dataset, auto_collate_batch, collate_fn, drop_last, iterable=False)


class _IterableDatasetFetcher(_DatasetFetcher):
    """Reads an IterableDataset, as many samples as there are indices."""

    def __init__(self, dataset: Any, auto_collate_batch: bool, collate_fn: Callable[[Any], Any], drop_last: bool) -> None:
        super().__init__(dataset, auto_collate_batch, collate_fn, drop_last, iterable=True)


__all__: list[str] = []

__getattr__ = missing(__name__)
