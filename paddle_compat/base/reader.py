"""Loaders whose batches a user's generator makes: `DataLoader.from_generator` and `PyReader`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base._feeds import DataFeeder
from paddle_compat.base._loader_base import DataLoaderBase
from paddle_compat.base.dataset_loader import DatasetLoader as DatasetLoader
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.place import CPUPlace, current_place
from paddle_compat.core.program import Program, default_main_program, program_guard
from paddle_compat.core.scope import global_scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.unique_name import UniqueNameGenerator
from paddle_compat.core.variable import Variable
from paddle_compat.engine.readers import Source, killed
from paddle_compat.io.dataloader._values import copied
from paddle_compat.io.dataloader.dataset import IterableDataset
from paddle_compat.io.multiprocess_utils import (  # noqa: F401 - harnesses ask here
    CleanupFuncRegistrar,
    _cleanup,
    _set_SIGCHLD_handler,
    multiprocess_queue_set,
)
from paddle_compat.io.reader import DataLoader as _DataLoader
from paddle_compat.io.reader import _convert_places, say_or_ask
from paddle_compat.io.reader import use_pinned_memory as use_pinned_memory
from paddle_compat.reader._batch import batch
from paddle_compat.reader.decorator import buffered

_Reader = Callable[[], Iterable[Any]]
# of its own, as in Paddle: a guard around other names does not begin these anew
_names = UniqueNameGenerator()


def _array(item: Any) -> np.ndarray:
    """Data of a batch as one array."""
    try:
        array = np.asarray(item)
    except ValueError:
        array = np.asarray(None)
    if array.dtype == object:
        raise TypeError(
            "Failed to convert input data to a regular ndarray. Expected numbers, or lists of one length. Received: "
            f"{item!r:.80}. Use fluid.create_lod_tensor for sequences of different lengths"
        )
    return array


def _lod_tensor(item: Any) -> LoDTensor:
    if isinstance(item, LoDTensor):
        return item
    return LoDTensor(copied(item if isinstance(item, Tensor) else _array(item)))


def _on(tensor: LoDTensor, place: Any) -> LoDTensor:
    device = place.torch_device
    return tensor if device.type == "cpu" else LoDTensor(tensor._tensor().to(device, non_blocking=True), tensor.lod_)


class _GeneratorLoader(DataLoaderBase):
    """What all loaders over generators do: subclasses say what a batch becomes.

    Args:
        capacity: how many batches a thread reads ahead.
    """

    _asks_for_places = False  # static mode does, where it iterates

    def __init__(self, capacity: int | None, iterable: bool) -> None:
        if not capacity:
            raise ValueError("Please give value to capacity. Expected a positive int. Received: " + repr(capacity))
        self._capacity = capacity
        self._iterable = iterable
        self._reader: _Reader | None = None
        self._places: list[Any] = [CPUPlace()]
        self._batches: Iterator[Any] | None = None

    @property
    def iterable(self) -> bool:
        """Whether it gives batches itself; else a Program reads them."""
        return self._iterable

    @property
    def queue(self) -> Any:
        """What holds the batches that were read ahead."""
        return self._batches

    def set_batch_generator(self, reader: _Reader, places: Any = None) -> Any:
        """Say what gives the batches.

        Args:
            reader: a function that gives batches, each a list of arrays.
            places: where the data go.
        Returns:
            The loader.
        """
        self._reader = reader
        if self._iterable:
            if places is None and self._asks_for_places:
                raise failed_assertion("places", "places of an iterable loader", places, "set_batch_generator")
            self._places = _convert_places(current_place() if places is None else places)
        return self

    def set_sample_generator(self, reader: _Reader, batch_size: int, drop_last: bool = True, places: Any = None) -> Any:
        """Say what gives the samples.

        Args:
            reader: a function that gives samples, each a list with an item for each field.
            batch_size: how many make a batch.
            drop_last: leave out a last, smaller batch.
            places: where the data go.
        Returns:
            The loader.
        """
        if batch_size <= 0:
            raise failed_assertion("batch_size", "a number larger than 0", batch_size, "set_sample_generator")
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: _Reader, places: Any = None) -> Any:
        """Say what gives lists of samples.

        Args:
            reader: a function that gives lists of samples.
            places: where the data go.
        Returns:
            The loader.
        """
        return self.set_batch_generator(self._batches_of(reader), places)

    def _batches_of(self, reader: _Reader) -> _Reader:
        """A reader of batches from one of lists of samples."""
        return lambda: ([list(field) for field in zip(*samples)] for samples in reader())

    def _batch_reader(self) -> Iterator[list[LoDTensor]]:
        """The batches as what a process sends."""
        for items in self._check_source()():
            if not isinstance(items, (list, tuple)):
                raise invalid_argument("reader", "batches that are lists or tuples", items, "DataLoader.from_generator")
            yield [_lod_tensor(item) for item in items]

    def _check_source(self) -> _Reader:
        if self._reader is None:
            raise failed_assertion("reader", "a source set before, by set_batch_generator or its like", None, "DataLoader")
        return self._reader

    def _check_iterable(self, expected: bool, what: str) -> None:
        if self._iterable is not expected:
            raise failed_assertion("iterable", f"{expected} where {what}", self._iterable, "DataLoader")

    def _stop(self) -> None:
        batches, self._batches = self._batches, None
        if batches is not None:
            batches.close()  # type: ignore[attr-defined]


class DygraphGeneratorLoader(_GeneratorLoader):
    """`from_generator` in eager mode: batches are lists of Tensors."""

    _wrap: type = Tensor

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = True,
        use_multiprocess: bool = False,
    ) -> None:
        super().__init__(capacity, True)
        for given, what in ((iterable, "iterable mode"), (return_list, "return as list")):
            if not given:
                logging.warning("Please NOTE: imperative mode can support %s only. Change to %s.", what, what)
        self._use_multiprocess = use_multiprocess
        self._data_queue: Any = None

    def _reader_process_loop(self) -> None:
        _reader_process_loop(self._batch_reader, self._data_queue)

    def set_batch_generator(self, reader: _Reader, places: Any = None) -> Any:
        """Say what gives the batches.

        Args:
            reader: a function that gives batches, each a list of arrays.
            places: where the data go: one place.
        Returns:
            The loader.
        Raises:
            AssertionError: there are several places.
        """
        if isinstance(places, (list, tuple)) and len(places) != 1:
            raise failed_assertion("places", "one place in dynamic graph mode", places, "set_batch_generator")
        return super().set_batch_generator(reader, places)

    def __iter__(self) -> Iterator[Any]:
        reader, self._batches = self._check_source(), None

        class Batches(IterableDataset):
            def __iter__(self) -> Iterator[Any]:
                return ([_field(item) for item in items] for items in reader())

        if self._use_multiprocess:
            loader = _DataLoader(Batches(), places=self._places[0], batch_size=None, num_workers=1)
            loader._wrap = self._wrap
            self._batches = iter(loader)
        else:
            self._batches = self._here(buffered(Batches().__iter__, self._capacity)())
        return self

    def _here(self, batches: Iterator[Any]) -> Iterator[Any]:
        device = self._places[0].torch_device
        for items in batches:
            yield [self._wrap(copied(item).to(device)) for item in items]

    def __next__(self) -> Any:
        if self._batches is None:
            raise StopIteration
        try:
            return next(self._batches)
        except StopIteration:
            self._batches = None
            raise
        except Exception as error:
            self._batches = None
            raise (error if self._use_multiprocess else killed(error)) from error


def _reader_process_loop(batch_reader: _Reader, data_queue: Any) -> None:
    """Send all batches, and then None: what Paddle's process of a generator does, for harnesses that run it themselves."""
    for tensors in batch_reader():
        data_queue.put(tensors)
    data_queue.put(None)


def _field(item: Any) -> Any:
    if isinstance(item, LoDTensor):
        return Tensor(item._tensor())
    return item if isinstance(item, Tensor) else _array(item)


class GeneratorLoader(_GeneratorLoader):
    """`from_generator` in static mode: batches are fed by the caller or, not iterable, read by operators of the Program."""

    _asks_for_places = True

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        drop_last: bool = True,
    ) -> None:
        super().__init__(capacity, iterable)
        if not feed_list:
            raise Exception(f"Feed list must be given under static mode. Expected Variables. Received: {feed_list!r}")
        self._feed_list = list(feed_list)
        self._return_list = return_list
        self._drop_last = drop_last
        self._source = Source()
        if not iterable:
            names = [_names(key) for key in ("lod_tensor_blocking_queue", "create_py_reader", "double_buffer")]
            reader = create_reader(default_main_program(), self._source, names[0], names[1], [field_of(v) for v in self._feed_list])
            if use_double_buffer:
                reader = double_buffered(reader, names[2])
            append_read(reader, self._feed_list, drop_last)

    def _batches_of(self, reader: _Reader) -> _Reader:
        return fed_batches(reader, self._feed_list)

    def _tensors(self) -> Iterator[list[LoDTensor]]:
        return ([_lod_tensor(item) for item in items] for items in self._check_source()())

    def __iter__(self) -> Iterator[Any]:
        self._check_iterable(True, "it is iterated")
        self._check_source()
        self._stop()
        self._batches = buffered(self._tensors, self._capacity)()
        return self

    def __next__(self) -> Any:
        group: list[list[LoDTensor]] = []
        try:
            for _ in self._places:
                if self._batches is None:
                    raise StopIteration
                group.append(next(self._batches))
        except StopIteration:
            self._batches = None
            if self._drop_last or not group:
                raise
        except Exception as error:
            self._batches = None
            raise killed(error) from error
        for tensors in group:
            if len(tensors) != len(self._feed_list):
                names = [var.name for var in self._feed_list]
                raise invalid_argument("reader", f"batches of {len(names)} arrays, {names}", len(tensors), "DataLoader.from_generator")
        placed = [[_on(tensor, place) for tensor in tensors] for tensors, place in zip(group, self._places)]
        if self._return_list:
            return placed
        return [{var.name: tensor for var, tensor in zip(self._feed_list, tensors)} for tensors in placed]

    def start(self) -> None:
        """Begin a pass, where a Program reads."""
        self._check_iterable(False, "start() is called")
        self._check_source()
        self._source.batches = buffered(self._tensors, self._capacity)()

    def reset(self) -> None:
        """End a pass, where a Program reads."""
        self._check_iterable(False, "reset() is called")
        self._batches, self._source.batches = self._source.batches, None
        self._stop()


def fed_batches(reader: _Reader, variables: list[Variable]) -> _Reader:
    """A reader of batches, as tensors for these Variables, from one of lists of samples."""
    with program_guard(Program(), Program()):
        feeder = DataFeeder(variables, CPUPlace())

    def read() -> Iterator[list[LoDTensor]]:
        for samples in reader():
            fed = feeder.feed(samples)
            yield [fed[var.name] for var in variables]

    return read


# ---- operators that read
def field_of(var: Variable) -> tuple[tuple[int, ...], Any, int, int]:
    """What a reader's operator knows of a Variable: shape, data type, sequence levels, and whether feeds are checked."""
    return tuple(var.shape), var.dtype, var.lod_level, int(var.need_check_feed)


def create_reader(program: Program, source: Source, queue: str, name: str, fields: list[Any]) -> Variable:
    """Write the operator that makes a reader, and give the reader's Variable; the source lies in the global scope."""
    block = program.current_block()
    var = _reader_variable(block, name, fields)
    global_scope().var(queue)
    attrs = {
        "shape_concat": [d for field in fields for d in field[0]], "ranks": [len(field[0]) for field in fields],
        "lod_levels": [field[2] for field in fields], "dtypes": [int(field[1]) for field in fields],
        "need_check_feed": [field[3] for field in fields], "device_count": 1, "device_index": 0, "use_data_config": True,
    }  # fmt: skip
    block.append_op(type="create_py_reader", inputs={"blocking_queue": [queue]}, outputs={"Out": [var]}, attrs=attrs)
    global_scope().var(name).other = source
    return var


def _reader_variable(block: Any, name: str, fields: list[Any]) -> Variable:
    var: Variable = block._add_var(name=name, type=VarType.READER, persistable=True, stop_gradient=True)
    var.__dict__["_fields"] = fields
    return var


def copied_reader(block: Any, var: Variable) -> Variable:
    """The Variable of a reader in another block."""
    return _reader_variable(block, var.name, var.__dict__["_fields"])


def double_buffered(reader: Variable, name: str, place: str = "AUTO") -> Variable:
    """Write the operator that would buffer a reader, and give the Variable of the buffered one, which is the reader."""
    block = default_main_program().current_block()
    var = _reader_variable(block, name, reader.__dict__["_fields"])
    outputs, attrs = {"Out": [var]}, {"place": place}
    block.append_op(type="create_double_buffer_reader", inputs={"UnderlyingReader": [reader]}, outputs=outputs, attrs=attrs)
    global_scope().var(name).other = global_scope().var(reader.name).other
    return var


def append_read(reader: Variable, outs: list[Variable], drop_last: bool = True) -> None:
    """Write the operator that reads."""
    attrs = {"drop_last": drop_last, "throw_eof_exp": True, "infer_out": True}
    default_main_program().current_block().append_op(type="read", inputs={"Reader": [reader]}, outputs={"Out": outs}, attrs=attrs)


# ---- the public ways in
def from_generator(
    feed_list: Any = None,
    capacity: int | None = None,
    use_double_buffer: bool = True,
    iterable: bool = True,
    return_list: bool = False,
    use_multiprocess: bool = False,
    drop_last: bool = True,
) -> Any:
    """The loader for the current mode."""
    if in_dygraph_mode():
        return DygraphGeneratorLoader(feed_list, capacity, use_double_buffer, iterable, return_list, use_multiprocess)
    return GeneratorLoader(feed_list, capacity, use_double_buffer, iterable, return_list, drop_last)


class DataLoader:
    """The way to loaders whose batches a generator makes; `paddle.io.DataLoader` reads datasets.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> loader = paddle.base.io.DataLoader.from_generator(capacity=2)
        >>> [x.shape for x, in loader.set_batch_generator(lambda: iter([[np.ones((3, 2), "float32")]]))]
        [[3, 2]]

    Follows Paddle 2.6.
    """

    from_generator = staticmethod(_DataLoader.from_generator)
    from_dataset = staticmethod(_DataLoader.from_dataset)


class PyReader(DataLoaderBase):
    """A loader whose batches a generator makes.

    Args:
        feed_list (list): in static mode, the Variables that are fed.
        capacity (int): how many batches a thread reads ahead.
        use_double_buffer (bool): of no effect.
        iterable (bool): False, in static mode: the Program itself reads, between `start` and `reset`.
        return_list (bool): in static mode, batches are lists of lists, one for each place; else of dicts.

    Raises:
        ValueError: there is no capacity.
        Exception: there is no feed_list in static mode.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> reader = paddle.base.io.PyReader(capacity=2)
        >>> reader.decorate_sample_generator(lambda: ([np.full(2, i)] for i in range(4)), 2, places=paddle.CPUPlace())
        >>> [x.shape for x, in reader()]
        [[2, 2], [2, 2]]
        >>> reader.decorate_sample_list_generator(lambda: iter([[([1, 2],)]]), paddle.CPUPlace())
        >>> [x.tolist() for x, in reader()]
        [[[1, 2]]]
        >>> reader.decorate_batch_generator(lambda: iter([[np.ones((3, 2), "float32")]]), paddle.CPUPlace())
        >>> reader.iterable, [x.shape for x, in reader()]
        (True, [[3, 2]])

    Follows Paddle 2.6.
    """

    _make = staticmethod(_DataLoader.from_generator)

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
    ) -> None:
        self._loader = self._make(feed_list, capacity, use_double_buffer, iterable, return_list)

    @property
    def queue(self) -> Any:
        """What holds the batches that were read ahead."""
        return self._loader.queue

    @property
    def iterable(self) -> bool:
        """Whether it gives batches itself; else a Program reads them."""
        return bool(self._loader.iterable)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._loader)

    def __next__(self) -> Any:
        return next(self._loader)

    def start(self) -> None:
        """Begin a pass, where a Program reads.

        Raises:
            AssertionError: the reader is iterable.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> reader = fluid.io.PyReader([fluid.data("x", [None])], capacity=2, iterable=False)
            >>> reader.decorate_batch_generator(lambda: iter([[np.ones(3, "float32")]]))
            >>> reader.start(); fluid.Executor(fluid.CPUPlace()).run(fetch_list=["x"])
            [array([1., 1., 1.], dtype=float32)]
        """
        self._need_program("start")
        self._loader.start()

    def reset(self) -> None:
        """End a pass, where a Program reads.

        Raises:
            AssertionError: the reader is iterable.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> reader = fluid.io.PyReader([fluid.data("x", [None])], capacity=2, iterable=False)
            >>> reader.reset()
        """
        self._need_program("reset")
        self._loader.reset()

    def _need_program(self, what: str) -> None:
        if self.iterable:
            raise failed_assertion("iterable", f"False where {what}() is called", True, "PyReader")

    def decorate_sample_generator(self, sample_generator: _Reader, batch_size: int, drop_last: bool = True, places: Any = None) -> None:
        """Say what gives the samples.

        Args:
            sample_generator: a function that gives samples, each a list with an item for each Variable.
            batch_size: how many make a batch.
            drop_last: leave out a last, smaller batch.
            places: where the data go.
        """
        self._loader.set_sample_generator(sample_generator, batch_size, drop_last, places)

    def decorate_sample_list_generator(self, reader: _Reader, places: Any = None) -> None:
        """Say what gives lists of samples.

        Args:
            reader: a function that gives lists of samples.
            places: where the data go.
        """
        self._loader.set_sample_list_generator(reader, places)

    def decorate_batch_generator(self, reader: _Reader, places: Any = None) -> None:
        """Say what gives the batches.

        Args:
            reader: a function that gives batches, each a list of arrays.
            places: where the data go.
        """
        self._loader.set_batch_generator(reader, places)


def keep_data_loader_order(*args: bool) -> bool | None:
    """Set or ask whether batches come in the order in which they are read: here they always do.

    Args:
        *args (bool): kept, and without effect; nothing: ask.
    Returns:
        What was set last, where nothing is given.
    Raises:
        AssertionError: this is no bool.

    Example:
        >>> from paddle_compat.base.reader import keep_data_loader_order
        >>> keep_data_loader_order()
        True

    Follows Paddle 1.8 and 2.6.
    """
    return say_or_ask("keep_data_loader_order", args)


__all__: list[str] = []

__getattr__ = missing(__name__)
