"""Sentences of the Penn Treebank, for language models."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.dataset.imikolov import MD5, URL, DataType, numbers_of_words, samples
from paddle_compat.io.dataloader.dataset import Dataset


class Imikolov(Dataset):
    """Windows of words, or sentences and the words that follow each of their words.

    Args:
        data_file (str): the archive; None: it is downloaded.
        data_type (str): "NGRAM" for windows, "SEQ" for sentences.
        window_size (int): the length of a window; of sentences, the longest, 0 or less for all.
        mode (str): "train" or "test".
        min_word_freq (int): words that are not there more often get no number of their own.
        download (bool): whether the archive may be downloaded.

    Raises:
        AssertionError: another mode or data_type, windows without a length, or no archive and downloading is off.
        RuntimeError: the archive cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> windows = paddle.text.datasets.Imikolov(data_type="NGRAM", window_size=5)  # doctest: +SKIP
        >>> first, second, third, fourth, fifth = windows[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        data_file: str | None = None,
        data_type: str = "NGRAM",
        window_size: int = -1,
        mode: str = "train",
        min_word_freq: int = 50,
        download: bool = True,
    ) -> None:
        assert data_type.upper() in ("NGRAM", "SEQ"), f"data type should be 'NGRAM', 'SEQ', but got {data_type}"
        assert mode.lower() in ("train", "test"), f"mode should be 'train', 'test', but got {mode}"
        self.data_type = data_type.upper()
        self.mode = mode.lower()
        self.window_size = window_size
        self.min_word_freq = min_word_freq
        self.data_file = given_or_downloaded(data_file, URL, MD5, "imikolov", "data_file", download)
        self.word_idx = numbers_of_words(self.data_file, min_word_freq)
        name = f"./simple-examples/data/ptb.{self.mode}.txt"
        kind = getattr(DataType, self.data_type)
        self.data: list[tuple[Any, ...]] = list(samples(self.data_file, name, self.word_idx, window_size, kind))

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return tuple(np.array(each) for each in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)


__all__ = ["Imikolov"]

__getattr__ = missing(__name__)
