"""`DataLoader.from_dataset`: the batches of a dataset of files as feeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base._loader_base import DataLoaderBase
from paddle_compat.base.dataset import DatasetBase
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.engine.sample_files import Readers, in_turn
from paddle_compat.io.reader import _convert_places


class DatasetLoader(DataLoaderBase):
    """Gives the batches of a dataset, one for each place at a time.

    Args:
        dataset (DatasetBase): an InMemoryDataset or a QueueDataset.
        places (list): where batches go.
        drop_last (bool): leave out batches that are smaller, and a last round that has not one for each place.
    Raises:
        AssertionError: it is no such dataset.
        TypeError: the places are no list.

    Example:
        >>> import paddle_compat as paddle
        >>> loader = paddle.base.dataset_loader.DatasetLoader(paddle.distributed.InMemoryDataset(), [paddle.CPUPlace()], True)
        >>> list(loader())
        []

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, dataset: Any, places: Any, drop_last: bool) -> None:
        if not isinstance(dataset, DatasetBase):
            raise failed_assertion("dataset", "an InMemoryDataset or a QueueDataset", dataset, "DataLoader.from_dataset")
        if not isinstance(places, (list, tuple)):
            raise type_error("places", "a list of places", places, "DataLoader.from_dataset")
        self._dataset, self._places, self._drop_last = dataset, _convert_places(places), drop_last
        self._rounds: Iterator[list[dict[str, LoDTensor]]] | None = None

    def __iter__(self) -> Iterator[list[dict[str, LoDTensor]]]:
        self._rounds = self._read()
        return self

    def __next__(self) -> list[dict[str, LoDTensor]]:
        if self._rounds is None:
            raise StopIteration
        return next(self._rounds)

    def _read(self) -> Iterator[list[dict[str, LoDTensor]]]:
        size = self._dataset.proto_desc.batch_size
        found: list[dict[str, LoDTensor]] = []
        with Readers() as readers:
            for _, samples, feed in in_turn(self._dataset._streams(readers, 1)):
                if samples < size and self._drop_last:
                    continue
                device = self._places[len(found)].torch_device
                found.append({name: _on(device, value) for name, value in feed.items()})
                if len(found) == len(self._places):
                    yield found
                    found = []
        if found and not self._drop_last:
            yield found


def _on(device: torch.device, value: Any) -> LoDTensor:
    tensor, lod = (value._tensor(), value.lod_) if isinstance(value, LoDTensor) else (torch.from_numpy(value), None)
    return LoDTensor(tensor.to(device), lod)


__all__: list[str] = []

__getattr__ = missing(__name__)
