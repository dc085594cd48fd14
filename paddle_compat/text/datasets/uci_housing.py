"""Prices of houses in Boston."""

from __future__ import annotations

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.dataset.uci_housing import MD5, URL, feature_names, rows
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset


class UCIHousing(Dataset):
    """Thirteen features of a house, less their means, by their ranges, and its price.

    Args:
        data_file (str): the file; None: it is downloaded.
        mode (str): "train" or "test".
        download (bool): whether the file may be downloaded.

    Raises:
        AssertionError: another mode, or no file and downloading is off.
        RuntimeError: the file cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> houses = paddle.text.datasets.UCIHousing(mode="test")  # doctest: +SKIP
        >>> features, price = houses[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, data_file: str | None = None, mode: str = "train", download: bool = True) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train' or 'test', but got {mode}"
        self.mode = mode.lower()
        self.data_file = given_or_downloaded(data_file, URL, MD5, "uci_housing", "data_file", download)
        self.data = rows(self.data_file)[self.mode == "test"]
        self.dtype = get_default_dtype()

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        row = self.data[idx].astype(self.dtype)
        return row[:-1], row[-1:]

    def __len__(self) -> int:
        return len(self.data)


__all__ = ["UCIHousing", "feature_names"]

__getattr__ = missing(__name__)
