"""Tensors as byte streams: the files that Paddle's `save`, `save_combine`, `load` and `load_combine` operators share.

A LoD tensor is a u32 version (0), a u64 count of levels, each level as its size in bytes and its u64 offsets, and a
plain tensor: a u32 version (0), an i32 size and that many bytes of TensorDesc, and the raw elements. A SelectedRows is
a u32 version, a u64 count of rows, their i64 numbers, the i64 height and a plain tensor of the rows. A combined file
is LoD tensors one after another, in sorted order of names that it does not hold.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

import torch

from paddle_compat.core.dtype import convert_dtype, torch_dtype
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.proto import decode, encode, file_error
from paddle_compat.core.stand_ins import is_stand_in

_MOST_LEVELS = 1 << 16
_PIECE = 1 << 20


def write_pieces(write: Callable[[Any], Any], data: memoryview) -> None:
    """Write bytes a MiB at a time: for one large write the kernel looks for large pages, which may take ten times as long."""
    for start in range(0, len(data), _PIECE):
        write(data[start : start + _PIECE])


def write_tensor(out: BinaryIO, value: LoDTensor) -> None:
    """Write a tensor with its LoD, or a SelectedRows (a sparse tensor) with its rows.

    Args:
        out: a binary stream.
        value: the tensor; a sparse COO one of a single sparse dimension is a SelectedRows.

    Raises:
        RuntimeError: the tensor holds no value, or is a table that lives on parameter servers.
    """
    tensor = value._tensor().detach()
    if is_stand_in(tensor):
        raise RuntimeError(
            f"Expected a tensor that is here. Received: a table of shape {list(tensor.shape)} that lives on parameter servers. "
            "Save it by fluid.io.save_persistables of a trainer's Program"
        )
    if tensor.is_sparse:
        rows = tensor._indices()[0].cpu()
        out.write(struct.pack("<IQ", 0, rows.numel()))
        write_pieces(out.write, _elements(rows))
        out.write(struct.pack("<q", tensor.shape[0]))
        _write_dense(out, tensor._values())
        return
    lod = value.lod_ or ()
    out.write(struct.pack("<IQ", 0, len(lod)))
    for level in lod:
        out.write(struct.pack("<Q", level.numel() * 8))
        write_pieces(out.write, _elements(level.to(torch.int64)))
    _write_dense(out, tensor)


def read_tensor(reader: Reader) -> LoDTensor:
    """Read a tensor with its LoD.

    Args:
        reader: stands at the tensor, and afterwards behind it.

    Returns:
        The tensor, on the CPU.

    Raises:
        InvalidArgumentError: the file is truncated or holds something else; names file, offset and what belongs there.
    """
    reader.version("a LoD tensor")
    start = reader.offset
    count = reader.number("<Q", "the count of LoD levels")
    if count > _MOST_LEVELS:
        raise reader.error(start, "a LoD tensor's count of levels", str(count))
    lod: list[torch.Tensor] = []
    for depth in range(count):
        size = reader.number("<Q", f"the size of LoD level {depth}")
        lod.append(reader.elements(size // 8, torch.int64, f"the offsets of LoD level {depth}"))
    return LoDTensor(_read_dense(reader), tuple(lod) or None)


def read_selected_rows(reader: Reader) -> LoDTensor:
    """Read a SelectedRows as a sparse tensor of one sparse dimension.

    Args:
        reader: stands at the value, and afterwards behind it.

    Returns:
        The sparse tensor; rows that the file repeats are repeated there.

    Raises:
        InvalidArgumentError: the file is truncated or holds something else; names file, offset and what belongs there.
    """
    reader.version("a SelectedRows")
    count = reader.number("<Q", "the count of rows")
    rows = reader.elements(count, torch.int64, "the row numbers")
    start = reader.offset
    height = reader.number("<q", "the height of a SelectedRows")
    values = _read_dense(reader)
    inside = count == 0 or 0 <= int(rows.min()) <= int(rows.max()) < height
    if values.dim() == 0 or values.shape[0] != count or not inside or not _countable([height, *values.shape[1:]]):
        found = f"rows {rows.tolist()} of values of shape {list(values.shape)}"
        raise reader.error(start, f"{count} rows of a SelectedRows of height {height}", found)
    return LoDTensor(torch.sparse_coo_tensor(rows[None], values, (height, *values.shape[1:]), check_invariants=False))


def read_part(reader: Reader, start: int, shape: Sequence[int]) -> LoDTensor:
    """Read some elements of a tensor without LoD.

    Args:
        reader: stands at the tensor, and afterwards behind the elements.
        start: the first of them, counted over the whole tensor.
        shape: what shape they are to have.

    Raises:
        InvalidArgumentError: the file is truncated or holds something else; names file, offset and what belongs there.
    """
    reader.version("a LoD tensor")
    reader.number("<Q", "the count of LoD levels")
    dtype, _ = _read_description(reader)
    reader.take(start * dtype.itemsize, "a tensor's elements")
    return LoDTensor(reader.elements(math.prod(shape), dtype, "a tensor's elements").view(list(shape)))


class Reader:
    """Reads values off a binary stream of known size; every error names the stream and the offset."""

    def __init__(self, stream: BinaryIO, source: str | None = None) -> None:
        self.stream = stream
        self.source = str(source or getattr(stream, "name", "<bytes>"))
        self.offset = stream.tell()
        self.size = stream.seek(0, os.SEEK_END)
        stream.seek(self.offset)

    @property
    def left(self) -> int:
        """How many bytes are still to be read."""
        return self.size - self.offset

    def error(self, offset: int, expected: str, received: str) -> ValueError:
        """Make the error for what stands at an offset."""
        return file_error(self.source, offset, expected, received)

    def take(self, size: int, what: str) -> bytes:
        """Read that many bytes."""
        self._need(size, what)
        self.offset += size
        return self.stream.read(size)

    def number(self, layout: str, what: str) -> int:
        """Read one integer of a `struct` layout."""
        (value,) = struct.unpack(layout, self.take(struct.calcsize(layout), what))
        return value

    def version(self, what: str) -> None:
        """Read a version number, of which there is only 0."""
        start = self.offset
        found = self.number("<I", f"{what} of version 0")
        if found:
            raise self.error(start, f"{what} of version 0", f"version {found}")

    def elements(self, count: int, dtype: torch.dtype, what: str) -> torch.Tensor:
        """Read raw elements into a new 1-D tensor."""
        size = count * dtype.itemsize
        self._need(size, what)
        values = torch.empty(count, dtype=dtype)
        if size:
            self.stream.readinto(_raw(values))  # type: ignore[attr-defined]
        self.offset += size
        return values

    def _need(self, size: int, what: str) -> None:
        if size < 0 or size > self.left:
            raise self.error(self.offset, f"{size} bytes of {what}", f"{self.left} bytes before the end of the file")


def _elements(tensor: torch.Tensor) -> memoryview:
    flat = tensor.detach().cpu().resolve_conj().contiguous().reshape(-1)
    return _raw(flat) if flat.numel() else memoryview(b"")


def _raw(flat: torch.Tensor) -> memoryview:
    return memoryview(flat.view(torch.uint8).numpy())  # type: ignore[arg-type]


def _write_dense(out: BinaryIO, tensor: torch.Tensor) -> None:
    desc = encode({"data_type": int(convert_dtype(tensor.dtype)), "dims": list(tensor.shape)}, "TensorDesc")
    out.write(struct.pack("<Ii", 0, len(desc)))
    out.write(desc)
    write_pieces(out.write, _elements(tensor))


def _read_dense(reader: Reader) -> torch.Tensor:
    dtype, dims = _read_description(reader)
    return reader.elements(math.prod(dims), dtype, "a tensor's elements").view(dims)


def _read_description(reader: Reader) -> tuple[torch.dtype, list[int]]:
    """Data type and dimensions of the elements that follow."""
    reader.version("a tensor")
    size = reader.number("<i", "the size of a tensor's description")
    start = reader.offset
    desc = decode(reader.take(size, "a tensor's description"), "TensorDesc", reader.source, start)
    try:
        dtype = torch_dtype(desc["data_type"])
    except TypeError:
        raise reader.error(start, "the number of a data type", str(desc["data_type"])) from None
    dims = desc.get("dims", [])
    if not _countable(dims):
        raise reader.error(start, "dimensions of a tensor", str(dims))
    return dtype, dims


def _countable(dims: Sequence[int]) -> bool:
    """Whether torch can count the elements of a tensor of these dimensions, empty ones left aside."""
    return all(dim >= 0 for dim in dims) and math.prod(dim or 1 for dim in dims) < 1 << 60


def write_combined(out: BinaryIO, values: Iterable[LoDTensor]) -> None:
    """Write tensors one after another; readers expect them in the sorted order of their names.

    Args:
        out: a binary stream.
        values: the tensors, in that order.
    """
    for value in values:
        write_tensor(out, value)


def read_combined(reader: Reader, names: Iterable[str]) -> dict[str, LoDTensor]:
    """Read a combined file, which holds one tensor for each name and nothing more.

    Args:
        reader: stands at the first tensor.
        names: the names of the tensors; they are taken in sorted order.

    Returns:
        The tensors by name.

    Raises:
        InvalidArgumentError: the file is truncated, holds something else, or more or fewer tensors than names.

    Example:
        >>> import io
        >>> stream = io.BytesIO()
        >>> write_combined(stream, [LoDTensor(torch.ones(2))])
        >>> _ = stream.seek(0)
        >>> read_combined(Reader(stream), ["w"])["w"].shape()
        [2]
    """
    found: dict[str, LoDTensor] = {}
    for name in sorted(names):
        if not reader.left:
            raise reader.error(reader.offset, f"the tensor `{name}`", f"the end of the file after {len(found)} tensors")
        found[name] = read_tensor(reader)
    if reader.left:
        expected = f"the end of the file after {len(found)} tensors"
        raise reader.error(reader.offset, expected, f"{reader.left} more bytes")
    return found
