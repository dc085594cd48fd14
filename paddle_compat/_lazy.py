"""Public packages whose names load on first use (PEP 562).

    __getattr__, __dir__, __all__ = lazy(__name__, {"executor": ("Executor",), "nn": ()})

A key is a module (relative to the package, or absolute within `paddle_compat` with a leading dot); its tuple the names
it defines. A module without names is itself the attribute. ``"*"`` for the tuple is the module's `__all__`; such a
module is imported at once, so it is best a lazy package itself. Submodules that are not listed are attributes, too.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ._missing import elsewhere, is_submodule, unsupported

ROOT = __package__


def lazy(
    package: str, modules: Mapping[str, tuple[str, ...] | str], starred: tuple[str, ...] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose modules load on first use.

    Args:
        package: the package's `__name__`.
        modules: module -> public names in it.
        starred: the submodules that `from package import *` brings beside the names; None: all that are listed.
    """

    def load(module: str) -> ModuleType:
        return importlib.import_module(f"{ROOT}{module}" if module.startswith(".") else f"{package}.{module}")

    homes = {name: module for module, names in modules.items() for name in (load(module).__all__ if names == "*" else names)}
    submodules = {module for module, names in modules.items() if not names}
    public = sorted({*homes, *submodules})

    def __getattr__(name: str) -> object:
        if name in homes:
            value: object = getattr(load(homes[name]), name)
        elif is_submodule(package, name):
            value = load(name)
        else:
            value = elsewhere(package, name)
        setattr(sys.modules[package], name, value)
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public})

    return __getattr__, __dir__, public if starred is None else sorted({*homes, *starred})


def modules(package: str, table: Mapping[str, tuple[str, ...]]) -> None:
    """Make modules for the paths that Paddle has a file for and we have not: scripts import from them what the package itself offers.

    Args:
        package: the package's `__name__`; called where it is defined.
        table: module -> the names of the package that are in it.
    """
    for module, names in table.items():
        path = f"{package}.{module}"
        made = ModuleType(path, f"`paddle{path.removeprefix(ROOT or '')}`: a part of `paddle{package.removeprefix(ROOT or '')}`.")
        made.__spec__ = importlib.machinery.ModuleSpec(path, None)
        made.__package__ = package
        vars(made).update(__all__=list(names), __getattr__=_from_package(package, path, names), __dir__=lambda names=names: sorted(names))
        sys.modules[path] = made
        above, _, name = path.rpartition(".")
        parent = vars(sys.modules[above])
        if not parent.setdefault("__path__", []) and name not in parent.get("__all__", ()):  # other packages look for theirs
            parent[name] = made


def _from_package(package: str, path: str, names: tuple[str, ...]) -> Callable[[str], object]:
    def __getattr__(name: str) -> object:
        if name not in names:
            raise unsupported(path, name)
        return getattr(sys.modules[package], name)

    return __getattr__
