"""`paddle.dataset.movielens`: what users of MovieLens thought of films."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common

URL = "https://dataset.bj.bcebos.com/movielens%2Fml-1m.zip"
MD5 = "c4d9eecfca2ab87c1945afe126590906"
age_table = [1, 18, 25, 35, 45, 50, 56]
_Reader = Callable[[], Iterator[list[Any]]]
_TITLE_AND_YEAR = re.compile(r"^(.*)\((\d+)\)$")


class MovieInfo:
    """A film.

    Args:
        index (int): its number.
        categories (list): what it is: "Comedy", ...
        title (str): its title, without the year.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.MovieInfo("1", ["Comedy"], "Toy Story ")
        <MovieInfo id(1), title(Toy Story ), categories(['Comedy'])>

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, index: Any, categories: list[str], title: str) -> None:
        self.index = int(index)
        self.categories = categories
        self.title = title

    def value(self, categories_dict: dict[str, int] | None = None, movie_title_dict: dict[str, int] | None = None) -> list[Any]:
        """Its numbers.

        Args:
            categories_dict (dict): category -> number; None: those of the downloaded files.
            movie_title_dict (dict): word of a title -> number; None: those of the downloaded files.
        Returns:
            list: the film's number, its categories', its title's words'.

        Example:
            >>> import paddle_compat as paddle
            >>> film = paddle.dataset.movielens.MovieInfo(1, ["Comedy"], "Toy Story ")
            >>> film.value({"Comedy": 4}, {"story": 0, "toy": 7})
            [1, [4], [7, 0]]

        Follows Paddle 1.8 and 2.6.
        """
        kinds = movie_categories() if categories_dict is None else categories_dict
        words = get_movie_title_dict() if movie_title_dict is None else movie_title_dict
        return [self.index, [kinds[each] for each in self.categories], [words[each.lower()] for each in self.title.split()]]

    def __repr__(self) -> str:
        return f"<MovieInfo id({self.index}), title({self.title}), categories({self.categories})>"


class UserInfo:
    """A user.

    Args:
        index (int): the user's number.
        gender (str): "M" or "F".
        age (int): the beginning of the user's range of ages, one of `age_table`.
        job_id (int): the number of an occupation.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.UserInfo("1", "F", "18", "10")
        <UserInfo id(1), gender(F), age(18), job(10)>

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, index: Any, gender: str, age: Any, job_id: Any) -> None:
        self.index = int(index)
        self.is_male = gender == "M"
        self.age = age_table.index(int(age))
        self.job_id = int(job_id)

    def value(self) -> list[int]:
        """The user's numbers.

        Returns:
            list: the number, 0 for a man and 1 for a woman, the place in `age_table`, the occupation.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.dataset.movielens.UserInfo("1", "F", "18", "10").value()
            [1, 1, 1, 10]

        Follows Paddle 1.8 and 2.6.
        """
        return [self.index, 0 if self.is_male else 1, self.age, self.job_id]

    def __repr__(self) -> str:
        return f"<UserInfo id({self.index}), gender({'M' if self.is_male else 'F'}), age({age_table[self.age]}), job({self.job_id})>"


class Catalogue:
    """The films and the users in an archive."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.movies: dict[int, MovieInfo] = {}
        self.users: dict[int, UserInfo] = {}
        # The numbers are the places in sets, as in Paddle: PYTHONHASHSEED decides them, and a model's rows with them.
        words, kinds = set(), set()
        for number, named, categories in self._rows("movies"):
            match = _TITLE_AND_YEAR.match(named)
            if match is None:
                raise ValueError(f"{path} is damaged. Expected titles with a year, as in 'Toy Story (1995)'. Received: {named!r}")
            film = MovieInfo(number, categories.split("|"), match[1])
            self.movies[film.index] = film
            for kind in film.categories:
                kinds.add(kind)
            for word in film.title.split():
                words.add(word.lower())
        self.title_words = {word: number for number, word in enumerate(words)}
        self.categories = {kind: number for number, kind in enumerate(kinds)}
        for number, gender, age, job, _ in self._rows("users"):
            self.users[int(number)] = UserInfo(number, gender, age, job)

    def _rows(self, name: str) -> Iterator[list[str]]:
        with zipfile.ZipFile(self.path) as archive, archive.open(f"ml-1m/{name}.dat") as file:
            for line in file:
                yield line.decode("latin").strip().split("::")

    def ratings(self, rand_seed: int, test_ratio: float, is_test: bool) -> Iterator[tuple[UserInfo, MovieInfo, float]]:
        """Those that chance puts aside for testing, or the others: the user, the film, and from -3 to 5 what the one thought of it."""
        np.random.seed(rand_seed)  # the global generator's, as in Paddle: what a script draws afterwards depends on it
        for user, movie, rating, _ in self._rows("ratings"):
            if (np.random.random() < test_ratio) == is_test:
                yield self.users[int(user)], self.movies[int(movie)], float(rating) * 2 - 5.0


_catalogues: dict[str, Catalogue] = {}


def _catalogue() -> Catalogue:
    path = common.download(URL, "movielens", MD5)
    if path not in _catalogues:
        _catalogues[path] = Catalogue(path)
    return _catalogues[path]


def _reader(rand_seed: int, test_ratio: float, is_test: bool) -> _Reader:
    def read() -> Iterator[list[Any]]:
        catalogue = _catalogue()
        for user, movie, rating in catalogue.ratings(rand_seed, test_ratio, is_test):
            yield [*user.value(), *movie.value(catalogue.categories, catalogue.title_words), [rating]]

    return read


def train(*, is_test: bool = False, rand_seed: int = 0, test_ratio: float = 0.1) -> _Reader:
    """The ratings to train with.

    Args:
        is_test (bool): take those to test with.
        rand_seed (int): the seed of numpy's generator when reading begins.
        test_ratio (float): how many of all ratings are for testing.
    Returns:
        A reader of the numbers of a user (4) and a film (3, two of them lists), and the rating in a list.

    Example:
        >>> import paddle_compat as paddle
        >>> sample = next(paddle.dataset.movielens.train()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(rand_seed, test_ratio, is_test)


def test(*, is_test: bool = True, rand_seed: int = 0, test_ratio: float = 0.1) -> _Reader:
    """The ratings to test with.

    Args:
        is_test (bool): False takes those to train with.
        rand_seed (int): the seed of numpy's generator when reading begins.
        test_ratio (float): how many of all ratings are for testing.
    Returns:
        A reader of the numbers of a user (4) and a film (3, two of them lists), and the rating in a list.

    Example:
        >>> import paddle_compat as paddle
        >>> sample = next(paddle.dataset.movielens.test()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(rand_seed, test_ratio, is_test)


def get_movie_title_dict() -> dict[str, int]:
    """Numbers for the words of titles.

    Returns:
        dict: a word in lower case -> its number.

    Example:
        >>> import paddle_compat as paddle
        >>> words = paddle.dataset.movielens.get_movie_title_dict()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _catalogue().title_words


def max_movie_id() -> int:
    """The largest number of a film.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.max_movie_id()  # doctest: +SKIP
        3952

    Follows Paddle 1.8 and 2.6.
    """
    return max(_catalogue().movies)


def max_user_id() -> int:
    """The largest number of a user.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.max_user_id()  # doctest: +SKIP
        6040

    Follows Paddle 1.8 and 2.6.
    """
    return max(_catalogue().users)


def max_job_id() -> int:
    """The largest number of an occupation.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.max_job_id()  # doctest: +SKIP
        20

    Follows Paddle 1.8 and 2.6.
    """
    return max(user.job_id for user in _catalogue().users.values())


def movie_categories() -> dict[str, int]:
    """Numbers for categories.

    Returns:
        dict: a category -> its number.

    Example:
        >>> import paddle_compat as paddle
        >>> kinds = paddle.dataset.movielens.movie_categories()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _catalogue().categories


def user_info() -> dict[int, UserInfo]:
    """All users.

    Returns:
        dict: a number -> its UserInfo.

    Example:
        >>> import paddle_compat as paddle
        >>> users = paddle.dataset.movielens.user_info()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _catalogue().users


def movie_info() -> dict[int, MovieInfo]:
    """All films.

    Returns:
        dict: a number -> its MovieInfo.

    Example:
        >>> import paddle_compat as paddle
        >>> films = paddle.dataset.movielens.movie_info()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _catalogue().movies


def fetch() -> None:
    """Download the ratings.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.movielens.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(URL, "movielens", MD5)


__all__ = [
    "MovieInfo", "UserInfo", "age_table", "fetch", "get_movie_title_dict", "max_job_id", "max_movie_id", "max_user_id",
    "movie_categories", "movie_info", "test", "train", "user_info",
]  # fmt: skip

__getattr__ = missing(__name__)
