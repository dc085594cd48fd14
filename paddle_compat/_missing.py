"""What a public module answers for a name that it does not have.

    __getattr__ = missing(__name__)

at the end of a public package makes unknown attributes raise `UnsupportedError` instead of a bare AttributeError.
"""

from __future__ import annotations

import difflib
import functools
import os
import sys
from collections.abc import Callable

from .core.errors import UnsupportedError

NAMES_FILE = os.path.join(os.path.dirname(__file__), "_paddle_names.txt")


def missing(module: str) -> Callable[[str], object]:
    """The `__getattr__` of a public module that has nothing to load lazily.

    Args:
        module: the module's `__name__`.
    """

    def __getattr__(name: str) -> object:
        raise unsupported(module, name)

    return __getattr__


def unsupported(module: str, name: str) -> AttributeError:
    """The error for `name`, which `module` does not have: does some Paddle have it, and which?

    Names with two leading underscores are Python's questions, not a script's, and get the plain error.
    """
    if name.startswith("__"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    api = f"paddle{module.removeprefix('paddle_compat')}.{name}"
    error = UnsupportedError(api)
    versions = known_names().get(api)
    if versions:
        note = f"PaddlePaddle has it in {' and '.join(versions)}."
    else:
        note = "No release of PaddlePaddle that paddle_compat knows has it either."
        for near in difflib.get_close_matches(name, dir(sys.modules.get(module)), 1):
            note += f" Did you mean `{near}`?"
    error.args = (f"{error} {note}",)
    return error


@functools.cache
def known_names() -> dict[str, list[str]]:
    """Every public name of the real wheels -> the versions that have it."""
    names: dict[str, list[str]] = {}
    with open(NAMES_FILE, encoding="ascii") as file:
        for line in file:
            version, module, *members = line.split()
            for api in (module, *(f"{module}.{member}" for member in members)):
                versions = names.setdefault(api, [])
                if versions[-1:] != [version]:
                    versions.append(version)
    return names
