"""Readers as operators of a Program: `py_reader` and its kin."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat.base import reader as generators
from paddle_compat.base._blocking_queue import LoDTensorBlockingQueue
from paddle_compat.core import mode, unique_name
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.engine.readers import Source
from paddle_compat.reader.decorator import buffered

_Reader = Callable[[], Iterable[Any]]


class _Control:
    """What the methods of a reader's Variable do."""

    def __init__(self, capacity: int, fields: list[Any], feed_list: list[Variable] | None) -> None:
        self.capacity = capacity
        self.fields = fields
        self.feed_list = feed_list
        self.source = Source()
        self.batches: _Reader | None = None
        self.queue = LoDTensorBlockingQueue(capacity)
        self.source.batches = self.queue

    def set_batches(self, reader: _Reader) -> None:
        self.batches, self.source.batches = reader, None

    def set_sample_lists(self, reader: _Reader) -> None:
        variables = self.feed_list
        if variables is None:
            from paddle_compat.fluid.layers.io import data

            with program_guard(Program(), Program()):
                variables = [data(str(i), list(f[0]), dtype=f[1], lod_level=f[2]) for i, f in enumerate(self.fields)]
        self.set_batches(generators.fed_batches(reader, variables))

    def start(self) -> None:
        if self.batches is None:
            raise TypeError("The reader has no source. Expected a call of `decorate_paddle_reader` or its like before. Received: none")
        batches = self.batches
        self.source.batches = buffered(lambda: ([generators._lod_tensor(i) for i in items] for items in batches()), self.capacity)()

    def reset(self) -> None:
        former, self.source.batches = self.source.batches, None
        if former is not None:
            former.close()  # type: ignore[attr-defined]
        self.queue._reopen()
        if self.batches is None:
            self.source.batches = self.queue


def _with_methods(var: Variable, control: _Control) -> Variable:
    var.__dict__.update(
        start=control.start, reset=control.reset, decorate_tensor_provider=control.set_batches,
        decorate_paddle_reader=control.set_sample_lists, decorate_batch_generator=control.set_batches,
        decorate_sample_list_generator=control.set_sample_lists, _control=control, queue=control.queue,
    )  # fmt: skip
    return var


def _make(capacity: int, fields: list[Any], name: str | None, use_double_buffer: bool, feed_list: list[Variable] | None) -> Variable:
    if mode.settle_static():
        default_main_program().age = default_startup_program().age = 1
    if name is None:
        names = [unique_name.generate(key) for key in ("lod_tensor_blocking_queue", "create_py_reader", "double_buffer")]
    else:
        names = [f"{name}_{part}" for part in ("queue", "reader", "double_buffer")]
    control = _Control(capacity, fields, feed_list)
    made = generators.create_reader(default_startup_program(), control.source, names[0], names[1], fields)
    reader = _with_methods(generators.copied_reader(default_main_program().current_block(), made), control)
    return double_buffer(reader, name=names[2]) if use_double_buffer else reader


def py_reader(
    capacity: int, shapes: Any, dtypes: Any, lod_levels: Any = None, name: str | None = None, use_double_buffer: bool = True
) -> Variable:
    """A reader in the Program, which a Python generator fills.

    Args:
        capacity: how many batches a thread reads ahead.
        shapes, dtypes, lod_levels: of each field of a batch; no levels: 0 for each.
        name: what the names of the reader's variables begin with.
        use_double_buffer: whether an operator is written that stands for a buffer.
    Returns:
        The reader's Variable, with `decorate_paddle_reader` (of lists of samples), `decorate_batch_generator` (of batches), `start` and
        `reset`.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     reader = fluid.layers.py_reader(4, [[-1, 2], [-1, 1]], ["float32", "int64"])
        ...     x, y = fluid.layers.read_file(reader)
        >>> reader.decorate_paddle_reader(lambda: iter([[([1.0, 2.0], 3), ([4.0, 5.0], 6)]]))
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> exe.run(startup); reader.start(); exe.run(main, fetch_list=[y])
        []
        [array([[3],
               [6]])]

    Follows Paddle 1.8.
    """
    logging.warning("fluid.layers.py_reader() may be deprecated. Please use fluid.io.DataLoader.from_generator() instead.")
    levels = [0] * len(shapes) if lod_levels is None else lod_levels
    fields = [(tuple(shape), convert_dtype(dtype), level, 0) for shape, dtype, level in zip(shapes, dtypes, levels)]
    return _make(capacity, fields, name, use_double_buffer, None)


def create_py_reader_by_data(capacity: int, feed_list: list[Variable], name: str | None = None, use_double_buffer: bool = True) -> Variable:
    """A reader in the Program like `py_reader`, for fields like those of Variables.

    Args:
        capacity: how many batches a thread reads ahead.
        feed_list: the Variables.
        name: what the names of the reader's variables begin with.
        use_double_buffer: whether an operator is written that stands for a buffer.
    Returns:
        The reader's Variable; see `py_reader`.
    Raises:
        TypeError: feed_list is no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     reader = fluid.layers.create_py_reader_by_data(4, [fluid.data("x", [None, 2])])
        ...     fluid.layers.read_file(reader).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    logging.warning("fluid.layers.create_py_reader_by_data() may be deprecated. Please use fluid.io.DataLoader.from_generator() instead.")
    if not isinstance(feed_list, list):
        raise type_error("feed_list", "a list of Variables", feed_list, "create_py_reader_by_data")
    return _make(capacity, [generators.field_of(var) for var in feed_list], name, use_double_buffer, feed_list)


def double_buffer(reader: Variable, place: Any = None, name: str | None = None) -> Variable:
    """Write an operator that stands for a buffer on the device.

    Args:
        reader: a reader's Variable.
        place: the device.
        name: the name of the new reader's Variable.
    Returns:
        The Variable of a reader of the same batches.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     reader = fluid.layers.py_reader(4, [[-1, 2]], ["float32"], use_double_buffer=False)
        ...     fluid.layers.double_buffer(reader, name="buffer").name
        'buffer'

    Follows Paddle 1.8.
    """
    found = name if name is not None else unique_name.generate("create_double_buffer_reader")
    var = generators.double_buffered(reader, found, "AUTO" if place is None else str(place).upper())
    return _with_methods(var, reader.__dict__["_control"])


def read_file(reader: Variable) -> Any:
    """Write the operator that reads a batch.

    Args:
        reader: a reader's Variable.
    Returns:
        The Variable of the one field, or a list of the fields' Variables.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     reader = fluid.layers.py_reader(4, [[-1, 2], [-1, 1]], ["float32", "int64"])
        ...     [var.shape for var in fluid.layers.read_file(reader)]
        [(-1, 2), (-1, 1)]

    Follows Paddle 1.8.
    """
    helper = LayerHelper("read_file", age=1)
    block = default_main_program().current_block()
    outs = []
    for shape, dtype, lod_level, _ in reader.__dict__["_fields"]:
        name = unique_name.generate(f"{helper.name}.tmp")
        outs.append(block._add_var(name=name, shape=shape, dtype=dtype, lod_level=lod_level, stop_gradient=True))
    generators.append_read(reader, outs)
    return outs[0] if len(outs) == 1 else outs
