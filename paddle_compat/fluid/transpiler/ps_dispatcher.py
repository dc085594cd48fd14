"""`paddle.fluid.transpiler.ps_dispatcher`: which server gets which variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError


class PSDispatcher:
    """What gives each variable an endpoint; use `RoundRobin` or `HashName`.

    Args:
        pserver_endpoints (list): of the servers.

    Example:
        >>> from paddle_compat.fluid.transpiler.ps_dispatcher import PSDispatcher
        >>> PSDispatcher(["a:1", "b:2"]).eps
        ['a:1', 'b:2']

    Follows Paddle 1.8.
    """

    def __init__(self, pserver_endpoints: list[str]) -> None:
        self._eps = pserver_endpoints
        self._step = 0

    @property
    def eps(self) -> list[str]:
        """The servers' endpoints."""
        return self._eps

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """The endpoint of each variable: a subclass says.

        Args:
            varlist (list): of variables.
        Returns:
            list: endpoints.
        Raises:
            UnsupportedError: the class does not say.

        Example:
            >>> from paddle_compat.fluid.transpiler.ps_dispatcher import PSDispatcher
            >>> class First(PSDispatcher):
            ...     def dispatch(self, varlist):
            ...         return self.eps[:1] * len(varlist)
            >>> First(["a:1", "b:2"]).dispatch(["v", "w"])
            ['a:1', 'a:1']
        """
        raise UnsupportedError("fluid.transpiler.PSDispatcher.dispatch", f"a {type(self).__name__}", "RoundRobin or HashName")

    def reset(self) -> None:
        """Begin with the first server again.

        Example:
            >>> from paddle_compat.fluid.transpiler import RoundRobin
            >>> servers = RoundRobin(["a:1", "b:2"])
            >>> first = servers.dispatch(["w"])
            >>> servers.reset()
            >>> servers.dispatch(["w"]) == first
            True
        """
        self._step = 0


class HashName(PSDispatcher):
    """A variable's name says which server it gets: the same one whenever and wherever it is asked.

    Args:
        pserver_endpoints (list): of the servers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> servers = fluid.transpiler.HashName(["a:1", "b:2"])
        >>> values = [type("Var", (), {"name": lambda self: "w"})()] * 2
        >>> len(set(servers.dispatch(values)))
        1

    Follows Paddle 1.8.
    """

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """The endpoint of each variable.

        Args:
            varlist (list): of names, Variables, or descriptions, whose `name` is a method.
        Returns:
            list: endpoints.
        """
        return [self._eps[crc32(_name(each).encode()) % len(self._eps)] for each in varlist]


class RoundRobin(PSDispatcher):
    """Servers get variables in turn.

    Args:
        pserver_endpoints (list): of the servers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> servers = fluid.transpiler.RoundRobin(["a:1", "b:2"])
        >>> servers.dispatch(["u", "v", "w"]), servers.dispatch(["x"])
        (['a:1', 'b:2', 'a:1'], ['b:2'])

    Follows Paddle 1.8.
    """

    def dispatch(self, varlist: Sequence[Any]) -> list[str]:
        """The endpoint of each variable.

        Args:
            varlist (list): of variables.
        Returns:
            list: endpoints.
        """
        found = []
        for _ in varlist:
            found.append(self._eps[self._step])
            self._step = (self._step + 1) % len(self._eps)
        return found


def _name(var: Any) -> str:
    """A variable's name."""
    name = var if isinstance(var, str) else var.name
    return str(name() if callable(name) else name)


__all__ = ["HashName", "PSDispatcher", "RoundRobin"]
__getattr__ = missing(__name__)
