"""The operators, one file a family. A family loads when one of its operators is first asked for."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from pathlib import Path


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


FAMILIES = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
