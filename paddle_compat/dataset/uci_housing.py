"""`paddle.dataset.uci_housing`: prices of houses in Boston."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common

URL = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data"
MD5 = "d4accdce7a25600298819f8e28e8d593"
feature_names = ["CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT"]
UCI_TRAIN_DATA: np.ndarray | None = None
UCI_TEST_DATA: np.ndarray | None = None
_Reader = Callable[[], Iterator[tuple[np.ndarray, np.ndarray]]]


def rows(filename: str, feature_num: int = 14, ratio: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """The rows to train with and those to test with; features less their means, by their ranges."""
    data = np.fromfile(filename, sep=" ").reshape(-1, feature_num)
    features = data[:, :-1]
    data[:, :-1] = (features - features.mean(axis=0)) / (features.max(axis=0) - features.min(axis=0))
    offset = int(len(data) * ratio)
    return data[:offset], data[offset:]


def load_data(filename: str, feature_num: int = 14, ratio: float = 0.8) -> None:
    """Read houses into `UCI_TRAIN_DATA` and `UCI_TEST_DATA`, features less their means, by their ranges; once, whatever file comes next.

    Args:
        filename: numbers between blanks.
        feature_num: how many there are of a house; the last one is its price.
        ratio: the part of the houses to train with.

    Example:
        >>> import os, tempfile, numpy as np
        >>> from paddle_compat.dataset import uci_housing
        >>> file = os.path.join(tempfile.mkdtemp(), "houses")
        >>> np.arange(10.0).reshape(5, 2).tofile(file, sep=" ")
        >>> uci_housing.load_data(file, feature_num=2)
        >>> uci_housing.UCI_TEST_DATA
        array([[0.5, 9. ]])
        >>> uci_housing.UCI_TRAIN_DATA = uci_housing.UCI_TEST_DATA = None

    Follows Paddle 1.8 and 2.6.
    """
    global UCI_TRAIN_DATA, UCI_TEST_DATA
    if UCI_TRAIN_DATA is None or UCI_TEST_DATA is None:
        UCI_TRAIN_DATA, UCI_TEST_DATA = rows(filename, feature_num, ratio)


def _downloaded() -> tuple[Any, Any]:
    """The houses to train with and those to test with."""
    load_data(common.download(URL, "uci_housing", MD5))
    return UCI_TRAIN_DATA, UCI_TEST_DATA


def _reader(part: int) -> _Reader:
    houses = _downloaded()[part]
    return lambda: ((row[:-1], row[-1:]) for row in houses)


def train() -> _Reader:
    """The houses to train with.

    Returns:
        A reader of 13 features and the price.

    Example:
        >>> import paddle_compat as paddle
        >>> features, price = next(paddle.dataset.uci_housing.train()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(0)


def test() -> _Reader:
    """The houses to test with.

    Returns:
        A reader of 13 features and the price.

    Example:
        >>> import paddle_compat as paddle
        >>> features, price = next(paddle.dataset.uci_housing.test()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(1)


def predict_reader() -> tuple[np.ndarray]:
    """The features of the first house to test with.

    Returns:
        A tuple of one array.

    Example:
        >>> import paddle_compat as paddle
        >>> (features,) = paddle.dataset.uci_housing.predict_reader()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return (_downloaded()[1][0][:-1],)


def fetch() -> None:
    """Download the houses.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.uci_housing.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(URL, "uci_housing", MD5)


__all__ = ["feature_names", "fetch", "load_data", "predict_reader", "test", "train"]

__getattr__ = missing(__name__)
