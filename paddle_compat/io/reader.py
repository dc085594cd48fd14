"""`DataLoader`: batches of a dataset's samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.place import Place, current_place, place_of_name
from paddle_compat.core.tensor import Tensor
from paddle_compat.io.dataloader.batch_sampler import BatchSampler, _InfiniteIterableSampler
from paddle_compat.io.dataloader.dataloader_iter import _DataLoaderIterMultiProcess, _DataLoaderIterSingleProcess, _DatasetKind
from paddle_compat.io.dataloader.dataset import IterableDataset

_said: dict[str, bool] = {"keep_data_loader_order": True}


def say_or_ask(switch: str, args: tuple[bool, ...]) -> bool | None:
    """Set a switch of the loaders where a bool is given; what was said last where nothing is."""
    if not args:
        return _said.get(switch)
    if len(args) != 1 or not isinstance(args[0], bool):
        raise failed_assertion("args", "one bool", args, switch)
    _said[switch] = args[0]
    return None


def use_pinned_memory(*args: bool) -> bool | None:
    """Say whether the loaders made from now on use page-locked memory on the way to a GPU, or ask what was said.

    Args:
        args: a bool, or nothing to ask.
    Returns:
        bool | None: what was said; None: nothing was.
    Raises:
        AssertionError: it is no bool.

    Example:
        >>> from paddle_compat.io.reader import use_pinned_memory
        >>> print(use_pinned_memory())
        None

    Follows Paddle 2.6.
    """
    return say_or_ask("use_pinned_memory", args)


def _convert_places(places: Any) -> list[Place]:
    """Places from one or several Places or device names."""
    if not isinstance(places, (list, tuple)):
        places = [places]
    return [place_of_name(place, "places", "DataLoader") for place in places]


class DataLoader:
    """Reads a dataset in batches, here or in worker processes.

    Args:
        dataset (Dataset|IterableDataset): what is read.
        feed_list (list): in static mode, the Variables that the fields of a sample are for.
        places (Place|str|list): where the Tensors go; None: the current device. In static mode one batch goes to each of several.
        return_list (bool): a batch is a list of its fields; False, in static mode only: a list of dicts, one for each place.
        batch_sampler (BatchSampler): what gives the indices of each batch.
        batch_size (int): without batch_sampler, the samples of a batch; None: the dataset gives batches itself.
        shuffle (bool): without batch_sampler, whether samples come at random.
        drop_last (bool): without batch_sampler, leave out the last batch where it is smaller.
        collate_fn (callable): makes a batch of a list of samples; None: stacks each field.
        num_workers (int): how many processes read; 0: this one does.
        use_buffer_reader (bool): of no effect: batches are copied to a GPU while the last is worked on.
        prefetch_factor (int): how many batches each worker reads ahead.
        use_shared_memory (bool): whether batches come from the workers through shared memory.
        timeout (int): of no effect, as in Paddle: a worker may take its time, and one that is gone is seen at once.
        worker_init_fn (callable): called in each worker with its number.
        persistent_workers (bool): whether the workers stay after a pass.
        reader_buffer_size: of no effect: what is ready waits in the workers.

    Raises:
        AssertionError: a number is negative, arguments exclude each other, or feed_list is missing.
        ValueError: shuffle or batch_sampler is given for an IterableDataset.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> class Rows(paddle.io.Dataset):
        ...     def __getitem__(self, index):
        ...         return np.full(2, index, "float32"), index
        ...     def __len__(self):
        ...         return 3
        >>> loader = paddle.io.DataLoader(Rows(), batch_size=2)
        >>> [(x.shape, y.tolist()) for x, y in loader]
        [([2, 2], [0, 1]), ([1, 2], [2])]
        >>> len(loader)
        2

    Follows Paddle 2.6.
    """

    _wrap: type = Tensor  # what eager batches are made of
    _nested = False  # without workers, Paddle 1.8 gives a list for each place in static mode, also where there is one only

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Any = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        persistent_workers: bool = False,
        reader_buffer_size: int = 2,
    ) -> None:
        self.return_list = return_list
        self.collate_fn = collate_fn
        self.use_buffer_reader = use_buffer_reader
        self.prefetch_factor = prefetch_factor
        self.reader_buffer_size = reader_buffer_size
        self.worker_init_fn = worker_init_fn
        self.dataset = dataset
        if not return_list and not in_dygraph_mode() and feed_list is None:
            raise self._wrong("feed_list", "the Variables that are fed, with return_list=False", feed_list)
        self.feed_list = feed_list
        self.places = _convert_places(current_place() if places is None else places)
        for name, value, least in (("num_workers", num_workers, 0), ("prefetch_factor", prefetch_factor, 1), ("timeout", timeout, 0)):
            if value < least:
                raise self._wrong(name, "a positive value" if least else "a non-negative value", value)
        self.num_workers = num_workers
        self.use_shared_memory = use_shared_memory and num_workers > 0
        self.timeout = timeout
        self.dataset_kind = _DatasetKind.ITER if isinstance(dataset, IterableDataset) else _DatasetKind.MAP
        if self.dataset_kind == _DatasetKind.ITER:
            if shuffle:
                raise ValueError(f"IterableDataset not support shuffle, but got shuffle={shuffle}. Expected False for `DataLoader`")
            if batch_sampler is not None:
                raise ValueError(
                    f"IterableDataset expect unspecified batch_sampler, but got batch_sampler={batch_sampler!r}. Expected None"
                )
        self.batch_sampler, self.batch_size = self._sampler(batch_sampler, batch_size, shuffle, drop_last)
        self.drop_last = drop_last
        self.auto_collate_batch = self.batch_sampler is not None
        self.pin_memory = in_dygraph_mode() and use_pinned_memory() is not False
        self._persistent_workers = persistent_workers
        self._iterator: _DataLoaderIterMultiProcess | None = None

    def _sampler(self, batch_sampler: Any, batch_size: Any, shuffle: bool, drop_last: bool) -> tuple[Any, int | None]:
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or drop_last:
                given = f"batch_size={batch_size}, shuffle={shuffle}, drop_last={drop_last}"
                raise self._wrong("batch_sampler", "batch_size/shuffle/drop_last not set when batch_sampler is given", given)
            return batch_sampler, None
        if batch_size is None:
            return None, None
        if batch_size <= 0:
            raise self._wrong("batch_size", "None or a positive value when batch_sampler is not given", batch_size)
        if self.dataset_kind == _DatasetKind.ITER:
            return _InfiniteIterableSampler(self.dataset, batch_size), batch_size
        return BatchSampler(self.dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last), batch_size

    @staticmethod
    def _wrong(name: str, expected: str, received: Any) -> AssertionError:
        return failed_assertion(name, expected, received, "DataLoader")

    def __len__(self) -> int:
        if self.dataset_kind == _DatasetKind.ITER:
            raise ValueError(
                "length of IterableDataset not supported. Expected a DataLoader of a dataset with a length. Received: "
                + type(self.dataset).__name__
            )
        return len(self.batch_sampler if self.auto_collate_batch else self.dataset)

    def __iter__(self) -> Iterator[Any]:
        if self.num_workers == 0:
            return _DataLoaderIterSingleProcess(self)
        if not self._persistent_workers:
            return _DataLoaderIterMultiProcess(self)
        if self._iterator is None or self._iterator.ended:
            self._iterator = _DataLoaderIterMultiProcess(self)
        else:
            self._iterator._reset()
        return self._iterator

    def __call__(self) -> Iterator[Any]:
        return self.__iter__()

    @staticmethod
    def from_generator(
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
        drop_last: bool = True,
    ) -> Any:
        """A loader whose batches a generator makes, set by `set_batch_generator` and its like.

        Args:
            feed_list (list): in static mode, the Variables that are fed.
            capacity (int): how many batches a thread reads ahead.
            use_double_buffer (bool): of no effect.
            iterable (bool): False, in static mode: the Program itself reads, between `start` and `reset`.
            return_list (bool): in static mode, batches are lists of lists, one for each place; else of dicts.
            use_multiprocess (bool): in eager mode, whether a process of its own runs the generator.
            drop_last (bool): leave out the last batches where they are too few for all places.
        Returns:
            The loader.
        Raises:
            ValueError: there is no capacity.

        Example:
            >>> import numpy as np, paddle_compat as paddle
            >>> loader = paddle.io.DataLoader.from_generator(capacity=2)
            >>> loader = loader.set_sample_generator(lambda: ([np.full(2, i, "float32"), i] for i in range(3)), batch_size=2)
            >>> [(x.shape, y.tolist()) for x, y in loader]
            [([2, 2], [0, 1])]

        Follows Paddle 2.0 to 2.4, the last that had it.
        """
        from paddle_compat.base.reader import from_generator

        return from_generator(feed_list, capacity, use_double_buffer, iterable, return_list, use_multiprocess, drop_last)

    @staticmethod
    def from_dataset(dataset: Any, places: Any, drop_last: bool = True) -> Any:
        """A loader over a dataset of files, for Programs that are run batch by batch.

        Args:
            dataset (DatasetBase): an InMemoryDataset or a QueueDataset.
            places (list): where batches go: each round gives a dict of name and LoDTensor for every place.
            drop_last (bool): leave out batches that are smaller, and a last round that has not one for each place.
        Returns:
            The loader.
        Raises:
            AssertionError: it is no such dataset.
            TypeError: the places are no list.

        Example:
            >>> import tempfile, numpy as np, paddle_compat as paddle
            >>> paddle.enable_static()
            >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            ...     x = paddle.static.data("x", [None, 2])
            >>> dataset = paddle.distributed.QueueDataset()
            >>> dataset.init(batch_size=2, use_var=[x])
            >>> with tempfile.NamedTemporaryFile("w") as file:
            ...     print("2 1 2", "2 3 4", "2 5 6", sep="\\n", file=file, flush=True)
            ...     dataset.set_filelist([file.name])
            ...     for feed, in paddle.io.DataLoader.from_dataset(dataset, [paddle.CPUPlace()], drop_last=False):
            ...         print(np.array(feed["x"]).tolist())
            [[1.0, 2.0], [3.0, 4.0]]
            [[5.0, 6.0]]
            >>> paddle.disable_static()

        Follows Paddle 2.0 to 2.4, the last that had it.
        """
        from paddle_compat.base.dataset_loader import DatasetLoader

        return DatasetLoader(dataset, places, drop_last)


__all__ = ["DataLoader"]

__getattr__ = missing(__name__)
