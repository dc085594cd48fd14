"""What users of MovieLens thought of films."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.dataset.movielens import MD5, URL, Catalogue, MovieInfo, UserInfo, age_table
from paddle_compat.io.dataloader.dataset import Dataset


class Movielens(Dataset):
    """Users, films, and what the ones thought of the others: eight arrays of numbers.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train" or "test".
        test_ratio (float): how many of all ratings are for testing.
        rand_seed (int): the seed that numpy's generator gets, which decides which ones.
        download (bool): whether the archive may be downloaded.

    Raises:
        AssertionError: another mode, or no archive and downloading is off.
        RuntimeError: the archive cannot be downloaded.
        ValueError: the archive is damaged.

    Example:
        >>> import paddle_compat as paddle
        >>> ratings = paddle.text.datasets.Movielens(mode="test")  # doctest: +SKIP
        >>> user, woman, age, job, film, categories, title, rating = ratings[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self, data_file: str | None = None, mode: str = "train", test_ratio: float = 0.1, rand_seed: int = 0, download: bool = True
    ) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train', 'test', but got {mode}"
        self.mode = mode.lower()
        self.data_file = given_or_downloaded(data_file, URL, MD5, "sentiment", "data_file", download)  # Paddle's folder for it
        self.test_ratio = test_ratio
        self.rand_seed = rand_seed
        catalogue = Catalogue(self.data_file)
        self.movie_info, self.user_info = catalogue.movies, catalogue.users
        self.movie_title_dict, self.categories_dict = catalogue.title_words, catalogue.categories
        self.data: list[list[Any]] = []
        for user, movie, rating in catalogue.ratings(rand_seed, test_ratio, self.mode == "test"):
            number, *lists = movie.value(catalogue.categories, catalogue.title_words)
            self.data.append([*([each] for each in user.value()), [number], *lists, [rating]])

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return tuple(np.array(each) for each in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)


__all__ = ["MovieInfo", "Movielens", "UserInfo", "age_table"]

__getattr__ = missing(__name__)
