"""Reviews of films, good ones and bad ones."""

from __future__ import annotations

import re

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.dataset.imdb import MD5, URL, documents, numbers_of_words, reviews
from paddle_compat.io.dataloader.dataset import Dataset

_ALL = re.compile(r"aclImdb/(train|test)/(pos|neg)/.*\.txt$")


class Imdb(Dataset):
    """Reviews of films, and 0 for a good one, 1 for a bad one.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train" or "test".
        cutoff (int): words that are not in all reviews more often get no number of their own.
        download (bool): whether the archive may be downloaded.

    Raises:
        AssertionError: another mode, or no archive and downloading is off.
        RuntimeError: the archive cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> reviews = paddle.text.datasets.Imdb(mode="test")  # doctest: +SKIP
        >>> words, label = reviews[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, data_file: str | None = None, mode: str = "train", cutoff: int = 150, download: bool = True) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train', 'test', but got {mode}"
        self.mode = mode.lower()
        self.data_file = given_or_downloaded(data_file, URL, MD5, "imdb", "data_file", download)
        self.word_idx = numbers_of_words(documents(self.data_file, _ALL), cutoff)
        samples = list(reviews(self.data_file, self.mode, self.word_idx))
        self.docs = [words for words, _ in samples]
        self.labels = [label for _, label in samples]

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.docs[idx]), np.array([self.labels[idx]])

    def __len__(self) -> int:
        return len(self.docs)


__all__ = ["Imdb"]

__getattr__ = missing(__name__)
