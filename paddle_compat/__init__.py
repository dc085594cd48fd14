"""paddle_compat runs PaddlePaddle scripts on PyTorch.

    import paddle_compat as paddle

What a first Program needs is imported here; every other name and submodule loads on first use.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any

from . import _alias
from ._alias import install, uninstall
from .version import commit as __git_commit__
from .version import full_version as __version__

# The public names of the top level, by the module that defines them; "*" is everything in the module's `__all__`.
# Submodules are not listed: a submodule that exists is an attribute.
_NAMES: dict[str, tuple[str, ...] | str] = {
    "_alias": ("install", "uninstall"),
    "core.place": ("CPUPlace", "CUDAPlace", "CUDAPinnedPlace"),
    "core.mode": ("enable_static", "disable_static"),
}
# What a first static Program uses: imported with the package, where it would otherwise be charged to the first step.
_FIRST: tuple[str, ...] = ("core.program",)

_HOMES = {name: module for module, names in _NAMES.items() if names != "*" for name in names}


def _load(module: str) -> Any:
    return importlib.import_module(f"{__name__}.{module}")


def _star_modules() -> list[Any]:
    return [_load(module) for module, names in _NAMES.items() if names == "*"]


def _find(name: str) -> Any:
    if name in _HOMES:
        return getattr(_load(_HOMES[name]), name)
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return _load(name)
    for module in _star_modules():
        if name in module.__all__:
            return getattr(module, name)
    from ._missing import unsupported

    raise unsupported(__name__, name)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        value: Any = sorted({*_HOMES, *(name for module in _star_modules() for name in module.__all__)})
    elif name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = _find(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


# `python -m paddle_compat` imports the package to find the runner (Python's argv says "-m" meanwhile). The script comes
# first there: it may set OMP_NUM_THREADS or FLAGS_* before its own `import paddle`, and torch must not have read them.
if sys.argv[:1] != ["-m"]:
    for _module in _FIRST:
        _load(_module)
