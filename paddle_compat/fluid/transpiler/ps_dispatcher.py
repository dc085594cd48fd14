"""`paddle.fluid.transpiler.ps_dispatcher`: which server gets which variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing


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
    """A variable's name says which server it gets: the same one whenever it is asked, in one process.

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
            varlist (list): of variables whose `name` is a method, as descriptions have it.
        Returns:
            list: endpoints.
        """
        return [self._eps[hash(each.name()) % len(self._eps)] for each in varlist]


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


__all__ = ["HashName", "PSDispatcher", "RoundRobin"]
__getattr__ = missing(__name__)
