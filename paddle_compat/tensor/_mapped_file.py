"""`paddle.MmapStorage`: the bytes of a file as Tensors."""

from __future__ import annotations

import mmap
import os
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import OutOfRangeError, UnavailableError
from paddle_compat.core.tensor import Tensor


class MmapStorage:
    """A file whose bytes are read when they are needed.

    Args:
        filename (str): its path.
        nbytes (int): how many of its bytes are used.
    Raises:
        RuntimeError: the file cannot be read, or is shorter.

    Example:
        >>> import os, tempfile, numpy as np, paddle_compat as paddle
        >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
        >>> np.arange(4, dtype="float32").tofile(path)
        >>> paddle.MmapStorage(path, 16).get_slice("float32", 4, 12, 4).tolist()
        [1.0, 2.0]

    Follows Paddle 3.3.
    """

    def __init__(self, filename: str, nbytes: int) -> None:
        self._name, self._size = str(filename), int(nbytes)
        try:
            with open(self._name, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < self._size:
                    raise UnavailableError(
                        f"Invalid value for argument `nbytes`. Expected at most {size}, the size of {self._name}. Received: {nbytes}"
                    )
                self._bytes = mmap.mmap(file.fileno(), self._size, access=mmap.ACCESS_COPY) if self._size else b""
        except OSError as error:
            raise UnavailableError(f"Invalid file {self._name}. Expected one that can be read. Received: {error}") from error

    def get_slice(self, dtype: Any = "uint8", start: int = 0, stop: int = 1, step: int = 1) -> Tensor:
        """A part of the file as a Tensor of one dimension, in the file's memory.

        Args:
            dtype: of its elements.
            start, stop (int): where it begins, in bytes, and where it ends, if every element took `step` bytes.
            step (int): how many bytes an element counts; the part has (stop - start) / step elements.
        Returns:
            Tensor.
        Raises:
            IndexError: it reaches beyond the bytes that are used.
        """
        kind, count = torch_dtype(dtype), max(0, (stop - start) // step)
        if start < 0 or start + count * kind.itemsize > self._size:
            raise OutOfRangeError(
                f"Invalid value for argument `stop` of `get_slice`. Expected a part of {self._size} bytes. Received: {count} elements of "
                f"{kind.itemsize} bytes from {start}"
            )
        return Tensor(torch.frombuffer(self._bytes, dtype=kind, count=count, offset=start) if count else torch.empty(0, dtype=kind))


__all__ = ["MmapStorage"]
__getattr__ = missing(__name__)
