"""SelectedRows: some rows of a table, as scripts set them in a Scope and read them from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paddle_compat.core.lod import LoDTensor


class SelectedRows:
    """Some rows of a table of `height` rows; operators see a sparse tensor.

    Args:
        rows: their numbers.
        height: how many rows the table has.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> some = core.SelectedRows([4, 1], 10)
        >>> some.get_tensor().set(np.ones((2, 3), "float32"), paddle.CPUPlace())
        >>> some.rows(), some.height(), some.get_tensor().shape(), some.numel()
        ([4, 1], 10, [2, 3], 6)
        >>> some.set_rows([0, 2]); some.set_height(3); some.sync_index(); some.rows(), some.height()
        ([0, 2], 3)

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, rows: Iterable[int] = (), height: int = 0, _home: LoDTensor | None = None) -> None:
        self._home = LoDTensor() if _home is None else _home
        self._values: torch.Tensor | None = None
        self._rows = list(rows)
        self._height = height

    def _read(self) -> None:
        """Take what a run has left in the Scope."""
        held = self._home.value
        if held is not None and held.is_sparse:
            self._rows, self._height, self._values = held._indices()[0].tolist(), held.shape[0], held._values()

    def _write(self) -> None:
        """Hand rows and values on to where operators find them, once they fit."""
        values = self._values
        if values is None or values.shape[:1] != (len(self._rows),):
            self._home.value = None
            return
        rows = torch.tensor(self._rows, dtype=torch.int64, device=values.device)[None]
        self._home.value = torch.sparse_coo_tensor(rows, values, (self._height, *values.shape[1:]), check_invariants=False)

    def rows(self) -> list[int]:
        """The numbers of the rows.

        Returns:
            List of ints.
        """
        self._read()
        return list(self._rows)

    def set_rows(self, rows: Iterable[int]) -> None:
        """Change the numbers of the rows.

        Args:
            rows (list): ints.
        """
        self._read()
        self._rows = [int(row) for row in rows]
        self._write()

    def height(self) -> int:
        """How many rows the table has.

        Returns:
            int.
        """
        self._read()
        return self._height

    def set_height(self, height: int) -> None:
        """Change how many rows the table has.

        Args:
            height (int): how many.
        """
        self._read()
        self._height = height
        self._write()

    def get_tensor(self) -> LoDTensor:
        """The rows' values; `set` on it changes them.

        Returns:
            LoDTensor: [len(rows), ...].
        """
        return _Values(self)

    def numel(self) -> int:
        """How many numbers the rows hold.

        Returns:
            int.
        """
        self._read()
        return 0 if self._values is None else self._values.numel()

    def sync_index(self) -> None:
        """Bring the index of the rows up to date: it always is."""


class _Values(LoDTensor):
    """The values of SelectedRows."""

    __slots__ = ("_of",)

    def __init__(self, of: SelectedRows) -> None:
        self._of = of
        self.lod_, self._dims, self._format = None, [0], "NCHW"

    @property
    def value(self) -> torch.Tensor | None:
        """The values as torch tensor."""
        self._of._read()
        return self._of._values

    @value.setter
    def value(self, value: Any) -> None:
        self._of._read()
        self._of._values = value
        self._of._write()
