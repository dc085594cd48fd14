"""`paddle.fluid.reader`: loaders of data, from datasets and from generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base import reader as generators
from paddle_compat.base.reader import (  # noqa: F401 - harnesses ask here
    CleanupFuncRegistrar,
    DataLoaderBase,
    DatasetLoader,
    DygraphGeneratorLoader,
    GeneratorLoader,
    _cleanup,
    _convert_places,
    _set_SIGCHLD_handler,
    keep_data_loader_order,
    multiprocess_queue_set,
)
from paddle_compat.core.mode import in_dygraph_mode, settle_by_imports, settle_static
from paddle_compat.core.tensor import Tensor
from paddle_compat.fluid.dataloader.batch_sampler import BatchSampler
from paddle_compat.fluid.dataloader.dataloader_iter import (  # noqa: F401 - harnesses ask here
    _DataLoaderIterMultiProcess,
    _DataLoaderIterSingleProcess,
    default_collate_fn,
)
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.io import reader as loaders
from paddle_compat.io.dataloader.batch_sampler import DistributedBatchSampler
from paddle_compat.io.dataloader.dataset import Dataset


def _value_class() -> type:
    """What batches are made of in dygraph mode: values that go by Paddle 1.8's rules, in its scripts."""
    if not _eager.first_age():
        return Tensor
    from paddle_compat.fluid.dygraph._varbase import VarBase  # a static script loads none of it

    return VarBase


class DataLoader(loaders.DataLoader):
    """Reads a dataset in batches, here or in worker processes.

    Args:
        dataset (Dataset): what is read.
        feed_list (list): the Variables that the fields of a sample are for.
        places (Place|list): where the data go.
        return_list (bool): a batch is a list of its fields for each place; else, in static mode, a dict for each place.
        batch_sampler (BatchSampler): what gives the indices of each batch.
        batch_size (int): without batch_sampler, the samples of a batch.
        shuffle (bool): without batch_sampler, whether samples come at random.
        drop_last (bool): without batch_sampler, leave out the last batch where it is smaller.
        collate_fn (callable): makes a list of arrays of a list of samples; None: stacks each field.
        num_workers (int): how many processes read; 0: this one does.
        use_buffer_reader (bool): of no effect.
        use_shared_memory (bool): whether batches come from the workers through shared memory.
        timeout (int): of no effect.
        worker_init_fn (callable): called in each worker with its number.
        persistent_workers (bool), prefetch_factor (int): as of `paddle.io.DataLoader`.

    Raises:
        AssertionError: an argument is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> class Rows(fluid.dataloader.Dataset):
        ...     def __getitem__(self, index):
        ...         return np.full(2, index, "float32"), np.array([index])
        ...     def __len__(self):
        ...         return 3
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main):
        ...     x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
        ...     total = fluid.layers.reduce_sum(x)
        >>> loader = fluid.io.DataLoader(Rows(), [x, y], fluid.cpu_places(1), batch_size=2)
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> [exe.run(main, feed=batch, fetch_list=[total])[0].item() for batch in loader]
        [2.0, 4.0]

    Follows Paddle 1.8.
    """

    _nested = True

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = False,
        batch_sampler: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        persistent_workers: bool = False,
        prefetch_factor: int = 2,
    ) -> None:
        settle_by_imports()
        settle_static()
        later = in_dygraph_mode() and not _eager.first_age()
        return_list = return_list or later
        if not isinstance(dataset, Dataset):
            raise self._wrong("dataset", "a Dataset", dataset)
        if places is None and not later:
            raise self._wrong("places", "places", places)
        if in_dygraph_mode() and not later and isinstance(places, (list, tuple)) and len(places) != 1:
            raise self._wrong("places", "one place in dygraph mode", places)
        if batch_sampler is not None and not isinstance(batch_sampler, (BatchSampler, DistributedBatchSampler)):
            raise self._wrong("batch_sampler", "a BatchSampler", batch_sampler)
        if batch_sampler is None:
            if batch_size is None or batch_size <= 0:
                raise self._wrong("batch_size", "a positive value where there is no batch_sampler", batch_size)
            batch_sampler = BatchSampler(dataset, None, shuffle, batch_size, drop_last)
        elif batch_size != 1 or shuffle or drop_last:
            given = f"batch_size={batch_size}, shuffle={shuffle}, drop_last={drop_last}"
            raise self._wrong("batch_sampler", "batch_size/shuffle/drop_last not set when batch_sampler is given", given)
        super().__init__(
            dataset, feed_list, places, return_list, batch_sampler, collate_fn=collate_fn or default_collate_fn, num_workers=num_workers,
            use_buffer_reader=use_buffer_reader, use_shared_memory=use_shared_memory, timeout=timeout, worker_init_fn=worker_init_fn,
            persistent_workers=persistent_workers, prefetch_factor=prefetch_factor,
        )  # fmt: skip
        if in_dygraph_mode():
            self._wrap = _value_class()

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
            feed_list (list): the Variables that are fed.
            capacity (int): how many batches a thread reads ahead.
            use_double_buffer (bool): of no effect.
            iterable (bool): False: the Program itself reads, between `start` and `reset`.
            return_list (bool): batches are lists, one for each place; else dicts.
            use_multiprocess (bool): in dygraph mode, whether a process of its own runs the generator.
            drop_last (bool): leave out the last batches where they are too few for all places.
        Returns:
            The loader.
        Raises:
            ValueError: there is no capacity.
            Exception: there is no feed_list in static mode.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> main = fluid.Program()
            >>> with fluid.program_guard(main):
            ...     x = fluid.data("x", [None, 2])
            ...     loader = fluid.io.DataLoader.from_generator([x], capacity=2, iterable=False)
            ...     total = fluid.layers.reduce_sum(x)
            >>> loader = loader.set_batch_generator(lambda: ([np.full((1, 2), i, "float32")] for i in range(2)))
            >>> exe = fluid.Executor(fluid.CPUPlace())
            >>> loader.start()
            >>> while True:
            ...     try:
            ...         print(exe.run(main, fetch_list=[total]))
            ...     except fluid.core.EOFException:
            ...         loader.reset()
            ...         break
            [array([0.], dtype=float32)]
            [array([2.], dtype=float32)]

        Follows Paddle 1.8.
        """
        settle_by_imports()
        settle_static()
        loader = generators.from_generator(feed_list, capacity, use_double_buffer, iterable, return_list, use_multiprocess, drop_last)
        if in_dygraph_mode():
            loader._wrap = _value_class()
        return loader


class PyReader(generators.PyReader):
    """A loader whose batches a generator makes.

    Args:
        feed_list (list): the Variables that are fed.
        capacity (int): how many batches a thread reads ahead.
        use_double_buffer (bool): of no effect.
        iterable (bool): False: the Program itself reads, between `start` and `reset`.
        return_list (bool): batches are lists, one for each place; else dicts.

    Raises:
        ValueError: there is no capacity.
        Exception: there is no feed_list in static mode.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> x = fluid.data("x", [None, 2])
        >>> reader = fluid.io.PyReader([x], capacity=2)
        >>> reader.decorate_sample_generator(lambda: ([np.full(2, i)] for i in range(4)), 2, places=fluid.cpu_places(1))
        >>> [batch[0]["x"].shape() for batch in reader()]
        [[2, 2], [2, 2]]
        >>> reader.decorate_sample_list_generator(lambda: iter([[([1, 2],)]]), fluid.cpu_places(1))
        >>> [np.array(batch[0]["x"]).tolist() for batch in reader()]
        [[[1.0, 2.0]]]
        >>> reader.decorate_batch_generator(lambda: iter([[np.ones((3, 2), "float32")]]), fluid.cpu_places(1))
        >>> reader.iterable, [batch[0]["x"].shape() for batch in reader()]
        (True, [[3, 2]])

    Follows Paddle 1.8.
    """

    _make = staticmethod(DataLoader.from_generator)


__all__ = ["DataLoader", "PyReader", "default_collate_fn", "keep_data_loader_order"]

__getattr__ = missing(__name__)
