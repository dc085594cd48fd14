"""Operators that write values to files and read them again while a Program runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

import torch

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError, PreconditionNotMetError, UnavailableError
from paddle_compat.core.lod import LoD, LoDTensor
from paddle_compat.core.op import op
from paddle_compat.core.pickles import replacing
from paddle_compat.core.streams import Reader, read_part, read_selected_rows, read_tensor, write_tensor

Tensor = torch.Tensor


@contextmanager
def _written(file_path: str, overwrite: bool) -> Iterator[BinaryIO]:
    if not overwrite and os.path.exists(file_path):
        raise PreconditionNotMetError(f"`{file_path}` exists, and `overwrite` is False.")
    os.makedirs(os.path.dirname(file_path) or ".", exist_ok=True)
    with replacing(file_path) as stream:
        yield stream


def _opened(file_path: str) -> BinaryIO:
    try:
        return open(file_path, "rb")
    except OSError as error:
        expected = "a file that holds a saved variable"
        raise UnavailableError(f"Cannot read `{file_path}`. Expected {expected}. Received: {error.strerror}") from error


def _halved(x: Tensor, half: bool) -> Tensor:
    return x.half() if half else x


@op(inputs=("X",), outputs=("kLookupTablePath?",), lod=None, infer=lambda *_, **__: (), random=True)
def save(x: Tensor, *, file_path: str = "", overwrite: bool = True, save_as_fp16: bool = False, x_lod: LoD | None = None) -> None:
    """Write a value to a file of its own."""
    with _written(file_path, overwrite) as stream:
        write_tensor(stream, LoDTensor(_halved(x, save_as_fp16), x_lod))


@op(inputs=("X*",), outputs=("Y?",), lod=None, infer=lambda *_, **__: (), random=True)
def save_combine(
    x: list[Tensor], *, file_path: str = "", overwrite: bool = True, save_as_fp16: bool = False, save_to_memory: bool = False,
    x_lod: Sequence[LoD | None] = (),
) -> bytes | None:  # fmt: skip
    """Write values to one file, in the order in which they come, or give its bytes."""
    if not x:
        raise InvalidArgumentError("Invalid value for `X` of operator save_combine. Expected one variable at least. Received: none")
    values = [LoDTensor(_halved(value, save_as_fp16), lod) for value, lod in zip(x, x_lod)]
    out = BytesIO()
    for value in values:
        write_tensor(out, value)
    if save_to_memory:
        return out.getvalue()
    with _written(file_path, overwrite) as stream:
        stream.write(out.getbuffer())
    return None


@op(inputs=(), outputs=("Out",), lod=("Out",), infer=lambda **_: (), random=True)
def load(
    *, file_path: str = "", load_as_fp16: bool = False, seek: int = -1, shape: Sequence[int] = (), _outs: Sequence[int] = ()
) -> tuple[Tensor, LoD | None]:
    """Read a value from a file of its own, or a part of it: a shape's elements from the element `seek` on."""
    with _opened(file_path) as stream:
        reader = Reader(stream)
        if seek != -1:
            value = read_part(reader, seek, shape)
        else:
            value = read_selected_rows(reader) if VarType.SELECTED_ROWS in _outs else read_tensor(reader)
    return _halved(value._tensor(), load_as_fp16), value.lod_


@op(inputs=(), outputs=("Out*",), lod=("Out",), infer=lambda **_: (), random=True)
def load_combine(
    *, file_path: str = "", load_as_fp16: bool = False, model_from_memory: bool = False, _outs: Sequence[int] = ()
) -> tuple[list[Tensor], list[LoD | None]]:
    """Read as many values as there are variables to take them from one file, or from its bytes; no more may be there."""
    with BytesIO(file_path.encode("utf-8", "surrogateescape")) if model_from_memory else _opened(file_path) as stream:
        reader = Reader(stream)
        values = []
        for i in range(len(_outs)):
            if not reader.left:
                raise UnavailableError(f"Invalid file {reader.source}. Expected {len(_outs)} values. Received: {i}")
            values.append(read_tensor(reader))
        if reader.left:
            raise UnavailableError(f"Invalid file {reader.source}. Expected {len(_outs)} values. Received: {reader.left} more bytes")
    return [_halved(value._tensor(), load_as_fp16) for value in values], [value.lod_ for value in values]
