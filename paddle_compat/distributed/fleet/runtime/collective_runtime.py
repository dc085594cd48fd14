"""`paddle.distributed.fleet.runtime.collective_runtime`."""

from __future__ import annotations

import logging
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.runtime.runtime_base import RuntimeBase


class CollectiveRuntime(RuntimeBase):
    """That of a job without servers: it warns of calls that are for servers and their workers.

    Example:
        >>> from paddle_compat.distributed.fleet.runtime import CollectiveRuntime
        >>> runtime = CollectiveRuntime()
        >>> runtime._set_basic_info({"loss": None})
        >>> runtime.context
        {'loss': None}

    Follows Paddle 2.6.
    """

    def _init_worker(self) -> None:
        _warn("init_worker")

    def _run_worker(self) -> None:
        _warn("run_worker")

    def _init_server(self, *args: Any, **kwargs: Any) -> None:
        _warn("init_server")

    def _run_server(self) -> None:
        _warn("run_server")

    def _stop_worker(self) -> None:
        _warn("stop_worker")


def _warn(name: str) -> None:
    logging.warning(f"You should not call '{name}' method for collective mode.")  # by the root logger, as 1.8's fleet


__all__: list[str] = []
__getattr__ = missing(__name__)
