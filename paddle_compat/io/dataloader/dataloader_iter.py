"""One pass over a loader's batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.io.dataloader import _values
from paddle_compat.io.dataloader._fetcher import DatasetKind as _DatasetKind
from paddle_compat.io.dataloader._fetcher import Fetcher
from paddle_compat.io.dataloader.batch_sampler import _InfiniteIterableSampler
from paddle_compat.io.dataloader.collate import collate, default_collate_fn, default_convert_fn, is_leaf, restructured
from paddle_compat.io.dataloader.worker import _worker_loop

if TYPE_CHECKING:
    from paddle_compat.io.reader import DataLoader


def _collate_function(loader: DataLoader, stack: Callable[[Any], Any]) -> Callable[[Any], Any]:
    if loader.collate_fn is not None and loader.collate_fn is not default_collate_fn:
        return loader.collate_fn
    if loader.auto_collate_batch or loader.collate_fn is not None:
        return lambda batch: collate(batch, stack)
    return default_convert_fn


def _index_sampler(loader: DataLoader) -> Any:
    """What gives the indices of each batch, or of each sample where there are no batches."""
    if loader.auto_collate_batch:
        return loader.batch_sampler
    if loader.dataset_kind == _DatasetKind.ITER:
        return _InfiniteIterableSampler(loader.dataset, 1)
    return range(len(loader.dataset))


def _flat(batch: Any) -> list[torch.Tensor]:
    """The tensors of a batch, in order."""
    found: list[torch.Tensor] = []
    restructured(batch, found.append)
    return found


class _DataLoaderIterBase:
    """An iterator over batches, which subclasses read with `_read`, as a structure of arrays and torch tensors."""

    def __init__(self, loader: DataLoader) -> None:
        self._static = not in_dygraph_mode()
        self._names = None if loader.return_list or not self._static else [var.name for var in loader.feed_list or ()]
        self._places = loader.places
        self._nested = loader._nested and not loader.num_workers
        self._batch_sampler = loader.batch_sampler
        self._wrap = loader._wrap
        self.dataset = self._dataset = loader.dataset
        self._use_shared_memory = loader.use_shared_memory

    def _read(self) -> Any:
        raise StopIteration

    def __iter__(self) -> Iterator[Any]:
        return self

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __next__(self) -> Any:
        if not self._static:
            return self._placed(self._read(), self._places[0], self._wrap)
        # one batch for each place; what is left over at the end is not enough for all
        batches = [self._read() for _ in self._places]
        if self._names is None:
            lists = [self._placed(batch, place, LoDTensor) for batch, place in zip(batches, self._places)]
            return lists[0] if len(lists) == 1 and not self._nested else lists
        names = self._names
        return [
            {name: self._placed(value, place, LoDTensor) for name, value in zip(names, _flat(batch))}
            for batch, place in zip(batches, self._places)
        ]

    def _placed(self, batch: Any, place: Any, wrap: type) -> Any:
        device = place.torch_device
        on_cpu = device.type == "cpu"

        def leaf(value: Any) -> Any:
            tensor = _values.tensor_of(value)
            return wrap(tensor if on_cpu else tensor.to(device, non_blocking=True))

        return leaf(batch) if is_leaf(batch) else restructured(batch, leaf)


class _DataLoaderIterSingleProcess(_DataLoaderIterBase):
    """Batches that this process reads when they are asked for."""

    def __init__(self, loader: DataLoader) -> None:
        super().__init__(loader)
        iterable = loader.dataset_kind == _DatasetKind.ITER
        function = _collate_function(loader, _values.stacked)
        # a stacked batch is nobody else's; what others made may change again
        self._leaf = _values.tensor_of if loader.collate_fn is None and loader.auto_collate_batch else _values.copied
        self._fetcher = Fetcher(loader.dataset, loader.auto_collate_batch, function, loader.drop_last, iterable)
        self._indices = iter(_index_sampler(loader))

    def _read(self) -> Any:
        return restructured(self._fetcher.fetch(next(self._indices)), self._leaf)


class _DataLoaderIterMultiProcess(_DataLoaderIterBase):
    """Batches that worker processes read ahead."""

    def __init__(self, loader: DataLoader) -> None:
        from paddle_compat.io.dataloader._processes import Workers

        super().__init__(loader)
        iterable = loader.dataset_kind == _DatasetKind.ITER
        shared = loader.use_shared_memory
        function = _collate_function(loader, _values.stacked_for_sending if shared else _values.stacked)
        dataset, collated, drop_last = loader.dataset, loader.auto_collate_batch, loader.drop_last
        self._workers = Workers(
            loader,
            lambda: Fetcher(dataset, collated, function, drop_last, iterable),
            None if iterable else _index_sampler(loader),
            _values.for_sending if shared else _values.pickled,
            pin=loader.pin_memory and self._places[0].torch_device.type == "cuda",
            persistent=loader._persistent_workers,
        )

    def _read(self) -> Any:
        return self._workers.next()

    @property
    def ended(self) -> bool:
        """Whether the processes are gone: a worker failed."""
        return self._workers.ended

    @property
    def _data_queue(self) -> Any:
        return self._workers.results

    @property
    def _workers_done_event(self) -> Any:
        return self._workers.done

    def _worker_loop(
        self, dataset: Any, indices_queue: Any, out_queue: Any, done_event: Any, collate_fn: Any, init_fn: Any, worker_id: int
    ) -> None:
        """Paddle 1.8's way to the loop of a worker, for harnesses."""
        shared = self._use_shared_memory
        _worker_loop(
            dataset, _DatasetKind.MAP, indices_queue, out_queue, done_event, True, collate_fn, False, init_fn, worker_id, worker_id + 1,
            shared, 0,
        )  # fmt: skip

    def _reset(self) -> None:
        self._workers.rewind()


__all__ = ["default_collate_fn", "default_convert_fn"]

__getattr__ = missing(__name__)
