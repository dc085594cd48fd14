"""`paddle.dataset.common`: where downloaded files are, and how they get there."""

from __future__ import annotations

import glob
import hashlib
import importlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing

_HOME = os.path.expanduser("~")
DATA_HOME = os.path.join(_HOME if os.access(_HOME, os.W_OK) else tempfile.gettempdir(), ".cache", "paddle", "dataset")
_TRIES = 3


def md5file(fname: str) -> str:
    """The MD5 sum of a file.

    Args:
        fname: the file.
    Returns:
        str: 32 hexadecimal digits.

    Example:
        >>> import os
        >>> from paddle_compat.dataset.common import md5file
        >>> md5file(os.devnull)
        'd41d8cd98f00b204e9800998ecf8427e'

    Follows Paddle 1.8 and 2.6.
    """
    found = hashlib.md5()
    with open(fname, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def download(url: str, module_name: str, md5sum: str, save_name: str | None = None) -> str:
    """The path of a file in `DATA_HOME`; one that is not there, or another one, is downloaded.

    Args:
        url: where the file is.
        module_name: the folder in DATA_HOME.
        md5sum: the sum that the file must have.
        save_name: its name; None: the last part of the address.
    Returns:
        str.
    Raises:
        RuntimeError: the file is not there and cannot be had; the text says where it belongs.
        ValueError: module_name or save_name lead elsewhere.

    Example:
        >>> from paddle_compat.dataset.common import download
        >>> download("https://dataset.bj.bcebos.com/mnist/t10k-labels-idx1-ubyte.gz", "mnist", "0")  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    for name, value in (("module_name", module_name), ("save_name", save_name)):
        if value is not None and (not re.fullmatch(r"[\w/.-]+", value) or ".." in value or os.path.isabs(value)):
            raise ValueError(f"Invalid value for argument `{name}` of `download`. Expected a name in DATA_HOME. Received: {value!r}")
    path = os.path.join(DATA_HOME, module_name, url.split("/")[-1] if save_name is None else save_name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    reason = "the file has another MD5 sum"
    for _ in range(_TRIES):
        if os.path.exists(path) and md5file(path) == md5sum:
            return path
        sys.stderr.write(f"Cache file {path} not found, downloading {url}\n")
        try:
            transfer(url, path)
        except OSError as error:
            reason = str(error)
    if os.path.exists(path) and md5file(path) == md5sum:
        return path
    raise RuntimeError(
        f"Cannot download {url} within retry limit {_TRIES} ({reason}). Expected the file with the MD5 sum {md5sum} at {path}: "
        "put it there, or hand its path to the dataset"
    )


def transfer(url: str, path: str) -> None:
    """Download a file, which is there whole or not at all."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with urllib.request.urlopen(url, timeout=30) as answer, open(part, "wb") as file:
            shutil.copyfileobj(answer, file)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def given_or_downloaded(path: str | None, url: str, md5sum: str, module_name: str, name: str, download_it: bool) -> str:
    """The path that was given, or that of the downloaded file.

    Raises:
        AssertionError: there is no path and downloading is off.
    """
    if path is not None:
        return path
    assert download_it, f"{name} is not set and downloading automatically is disabled. Received: {path!r}"
    return download(url, module_name, md5sum)


def must_mkdirs(path: str) -> None:
    """Make a folder, and those above it, where they are missing.

    Args:
        path: the folder (Paddle makes `DATA_HOME`, whatever it is given).
    Raises:
        OSError: it cannot be made.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.dataset.common import must_mkdirs
        >>> folder = os.path.join(tempfile.mkdtemp(), "a", "b")
        >>> must_mkdirs(folder); os.path.isdir(folder)
        True

    Follows Paddle 1.8 and 2.6.
    """
    os.makedirs(path, exist_ok=True)


def fetch_all() -> None:
    """Download all datasets that have a `fetch`.

    Example:
        >>> from paddle_compat.dataset.common import fetch_all
        >>> fetch_all()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    package = importlib.import_module("paddle_compat.dataset")
    for name in package.__all__:
        fetch = vars(importlib.import_module(f"paddle_compat.dataset.{name}")).get("fetch")
        if fetch is not None:
            fetch()


def split(
    reader: Callable[[], Iterable[Any]], line_count: int, suffix: str = "%05d.pickle", dumper: Callable[..., Any] = pickle.dump
) -> None:
    """Write a reader's samples to files.

    Args:
        reader: a reader.
        line_count: how many samples a file has; the first one more.
        suffix: the files' names, with a place for a number.
        dumper: writes a list to a binary stream.
    Raises:
        TypeError: dumper cannot be called.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.dataset.common import split
        >>> folder = tempfile.mkdtemp()
        >>> split(lambda: range(5), 2, folder + "/%d"); sorted(os.listdir(folder))
        ['0', '1']

    Follows Paddle 1.8 and 2.6.
    """
    if not callable(dumper):
        raise TypeError(f"dumper should be callable. Received: {dumper!r}")
    lines: list[Any] = []
    number = 0

    def write() -> None:
        with open(suffix % number, "wb") as file:
            dumper(lines, file)

    for i, sample in enumerate(reader()):
        lines.append(sample)
        if i >= line_count and i % line_count == 0:
            write()
            lines, number = [], number + 1
    if lines:
        write()


def cluster_files_reader(
    files_pattern: str, trainer_count: int, trainer_id: int, loader: Callable[..., Any] = pickle.load
) -> Callable[[], Iterator[Any]]:
    """A reader of those of `split`'s files that are a trainer's own.

    Args:
        files_pattern: what the files are called.
        trainer_count: the number of trainers.
        trainer_id: this one's number.
        loader: reads a list from a binary stream.
    Returns:
        A reader.
    Raises:
        TypeError: loader cannot be called; when samples are read.

    Example:
        >>> import tempfile
        >>> from paddle_compat.dataset.common import cluster_files_reader, split
        >>> folder = tempfile.mkdtemp()
        >>> split(lambda: range(5), 2, folder + "/%d")
        >>> list(cluster_files_reader(folder + "/*", 2, 1)())
        [3, 4]

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[Any]:
        if not callable(loader):
            raise TypeError(f"loader should be callable. Received: {loader!r}")
        for path in sorted(glob.glob(files_pattern))[trainer_id::trainer_count]:
            with open(path, "rb") as file:
                yield from loader(file)

    return read


__all__ = ["DATA_HOME", "cluster_files_reader", "download", "fetch_all", "md5file", "must_mkdirs", "split"]

__getattr__ = missing(__name__)
