"""`paddle.utils.download`: files from the net, kept and unpacked."""

from __future__ import annotations

import logging
import os
import tarfile
import time
import zipfile
from pathlib import Path

from paddle_compat._missing import missing
from paddle_compat.dataset.common import md5file, transfer

logger = logging.getLogger(__name__)
WEIGHTS_HOME = os.path.expanduser("~/.cache/paddle/hapi/weights")
DOWNLOAD_RETRY_LIMIT = 3
_MOMENT = 1.0  # seconds between looks for a file that another process downloads


def is_url(path: str) -> bool:
    """Whether a path is an address in the net.

    Args:
        path (str): the path.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.utils.download import is_url
        >>> is_url("https://paddlemodels.bj.bcebos.com/models/resnet18.pdparams"), is_url("resnet18.pdparams")
        (True, False)

    Follows Paddle 2.6.
    """
    return path.partition("://")[0] in ("http", "https") and "://" in path


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The path of a file of weights, which is downloaded if it is not there.

    Args:
        url (str): its address.
        md5sum (str): the sum that it must have; None: any.
    Returns:
        str: its path; of an archive, that of what was in it.
    Raises:
        AssertionError: it is no address.
        RuntimeError: it cannot be had.

    Example:
        >>> from paddle_compat.utils.download import get_weights_path_from_url
        >>> path = get_weights_path_from_url("https://paddlemodels.bj.bcebos.com/models/resnet18.pdparams")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(
    url: str, root_dir: str, md5sum: str | None = None, check_exist: bool = True, decompress: bool = True, method: str = "get"
) -> str:
    """The path of a file, which is downloaded if it is not there.

    Of a job's processes on one machine, the first downloads and the others wait.

    Args:
        url (str): its address.
        root_dir (str): the folder that it is kept in.
        md5sum (str): the sum that it must have; None: any.
        check_exist (bool): take it if it is there already.
        decompress (bool): unpack it if it is an archive.
        method (str): "get".
    Returns:
        str: its path; of an unpacked archive that of the file or folder that was in it, or of a folder named after it.
    Raises:
        AssertionError: it is no address, or another method.
        RuntimeError: it cannot be had.

    Example:
        >>> from paddle_compat.utils.download import get_path_from_url
        >>> path = get_path_from_url("https://paddlemodels.bj.bcebos.com/models/resnet18.pdparams", "weights")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    assert is_url(url), f"downloading from {url} not a url"
    assert method == "get", f"make sure `{method}` implemented. Expected 'get'"
    path = Path(root_dir, url.rpartition("/")[2])
    leads = _downloads_here()
    if not (check_exist and path.exists() and _is_it(path, md5sum)):
        if leads:
            _download(url, path, md5sum)
        else:
            while not path.exists():
                time.sleep(_MOMENT)
    if decompress and (tarfile.is_tarfile(path) or zipfile.is_zipfile(path)):
        return str(_unpacked(path, leads))
    return str(path)


def _get_unique_endpoints(trainer_endpoints: list[str]) -> set[str]:
    """The first endpoint of each machine: those whose processes download. The list is sorted in place, as Paddle does."""
    trainer_endpoints.sort()
    first: dict[str, str] = {}
    for each in trainer_endpoints:
        first.setdefault(each.split(":")[0], each)
    return set(first.values())


def _decompress(fname: str) -> str:
    """Unpack an archive beside itself, and give the path of what was in it."""
    if not (tarfile.is_tarfile(fname) or zipfile.is_zipfile(fname)):
        raise TypeError(f"Invalid value for argument `fname`. Expected a tar or zip file. Received: {fname}")
    return str(_unpacked(Path(fname), leads=True))


def _downloads_here() -> bool:
    """Whether this process is the first one on its machine."""
    endpoints = list(filter(None, os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")))
    own = os.environ.get("PADDLE_CURRENT_ENDPOINT", "")
    return own in _get_unique_endpoints(endpoints) or own.split(":")[0] not in {each.split(":")[0] for each in endpoints}


def _is_it(path: Path, md5sum: str | None) -> bool:
    return md5sum is None or md5file(str(path)) == md5sum


def _download(url: str, path: Path, md5sum: str | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    reason = "the file has another MD5 sum"
    for _ in range(DOWNLOAD_RETRY_LIMIT):
        try:
            transfer(url, str(path))
        except OSError as error:
            reason = str(error)
        else:
            if _is_it(path, md5sum):
                return
    expected = f"a file with the MD5 sum {md5sum}" if md5sum else "the file"
    raise RuntimeError(f"Download from {url} failed. Retry limit reached ({reason}). Expected {expected} at {path}: put it there")


def _unpacked(path: Path, leads: bool) -> Path:
    """What an archive holds: its one file or folder, or a folder with all."""
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            names = archive.getnames()
            place, within = _place(path, names)
            if leads:
                archive.extractall(place, filter="data")
    else:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            place, within = _place(path, names)
            if leads:
                archive.extractall(place)
    return within


def _place(path: Path, names: list[str]) -> tuple[Path, Path]:
    """Where an archive is unpacked, and what is to be given."""
    tops = {name.removeprefix("./").split("/")[0] for name in names} - {""}
    if len(tops) == 1:
        return path.parent, path.parent / tops.pop()
    folder = path.with_suffix("")
    return folder, folder


__all__ = ["get_path_from_url", "get_weights_path_from_url", "is_url"]

__getattr__ = missing(__name__)
