"""The operators, one file a family. A family loads when one of its operators is first asked for."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.python_operators import OpNameSpace, namespace


def load(type_: str) -> None:
    """Import the families until one registers the operator `type_`: those first that define or name it.

    To look for it in their texts takes a hundredth of what it takes to import them.
    """
    from paddle_compat.core.op import _REGISTRY

    def distance(family: str) -> int:
        text = (Path(__path__[0]) / f"{family}.py").read_text("utf-8")
        return 0 if f"\ndef {type_}(" in text else 1 if f'"{type_}"' in text else 2

    for family in sorted((f for f in FAMILIES if f"{__name__}.{f}" not in sys.modules), key=distance):
        import_module(f"{__name__}.{family}")
        if type_ in _REGISTRY:
            return


def load_all() -> None:
    """Import every family."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")


_FILES = {m.name for m in pkgutil.iter_modules(__path__)}
FAMILIES = sorted(name for name in _FILES if not name.startswith("_"))

if not TYPE_CHECKING:  # every name is there, which would hide mistakes of ours

    def __getattr__(name: str) -> OpNameSpace:
        """`paddle.ops.NAMESPACE`, with the operators that scripts register there (`paddle.library`)."""
        if name.startswith("__") or name in _FILES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "load_library":
            raise UnsupportedError("paddle.ops.load_library", "a library of compiled operators", "paddle.library.custom_op")
        return namespace(name)
