"""Objects that hold named switches, each of its own type, as the strategies of a CompiledProgram do."""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument


class Switches:
    """Attributes from a table; what is set is checked against the type of the value that it starts with.

    A class that has no table of its own, as a user's, may have attributes besides.
    """

    _table: ClassVar[dict[str, Any]] = {}
    _late: ClassVar[frozenset[str]] = frozenset()  # what can still be set when the others are final
    _numbers: ClassVar[range] = range(1 << 64)  # that a switch can be
    _is_finalized: bool
    _chosen: set[str]  # what was set by hand

    def __init__(self) -> None:
        object.__setattr__(self, "_is_finalized", False)
        object.__setattr__(self, "_chosen", set())
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
        if self._is_finalized and name not in self._late:
            raise PreconditionNotMetError(f"{kind} has been finalized, cannot be configured again. Received: {name}={value!r}")
        if default is None:
            if value is not None and not isinstance(value, bool):
                raise invalid_argument(name, "None, True or False", value, kind)
        elif isinstance(default, bool) and (value is None or isinstance(value, (int, float))):
            value = bool(value)
        elif isinstance(default, list) and isinstance(value, (list, tuple, str)):
            value = list(value)
        elif isinstance(default, str) and isinstance(value, bytes):
            value = value.decode()
        if default is not None and not isinstance(value, type(default)) or isinstance(value, list) and set(map(type, value)) - {str}:
            raise TypeError(f"Invalid type for `{name}` of `{kind}`. Expected {type(default).__name__}. Received: {value!r}")
        if type(default) is int and int(value) not in self._numbers:
            raise TypeError(f"Invalid value for `{name}` of `{kind}`. Expected one of {self._numbers}. Received: {value!r}")
        object.__setattr__(self, name, int(value) if type(default) is int else value)
        self._chosen.add(name)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Attribute {name!r} of {type(self).__name__} cannot be deleted")

    def __str__(self) -> str:
        return "\n".join([f"{type(self).__name__}:", *(f"{name}: {getattr(self, name)}" for name in self._table)])


class Choice(int, Enum):
    """One of some named numbers, which shows itself as pybind's do."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
