"""English and French sentences of the workshop on machine translation of 2014."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.dataset.wmt14 import MD5_TRAIN, URL_TRAIN, dictionaries, pairs, reversed_if
from paddle_compat.io.dataloader.dataset import Dataset


class WMT14(Dataset):
    """Three arrays: the source with its marks, the target after `<s>`, the target before `<e>`.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train", "test" or "gen".
        dict_size (int): how many words of each language have numbers of their own.
        download (bool): whether the archive may be downloaded.

    Raises:
        AssertionError: another mode, no positive dict_size, or no archive and downloading is off.
        RuntimeError: the archive cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> sentences = paddle.text.datasets.WMT14(mode="test", dict_size=3000)  # doctest: +SKIP
        >>> source, target, following = sentences[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, data_file: str | None = None, mode: str = "train", dict_size: int = -1, download: bool = True) -> None:
        assert mode.lower() in ("train", "test", "gen"), f"mode should be 'train', 'test' or 'gen', but got {mode}"
        self.mode = mode.lower()
        self.data_file = given_or_downloaded(data_file, URL_TRAIN, MD5_TRAIN, "wmt14", "data_file", download)
        assert dict_size > 0, f"dict_size should be set as positive number. Received: {dict_size}"
        self.dict_size = dict_size
        self.src_dict, self.trg_dict = dictionaries(self.data_file, dict_size)
        found = list(pairs(self.data_file, f"{self.mode}/{self.mode}", self.src_dict, self.trg_dict))
        self.src_ids, self.trg_ids, self.trg_ids_next = ([each[at] for each in found] for at in range(3))

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return np.array(self.src_ids[idx]), np.array(self.trg_ids[idx]), np.array(self.trg_ids_next[idx])

    def __len__(self) -> int:
        return len(self.src_ids)

    def get_dict(self, reverse: bool = False) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """The words of both languages.

        Args:
            reverse (bool): number -> word instead of word -> number.
        Returns:
            Two dicts: of the source, of the target.

        Example:
            >>> import paddle_compat as paddle
            >>> source, target = paddle.text.datasets.WMT14(dict_size=3000).get_dict()  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return reversed_if(reverse, (self.src_dict, self.trg_dict))


__all__ = ["WMT14"]

__getattr__ = missing(__name__)
