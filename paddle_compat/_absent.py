"""Public modules of Paddle of which nothing is here: scripts may import them, and hear of a name when they ask for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from ._missing import ABSENT, unsupported

PACKAGE = __package__ or ""
# what the wheels' own `__all__` lead to, without what cannot be reached here
MODULES = frozenset("""
    cost_model
    device.custom_device
    fluid.net_drawer
    incubate.cc incubate.cc.fuse
""".split())  # fmt: skip


class AbsentFinder:
    """The last entry of `sys.meta_path`: it has what no file has."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """A module without any names."""
        head, _, name = fullname.partition(".")
        if head != PACKAGE or name not in MODULES:
            return None
        has_modules = any(each.startswith(f"{name}.") for each in MODULES)
        return ModuleSpec(fullname, AbsentLoader(), origin=ABSENT, is_package=has_modules)  # type: ignore[arg-type]


class AbsentLoader:
    """Makes modules that refuse every name."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Leave that to importlib."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Refuse what is asked for, by its name."""
        path = module.__name__

        def __getattr__(name: str) -> object:
            raise unsupported(path, name)

        vars(module).update(__doc__=f"`paddle{path.removeprefix(PACKAGE)}`, of which nothing is here.", __getattr__=__getattr__)


def install() -> None:
    """Let Python find them."""
    if AbsentFinder not in sys.meta_path:
        sys.meta_path.append(AbsentFinder)
