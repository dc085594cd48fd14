"""Operators that scripts register under a namespace: `paddle.ops.NAMESPACE.NAME`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from paddle_compat.core.errors import PreconditionNotMetError


class PythonOpRegistry:
    """Python functions by qualified name, `"NAMESPACE::NAME"`.

    Example:
        >>> from paddle_compat.library import PYTHON_OP_REGISTRY
        >>> PYTHON_OP_REGISTRY.has_operator("nobodys::op")
        False

    Follows Paddle 3.3.
    """

    def __init__(self) -> None:
        self._registry: dict[str, Callable[..., Any]] = {}

    def register(self, name: str, fn: Callable[..., Any]) -> None:
        """Take in a function.

        Args:
            name (str): its qualified name.
            fn (Callable): the function.
        Raises:
            ValueError: there is one of that name.
        """
        if name in self._registry:
            raise ValueError(f"Operator '{name}' is already registered. Expected a new name.")
        self._registry[name] = fn

    def has_operator(self, name: str) -> bool:
        """Whether there is a function of a name.

        Args:
            name (str): the qualified name.
        Returns:
            bool.
        """
        return name in self._registry

    def get_operator(self, name: str) -> Callable[..., Any]:
        """The function of a name.

        Args:
            name (str): the qualified name.
        Returns:
            Callable.
        Raises:
            ValueError: there is none.
        """
        if name not in self._registry:
            raise ValueError(f"Operator '{name}' is not registered. Expected one of {sorted(self._registry)}.")
        return self._registry[name]


PYTHON_OP_REGISTRY = PythonOpRegistry()


class OverloadedOpFunction:
    """An operator by its name, looked for when it is called.

    Args:
        namespace (str), name (str): what it is called.
    """

    def __init__(self, namespace: str, name: str) -> None:
        self.namespace, self.name = namespace, name

    @property
    def callable_fn(self) -> Callable[..., Any]:
        """The function that was registered; PreconditionNotMetError if none was."""
        name = f"{self.namespace}::{self.name}"
        if not PYTHON_OP_REGISTRY.has_operator(name):
            raise PreconditionNotMetError(f"Operator '{name}' is not there. Expected one that `library.custom_op` has made.")
        return PYTHON_OP_REGISTRY.get_operator(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.callable_fn(*args, **kwargs)

    @property
    def default(self) -> Callable[..., Any]:
        """The only overload."""
        return self.callable_fn


class OpNameSpace(ModuleType):
    """The operators of a namespace as attributes.

    Args:
        name (str): the namespace.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"paddle.ops.{name}")
        self.name = name

    def __getattr__(self, name: str) -> OverloadedOpFunction:
        if name.startswith("__"):
            raise AttributeError(name)
        return OverloadedOpFunction(self.name, name)


@cache
def namespace(name: str) -> OpNameSpace:
    """The one of a name."""
    return OpNameSpace(name)
