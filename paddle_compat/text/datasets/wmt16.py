"""English and German descriptions of pictures, of the workshop on machine translation of 2016."""

from __future__ import annotations

import os

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import wmt16 as corpus
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.io.dataloader.dataset import Dataset


class WMT16(Dataset):
    """Three arrays: the source with its marks, the target after `<s>`, the target before `<e>`.

    The words of both dictionaries are counted in the source's sentences, as Paddle counts them; `paddle.dataset.wmt16` counts each
    language in its own.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train", "test" or "val".
        src_dict_size (int): how many words of the source have numbers, with three marks.
        trg_dict_size (int): how many words of the target have numbers, with three marks.
        lang (str): the source, "en" or "de".
        download (bool): whether the archive may be downloaded.

    Raises:
        AssertionError: another mode, no positive sizes, or no archive and downloading is off.
        RuntimeError: the archive cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> sentences = paddle.text.datasets.WMT16(mode="test", src_dict_size=3000, trg_dict_size=3000)  # doctest: +SKIP
        >>> source, target, following = sentences[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        data_file: str | None = None,
        mode: str = "train",
        src_dict_size: int = -1,
        trg_dict_size: int = -1,
        lang: str = "en",
        download: bool = True,
    ) -> None:
        assert mode.lower() in ("train", "test", "val"), f"mode should be 'train', 'test' or 'val', but got {mode}"
        self.mode = mode.lower()
        self.data_file = given_or_downloaded(data_file, corpus.DATA_URL, corpus.DATA_MD5, "wmt16", "data_file", download)
        self.lang = lang
        for name, size in (("src_dict_size", src_dict_size), ("trg_dict_size", trg_dict_size)):
            assert size > 0, f"dict_size should be set as positive number. Received: {name}={size}"
        self.src_dict_size = corpus.clipped(src_dict_size, lang)
        self.trg_dict_size = corpus.clipped(trg_dict_size, corpus.other(lang))
        self.src_dict = corpus.dictionary(self.data_file, src_dict_size, lang, lang)
        self.trg_dict = corpus.dictionary(self.data_file, trg_dict_size, corpus.other(lang), lang)
        found = list(corpus.pairs(self.data_file, f"wmt16/{self.mode}", self.src_dict, self.trg_dict, lang))
        self.src_ids, self.trg_ids, self.trg_ids_next = ([each[at] for each in found] for at in range(3))

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return np.array(self.src_ids[idx]), np.array(self.trg_ids[idx]), np.array(self.trg_ids_next[idx])

    def __len__(self) -> int:
        return len(self.src_ids)

    def get_dict(self, lang: str, reverse: bool = False) -> dict[str, int]:
        """The words of a language.

        Args:
            lang (str): "en" or "de".
            reverse (bool): without effect, as in Paddle.
        Returns:
            dict: a word -> its number.
        Raises:
            AssertionError: the file that keeps them is gone.

        Example:
            >>> import paddle_compat as paddle
            >>> sentences = paddle.text.datasets.WMT16(src_dict_size=3000, trg_dict_size=3000)  # doctest: +SKIP
            >>> words = sentences.get_dict("de")  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        size = self.src_dict_size if lang == self.lang else self.trg_dict_size
        path = corpus.dictionary_path(lang, size)
        assert os.path.exists(path), f"Word dictionary does not exist. Expected it to be at {path}"
        return corpus.dictionary(self.data_file, size, lang, self.lang)


__all__ = ["WMT16"]

__getattr__ = missing(__name__)
