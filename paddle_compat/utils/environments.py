"""`paddle.utils.environments`: environment variables with a type and a default."""

from __future__ import annotations

import os
from typing import Any, Generic, TypeVar

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion

T = TypeVar("T")
_TRUE = frozenset({"1", "true", "on", "yes", "y"})


class EnvironmentVariable(Generic[T]):
    """A variable of the environment, which is asked at every use.

    Args:
        name (str): its name.
        default: what it is where it is not set, or cannot be read.
    """

    _takes: tuple[type, ...] = (str,)
    _wanted = "str"

    def __init__(self, name: str, default: T) -> None:
        self.name, self.default = name, default

    def get(self) -> T:
        """What it is now."""
        text = os.environ.get(self.name)
        try:
            return self.default if text is None else self._read(text)
        except ValueError:
            return self.default

    def set(self, value: T) -> None:
        """Set it for this process and those that it starts."""
        if not isinstance(value, self._takes) or (isinstance(value, bool) and bool not in self._takes):
            raise failed_assertion("value", self._wanted, value, f"EnvironmentVariable({self.name}).set")
        os.environ[self.name] = self._written(value)

    def delete(self) -> None:
        """Unset it."""
        del os.environ[self.name]

    def _read(self, text: str) -> Any:
        return text

    def _written(self, value: Any) -> str:
        return str(value)

    def __repr__(self) -> str:
        return f"Env({self.name}={self.get()!r})"


class StringEnvironmentVariable(EnvironmentVariable[str]):
    """A text."""


class BooleanEnvironmentVariable(EnvironmentVariable[bool]):
    """On or off: 1, true, on, yes and y in any case are on."""

    _takes, _wanted = (bool,), "bool"

    def _read(self, text: str) -> bool:
        return text.lower() in _TRUE

    def _written(self, value: bool) -> str:
        return str(value).lower()


class IntegerEnvironmentVariable(EnvironmentVariable[int]):
    """A whole number."""

    _takes, _wanted = (int,), "int"

    def _read(self, text: str) -> int:
        return int(text)


class StringListEnvironmentVariable(EnvironmentVariable[list[str]]):
    """Texts with commas between them, of Paddle 3."""

    _takes, _wanted = (list,), "list"

    def _read(self, text: str) -> list[str]:
        return text.split(",")

    def _written(self, value: list[str]) -> str:
        return ",".join(value)


class EnvironmentVariableGuard(Generic[T]):
    """A variable's value within a `with` block.

    Args:
        variable (EnvironmentVariable): the variable.
        value: what it is inside.
    """

    def __init__(self, variable: EnvironmentVariable[T], value: T) -> None:
        self.variable = variable
        self.original_value = variable.get()
        variable.set(value)

    def __enter__(self) -> EnvironmentVariableGuard[T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.variable.set(self.original_value)


__all__: list[str] = []

__getattr__ = missing(__name__)
