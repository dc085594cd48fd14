"""`paddle.hub`: what a `hubconf.py` in a folder offers. Nothing is downloaded: `source` has to be "local"."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument


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


__all__ = ["help", "list", "load"]

__getattr__ = missing(__name__)
