"""`paddle.hub`: what a `hubconf.py` in a folder offers, of `source` "local" only; and files of weights."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlparse

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.framework.io import load as from_file
from paddle_compat.utils.download import WEIGHTS_HOME, get_path_from_url

_LOCATIONS = (None, "cpu", "gpu", "xpu", "npu", "numpy", "np")


def _configuration(repo_dir: str, source: str, api: str) -> ModuleType:
    """The folder's `hubconf.py`, run with the folder on `sys.path`."""
    if source not in ("github", "gitee", "local"):
        raise invalid_argument("source", "'github', 'gitee' or 'local'", source, api)
    if source != "local":
        raise UnsupportedError(f"paddle.hub.{api}", f"source={source!r}", "a copy of the repository and source='local'")
    path = Path(repo_dir, "hubconf.py")
    spec = importlib.util.spec_from_file_location("hubconf", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(repo_dir))
    try:
        spec.loader.exec_module(module)
    except (OSError, ImportError) as error:
        raise RuntimeError(f"Cannot import `{path}`. Expected a file that runs. Received: {error}") from error
    finally:
        sys.path.remove(str(repo_dir))
    return module


def _entry(module: ModuleType, model: Any, api: str) -> Any:
    if not isinstance(model, str):
        raise invalid_argument("model", "a str, the name of a function", model, api)
    found = getattr(module, model, None)
    if not callable(found):
        raise RuntimeError(f"Cannot find callable `{model}` in hubconf. Expected one of {_names(module)}.")
    return found


def _names(module: ModuleType) -> Any:
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def list(repo_dir: str, source: str = "github", force_reload: bool = False) -> Any:
    """The names of the models that a folder offers.

    Args:
        repo_dir: the folder with the `hubconf.py`.
        source: "local"; the others are not supported.
        force_reload: kept; a local folder is read every time.
    Returns:
        list: of str.
    Raises:
        ValueError: there is no such source.
        RuntimeError: the folder has no `hubconf.py` that runs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.hub.list("models", source="local")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    return _names(_configuration(repo_dir, source, "list"))


def help(repo_dir: str, model: str, source: str = "github", force_reload: bool = False) -> str | None:
    """The documentation of a model.

    Args:
        repo_dir: the folder with the `hubconf.py`.
        model: the model's name.
        source: "local"; the others are not supported.
        force_reload: kept; a local folder is read every time.
    Returns:
        str: the docstring of the function that makes it; None: it has none.
    Raises:
        ValueError: there is no such source, or model is no str.
        RuntimeError: the folder has no `hubconf.py` that runs, or that no such function.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.hub.help("models", "net", source="local")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    text: str | None = _entry(_configuration(repo_dir, source, "help"), model, "help").__doc__
    return text


def load(repo_dir: str, model: str, source: str = "github", force_reload: bool = False, **kwargs: Any) -> Any:
    """Make a model.

    Args:
        repo_dir: the folder with the `hubconf.py`.
        model: the model's name.
        source: "local"; the others are not supported.
        force_reload: kept; a local folder is read every time.
        kwargs: for the function that makes it.
    Returns:
        What that function returns.
    Raises:
        ValueError: there is no such source, or model is no str.
        RuntimeError: the folder has no `hubconf.py` that runs, that no such function, or it needs packages that are not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.hub.load("models", "net", source="local", classes=10)  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    module = _configuration(repo_dir, source, "load")
    lacking = [name for name in getattr(module, "dependencies", ()) if importlib.util.find_spec(name) is None]
    if lacking:
        raise RuntimeError(f"Missing dependencies of hubconf. Expected them installed. Received: {', '.join(lacking)}")
    return _entry(module, model, "load")(**kwargs)


def load_state_dict_from_url(
    url: str, model_dir: str | None = None, check_hash: bool = False, file_name: str | None = None, map_location: str | None = None
) -> Any:
    """What is in a file of weights, which is downloaded if it is not there.

    Args:
        url (str): its address.
        model_dir (str): the folder that it lies in; None: `checkpoints` in Paddle's folder for what is downloaded.
        check_hash (bool): whether its name ends in `-`, the first digits of its SHA-256 sum, and its content has to have that sum.
        file_name (str): its name in the folder; None: that of the address.
        map_location (str): "numpy" or "np" for arrays; else Tensors, where they are made.
    Returns:
        What `paddle.load` gives.
    Raises:
        AssertionError: map_location is something else.
        RuntimeError: the file cannot be had, or has another sum.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> folder = tempfile.mkdtemp()
        >>> paddle.save({"w": paddle.ones([1])}, os.path.join(folder, "net.pdparams"))
        >>> paddle.hub.load_state_dict_from_url("https://bj.bcebos.com/net.pdparams", folder)["w"].tolist()
        [1.0]

    Follows Paddle 3.3.
    """
    if map_location not in _LOCATIONS:
        raise failed_assertion("map_location", f"one of {', '.join(map(str, _LOCATIONS))}", map_location, "load_state_dict_from_url")
    name = file_name or os.path.basename(urlparse(url).path)
    folder = Path(model_dir or Path(WEIGHTS_HOME).parent / "checkpoints")
    path = folder / name
    if not path.exists():
        get_path_from_url(url, str(folder), decompress=False)
        given = folder / os.path.basename(urlparse(url).path)
        if given != path:
            given.replace(path)
    if check_hash:
        wanted = re.search(r"-([a-f0-9]*)\.", name)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if wanted is not None and not found.startswith(wanted[1]):
            raise RuntimeError(f"Invalid file {path}. Expected a SHA-256 sum that begins with {wanted[1]}. Received: {found}")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
            if len(members) != 1:
                raise RuntimeError(f"Invalid file {path}. Expected an archive of one file. Received: {len(members)} files")
            path = Path(archive.extract(members[0], folder))
    return from_file(str(path), return_numpy=map_location in ("numpy", "np"))


__all__ = ["help", "list", "load", "load_state_dict_from_url"]

__getattr__ = missing(__name__)
