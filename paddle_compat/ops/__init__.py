"""The operators, one file a family. A family loads when one of its operators is first asked for."""

from __future__ import annotations

import pkgutil
from importlib import import_module


def load(type_: str) -> None:
    """Import the families until one registers the operator `type_`."""
    from paddle_compat.core.op import _REGISTRY

    for family in FAMILIES:
        import_module(f"{__name__}.{family}")
        if type_ in _REGISTRY:
            return


def load_all() -> None:
    """Import every family."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")


FAMILIES = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
