"""From samples in Python to what an Executor is fed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.variable import Variable


def put_together(dtype: str, sizes: Sequence[int], lod_level: int, samples: list[Any], place: Any, name: str = "") -> LoDTensor:
    """The samples of one variable, which may have a name, as one tensor."""
    lengths: list[list[int]] = [[] for _ in range(lod_level)]
    rows: list[Any] = []

    def take(data: Any, level: int) -> None:
        if level == lod_level:
            rows.append(data)
            return
        lengths[level].append(len(data))
        for item in data:
            take(item, level + 1)

    for sample in samples:
        take(sample, 0)
    array = np.array(rows, dtype=dtype)
    shape = list(sizes)
    # a shape of several unknown dimensions says nothing
    if shape and sum(d < 0 for d in shape) <= 1 and array.ndim != len(shape):
        try:
            array = array.reshape(shape)
        except ValueError as error:
            whose = name and f" for `{name}`"
            raise ValueError(f"Invalid samples{whose}. Expected shape {shape}. Received: {list(array.shape)}") from error
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
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x, y = paddle.static.data("x", [None, 2]), paddle.static.data("y", [None, 1], "int64")
        >>> feeder = paddle.base.DataFeeder([x, y], paddle.CPUPlace())
        >>> feeder.feed([([1.0, 2.0], 3), ([4.0, 5.0], 6)])["y"].shape()
        [2, 1]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
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
        return {
            var.name: put_together(dtype_name(var.dtype), var.shape, var.lod_level, column, self.place, var.name)
            for var, column in zip(self._variables, columns)
        }
