"""Puts the import hook on while a Python process starts.

Three things run this file: PYTHONPATH, which a process with the hook sets for its children where paddle_compat is not
installed (Python then imports a `sitecustomize` from there); the paddle_compat.pth of an installed package, for
children again; and the paddle_compat_alias.pth that `python -m paddle_compat alias on` writes, for every process.

A child may be any Python, so the syntax is old, and nothing happens in one that belongs to another environment.
"""

import os
import sys


def _install() -> None:
    name = "paddle_compat._alias"
    module = sys.modules.get(name)
    if module is None:
        import importlib.util

        here = os.path.dirname(os.path.abspath(__file__))
        # Loaded by its path: importing it through the package would import torch.
        spec = importlib.util.spec_from_file_location(name, os.path.join(os.path.dirname(here), "_alias.py"))
        assert spec is not None and spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    module.install()


def _is_child() -> bool:
    return os.environ.get("PADDLE_COMPAT") == "1" and os.environ.get("PADDLE_COMPAT_PREFIX", sys.prefix) == sys.prefix


def _run_next() -> None:
    """Import the `sitecustomize` that this one hides, and leave no trace on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.getcwd()) != here]
    this = sys.modules.pop("sitecustomize")
    try:
        __import__("sitecustomize")
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = this


if __name__ == "paddle_compat_alias" or _is_child():
    _install()
if __name__ == "sitecustomize":
    _run_next()
