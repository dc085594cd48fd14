"""Operators that write a value to a file and read it again while a Program runs."""

from __future__ import annotations

import os
from collections.abc import Sequence

import torch

from paddle_compat.core.errors import PreconditionNotMetError, UnavailableError, UnsupportedError
from paddle_compat.core.lod import LoD, LoDTensor
from paddle_compat.core.op import op
from paddle_compat.core.pickles import replacing
from paddle_compat.core.streams import Reader, read_tensor, write_tensor

Tensor = torch.Tensor


@op(inputs=("X",), outputs=("kLookupTablePath?",), lod=None, infer=lambda *_, **__: (), random=True)
def save(x: Tensor, *, file_path: str = "", overwrite: bool = True, save_as_fp16: bool = False, x_lod: LoD | None = None) -> None:
    """Write a value to a file of its own."""
    if not overwrite and os.path.exists(file_path):
        raise PreconditionNotMetError(f"`{file_path}` exists, and `overwrite` is False.")
    os.makedirs(os.path.dirname(file_path) or ".", exist_ok=True)
    with replacing(file_path) as stream:
        write_tensor(stream, LoDTensor(x.half() if save_as_fp16 else x, x_lod))


@op(inputs=(), outputs=("Out",), lod=("Out",), infer=lambda **_: (), random=True)
def load(*, file_path: str = "", load_as_fp16: bool = False, seek: int = -1, shape: Sequence[int] = ()) -> tuple[Tensor, LoD | None]:
    """Read a value from a file of its own."""
    if seek != -1:
        raise UnsupportedError("operator load", "seek", "a file for each variable")
    try:
        stream = open(file_path, "rb")
    except OSError as error:
        expected = "a file that holds a saved variable"
        raise UnavailableError(f"Cannot read `{file_path}`. Expected {expected}. Received: {error.strerror}") from error
    with stream:
        value = read_tensor(Reader(stream))
    return value._tensor().half() if load_as_fp16 else value._tensor(), value.lod_
