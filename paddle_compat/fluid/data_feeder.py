"""`paddle.fluid.data_feeder`: from samples in Python to what an Executor is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base import _feeds
from paddle_compat.base.data_feeder import check_dtype, check_type, check_variable_and_dtype, convert_dtype
from paddle_compat.core.lod import LoDTensor


class DataToLoDTensorConverter:
    """Puts the samples of one variable together, one after the other.

    Args:
        place: where the tensor goes.
        lod_level (int): how many levels of lists a sample has.
        shape (Sequence[int]): of the variable; one unknown dimension, the first, counts samples.
        dtype: of the variable, or its name.

    Raises:
        ValueError: there is no such data type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> converter = fluid.data_feeder.DataToLoDTensorConverter(fluid.CPUPlace(), 1, [-1, 1], "int64")
        >>> converter.feed([1, 2, 3]); converter.feed([4])
        >>> tensor = converter.done()
        >>> tensor.shape(), tensor.recursive_sequence_lengths()
        ([4, 1], [[3, 1]])

    Follows Paddle 1.8.
    """

    def __init__(self, place: Any, lod_level: int, shape: Sequence[int], dtype: Any) -> None:
        self.place, self.lod_level, self.shape = place, lod_level, tuple(shape)
        self.dtype = convert_dtype(dtype)
        self._samples: list[Any] = []

    def feed(self, data: Any) -> None:
        """Take a sample.

        Args:
            data: a number, a list or an array; with LoD a list for each level.
        """
        self._samples.append(data)

    def done(self) -> LoDTensor:
        """The tensor of what was taken, which is forgotten.

        Returns:
            LoDTensor.
        Raises:
            ValueError: samples do not have the shape.
        """
        samples, self._samples = self._samples, []
        return _feeds.put_together(self.dtype, self.shape, self.lod_level, samples, self.place)


class DataFeeder(_feeds.DataFeeder):
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

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     feeder = fluid.DataFeeder([fluid.data("x", [None, 2])], fluid.CPUPlace())
            >>> batches = [[(np.ones(2, "float32"),)], [(np.zeros(2, "float32"),)]]
            >>> [feed["x"].shape() for feed in feeder.feed_parallel(batches, 2)]
            [[1, 2], [1, 2]]
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

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     feeder = fluid.DataFeeder([fluid.data("x", [None, 2])], fluid.CPUPlace())
            >>> reader = feeder.decorate_reader(lambda: [[(np.ones(2, "float32"),)]], multi_devices=False)
            >>> [feed["x"].shape() for feed in reader()]
            [[1, 2]]
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


__all__ = ["DataFeeder", "DataToLoDTensorConverter", "check_dtype", "check_type", "check_variable_and_dtype", "convert_dtype"]

__getattr__ = missing(__name__)
