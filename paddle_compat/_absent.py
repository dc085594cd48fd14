"""Modules of Paddle that no file here is: those that have moved, and public ones of which nothing is here.

Scripts may import the latter, and hear of a name when they ask for it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from ._alias import AliasLoader, _Keeping
from ._missing import ABSENT, alternative, unsupported
from .core import _later, gpu_only

PACKAGE = __package__ or ""
# what the wheels' own `__all__` lead to, without what cannot be reached here, and what libraries import
MODULES = frozenset("""
    cost_model
    device.custom_device
    distributed.communicator
    distributed.flex_checkpoint.aoa distributed.flex_checkpoint.aoa.aoa_engine distributed.flex_checkpoint.aoa.lexer
    distributed.flex_checkpoint.aoa.macros distributed.flex_checkpoint.dcp.full_param
    fluid.net_drawer
    incubate.cc incubate.cc.fuse
    incubate.passes incubate.passes.fuse_resnet_unit_pass incubate.passes.ir
    optimizer.fusion_utils
""".split())  # fmt: skip


class AbsentFinder:
    """The last entry of `sys.meta_path`: it has what no file has."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module that it has become, or one without any names."""
        head, _, name = fullname.partition(".")
        if head != PACKAGE:
            return None
        if name not in MODULES:
            return _moved(fullname, _later.file(name))
        has_modules = any(each.startswith(f"{name}.") for each in MODULES)
        return ModuleSpec(fullname, AbsentLoader(), origin=ABSENT, is_package=has_modules)  # type: ignore[arg-type]


class AbsentLoader:
    """Makes modules that refuse every name."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Leave that to importlib."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Refuse what is asked for by its name, or where it is called."""
        path = module.__name__

        def __getattr__(name: str) -> object:
            short = path.removeprefix(f"{PACKAGE}.")
            if refusing := gpu_only.refusing(short, name, alternative(f"paddle.{short}.{name}")):
                return refusing
            raise unsupported(path, name)

        vars(module).update(__doc__=f"`paddle{path.removeprefix(PACKAGE)}`, of which nothing is here.", __getattr__=__getattr__)


class MovedLoader(AliasLoader):
    """Hands out the module that one has become, as the import hook does; its package keeps a function of its name."""

    def exec_module(self, module: ModuleType) -> None:
        """Put back what importlib wrote into the module."""
        package, _, name = module.__spec__.name.rpartition(".")  # type: ignore[union-attr]
        super().exec_module(module)
        if not isinstance(getattr(sys.modules[package], name, module), ModuleType):
            sys.modules[package].__class__ = _Keeping


class MovedFinder:
    """The first entry of `sys.meta_path`: what is below a package that has moved is not loaded a second time from its files."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module below the one that the package has become."""
        parent, _, name = fullname.rpartition(".")
        package = sys.modules.get(parent) if parent.startswith(f"{PACKAGE}.") else None
        if package is None or package.__name__ == parent:
            return None
        home = _later.FILES.get(fullname.removeprefix(f"{PACKAGE}."), f"{package.__name__}.{name}".removeprefix(f"{PACKAGE}."))
        return _moved(fullname, home)


def _moved(fullname: str, home: str | None) -> ModuleSpec | None:
    real = None
    with contextlib.suppress(ModuleNotFoundError):  # of a package that is not there
        real = importlib.util.find_spec(f"{PACKAGE}.{home}") if home else None
    if real is None:
        return None
    places = real.submodule_search_locations
    spec = ModuleSpec(fullname, MovedLoader(real), origin=real.origin, is_package=places is not None)  # type: ignore[arg-type]
    return spec


def install() -> None:
    """Let Python find them."""
    if AbsentFinder not in sys.meta_path:
        sys.meta_path.insert(0, MovedFinder)
        sys.meta_path.append(AbsentFinder)
