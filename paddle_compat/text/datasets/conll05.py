"""Sentences whose verbs are known, and what the other words are to each verb."""

from __future__ import annotations

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import conll05 as corpus
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.io.dataloader.dataset import Dataset


class Conll05st(Dataset):
    """Sentences once for each of their verbs: nine arrays of numbers, see `paddle.dataset.conll05.reader_creator`.

    Only the sentences to test with are free.

    Args:
        data_file (str): the archive; None: it is downloaded, as all files are.
        word_dict_file (str): the file of all words.
        verb_dict_file (str): the file of all verbs.
        target_dict_file (str): the file of all tags.
        emb_file (str): the file of trained word vectors.
        download (bool): whether files may be downloaded.

    Raises:
        AssertionError: a file is missing and downloading is off.
        RuntimeError: a file cannot be downloaded, or there is a bracket that nobody knows.

    Example:
        >>> import paddle_compat as paddle
        >>> sentences = paddle.text.datasets.Conll05st()  # doctest: +SKIP
        >>> words, *around, verb, mark, tags = sentences[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        data_file: str | None = None,
        word_dict_file: str | None = None,
        verb_dict_file: str | None = None,
        target_dict_file: str | None = None,
        emb_file: str | None = None,
        download: bool = True,
    ) -> None:
        def at(path: str | None, url: str, md5: str, name: str) -> str:
            return given_or_downloaded(path, url, md5, "conll05st", name, download)

        self.data_file = at(data_file, corpus.DATA_URL, corpus.DATA_MD5, "data_file")
        self.word_dict_file = at(word_dict_file, corpus.WORDDICT_URL, corpus.WORDDICT_MD5, "word_dict_file")
        self.verb_dict_file = at(verb_dict_file, corpus.VERBDICT_URL, corpus.VERBDICT_MD5, "verb_dict_file")
        self.target_dict_file = at(target_dict_file, corpus.TRGDICT_URL, corpus.TRGDICT_MD5, "target_dict_file")
        self.emb_file = at(emb_file, corpus.EMB_URL, corpus.EMB_MD5, "emb_file")
        self.word_dict = corpus.load_dict(self.word_dict_file)
        self.predicate_dict = corpus.load_dict(self.verb_dict_file)
        self.label_dict = corpus.load_label_dict(self.target_dict_file)
        found = list(corpus.sentences(self.data_file, corpus.WORDS_NAME, corpus.PROPS_NAME))
        self.sentences = [words for words, _, _ in found]
        self.predicates = [verb for _, verb, _ in found]
        self.labels = [labels for _, _, labels in found]

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        sentence = self.sentences[idx], self.predicates[idx], self.labels[idx]
        return tuple(np.array(each) for each in corpus.sample(sentence, *self.get_dict()))

    def __len__(self) -> int:
        return len(self.sentences)

    def get_dict(self) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """Numbers for words, verbs and tags.

        Returns:
            Three dicts.

        Example:
            >>> import paddle_compat as paddle
            >>> words, verbs, tags = paddle.text.datasets.Conll05st().get_dict()  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return self.word_dict, self.predicate_dict, self.label_dict

    def get_embedding(self) -> str:
        """The file of trained word vectors.

        Returns:
            str: its path.

        Example:
            >>> import paddle_compat as paddle
            >>> file = paddle.text.datasets.Conll05st().get_embedding()  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return self.emb_file


__all__ = ["Conll05st"]

__getattr__ = missing(__name__)
