"""`paddle.fluid.data_feeder`: from samples in Python to what an Executor is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.variable import Variable


def _tensor(var: Variable, samples: list[Any], place: Any) -> LoDTensor:
    """The samples of one Variable as one tensor."""
    lengths: list[list[int]] = [[] for _ in range(var.lod_level)]
    rows: list[Any] = []

    def take(data: Any, level: int) -> None:
        if level == var.lod_level:
            rows.append(data)
            return
        lengths[level].append(len(data))
        for item in data:
            take(item, level + 1)

    for sample in samples:
        take(sample, 0)
    array = np.array(rows, dtype=dtype_name(var.dtype))
    shape = list(var.shape)
    # a shape of several unknown dimensions says nothing
    if shape and sum(d < 0 for d in shape) <= 1 and array.ndim != len(shape):
        try:
            array = array.reshape(shape)
        except ValueError as error:
            raise ValueError(f"Invalid samples for `{var.name}`. Expected shape {shape}. Received: {list(array.shape)}") from error
    tensor = LoDTensor()
    tensor.set(array, place)
    if lengths:
        tensor.set_recursive_sequence_lengths(lengths)
    return tensor


class DataFeeder:
    """Makes the `feed` of an Executor from samples.

    Args:
        feed_list: the Variables that are fed, or their names.
        place: where the tensors go.
        program: where names are looked up; None: the default main program.

    Raises:
        TypeError: feed_list holds something else.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1], "int64")
        ...     feeder = fluid.DataFeeder([x, y], fluid.CPUPlace())
        >>> feeder.feed([([1.0, 2.0], 3), ([4.0, 5.0], 6)])["y"].shape()
        [2, 1]

    Follows Paddle 1.8.
    """

    def __init__(self, feed_list: Any, place: Any, program: Program | None = None) -> None:
        block = (program or default_main_program()).block(0)
        found = []
        for var in feed_list:
            var = block.var(var) if isinstance(var, str) else var
            if not isinstance(var, Variable):
                raise type_error("feed_list", "Variables or names", var, "DataFeeder")
            if var.type == VarType.RAW:
                raise type_error("feed_list", "Variables of tensors", var, "DataFeeder")
            found.append(var)
        self._variables = found
        self.feed_names = [var.name for var in found]
        self.feed_shapes = [var.shape for var in found]
        self.feed_dtypes = [var.dtype for var in found]
        self.feed_lod_level = [var.lod_level for var in found]
        self.place = place

    def feed(self, iterable: Iterable[Any]) -> dict[str, LoDTensor]:
        """The feed of one batch.

        Args:
            iterable: samples, each with one item for each Variable; of a Variable with LoD a list for each level.
        Returns:
            Name -> tensor.
        Raises:
            AssertionError: a sample has another number of items.
        """
        columns: list[list[Any]] = [[] for _ in self._variables]
        for sample in iterable:
            if len(sample) != len(columns):
                raise AssertionError(f"Invalid sample. Expected {len(columns)} items, {self.feed_names}. Received: {len(sample)}")
            for column, item in zip(columns, sample):
                column.append(item)
        return {var.name: _tensor(var, column, self.place) for var, column in zip(self._variables, columns)}

    def _places(self, num_places: int | None) -> list[Any]:
        from paddle_compat.static.places import cpu_places, cuda_places

        on_gpu = type(self.place).__name__ == "CUDAPlace"
        if num_places is None:
            return cuda_places() if on_gpu else cpu_places()
        return cuda_places(range(num_places)) if on_gpu and num_places <= torch.cuda.device_count() else cpu_places(num_places)

    def feed_parallel(self, iterable: Iterable[Any], num_places: int | None = None) -> Iterator[dict[str, LoDTensor]]:
        """The feeds of several devices.

        Args:
            iterable: a batch for each device.
            num_places: how many devices; None: all.
        Returns:
            A feed for each.
        Raises:
            ValueError: there are more or fewer batches than devices.
        """
        batches, places = list(iterable), self._places(num_places)
        if len(batches) != len(places):
            raise ValueError(f"Invalid batches for `feed_parallel`. Expected {len(places)}, one for each device. Received: {len(batches)}")
        for batch, place in zip(batches, places):
            feeder = DataFeeder.__new__(DataFeeder)
            feeder.__dict__.update(self.__dict__, place=place)
            yield feeder.feed(batch)

    def decorate_reader(
        self, reader: Callable[[], Iterable[Any]], multi_devices: bool, num_places: int | None = None, drop_last: bool = True
    ) -> Callable[[], Iterator[Any]]:
        """A reader of feeds from a reader of batches.

        Args:
            reader: gives batches.
            multi_devices: a list of feeds, one for each device, at a time.
            num_places: how many devices; None: all.
            drop_last: leave out the last batches when they are too few for all devices.
        Returns:
            A function that gives feeds.
        Raises:
            ValueError: the last batches are too few, and drop_last is False.
        """

        def single() -> Iterator[Any]:
            return (self.feed(batch) for batch in reader())

        def several() -> Iterator[Any]:
            count = len(self._places(num_places))
            held: list[Any] = []
            for batch in reader():
                held.append(batch)
                if len(held) == count:
                    yield list(self.feed_parallel(held, num_places))
                    held = []
            if held and not drop_last:
                raise ValueError(
                    f"Invalid reader for `decorate_reader`. Expected a multiple of {count} batches. "
                    f"Received: {len(held)} left over"
                )

        return several if multi_devices else single


__all__ = ["DataFeeder"]

__getattr__ = missing(__name__)
