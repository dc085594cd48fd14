"""Objects that hold named switches, each of its own type, as the strategies of a CompiledProgram do."""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

from paddle_compat.core.errors import invalid_argument


class Switches:
    """Attributes from a table; what is set is checked against the type of the value that it starts with.

    A class that has no table of its own, as a user's, may have attributes besides.
    """

    _table: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        for name, value in self._table.items():
            object.__setattr__(self, name, value.copy() if isinstance(value, (list, set)) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = type(self).__name__
        if name not in self._table and "_table" not in vars(type(self)):
            object.__setattr__(self, name, value)
            return
        if name not in self._table:
            raise AttributeError(f"{kind} has no attribute {name!r}")
        default = self._table[name]
        if default is None:
            if value not in (None, True, False):
                raise invalid_argument(name, "None, True or False", value, kind)
        elif isinstance(default, bool) and (value is None or isinstance(value, (int, float))):
            value = bool(value)
        elif isinstance(default, list) and isinstance(value, (list, tuple, str)):
            value = list(value)
        elif not isinstance(value, type(default)):
            raise TypeError(f"Invalid type for `{name}` of `{kind}`. Expected {type(default).__name__}. Received: {value!r}")
        object.__setattr__(self, name, int(value) if type(default) is int else value)


class Choice(int, Enum):
    """One of some named numbers, which shows itself as pybind's do."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
