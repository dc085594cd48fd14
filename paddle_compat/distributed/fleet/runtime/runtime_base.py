"""`paddle.distributed.fleet.runtime.runtime_base`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing


class RuntimeBase:
    """What a fleet calls between `minimize` and a process's end: nothing, unless a kind of job says more.

    Attributes:
        context (dict): what `_set_basic_info` was told.

    Example:
        >>> from paddle_compat.distributed.fleet.runtime.runtime_base import RuntimeBase
        >>> runtime = RuntimeBase()
        >>> runtime._set_basic_info({"loss": None})
        >>> runtime._run_worker(), runtime.context
        (None, {'loss': None})

    Follows Paddle 2.6.
    """

    def _set_basic_info(self, context: dict[str, Any]) -> None:
        self.context = context

    def _run_worker(self) -> None:
        """Nothing."""

    def _init_server(self, *args: Any, **kwargs: Any) -> None:
        """Nothing."""

    def _run_server(self) -> None:
        """Nothing."""

    def _stop_worker(self) -> None:
        """Nothing."""

    def _save_inference_model(self, *args: Any, **kwargs: Any) -> None:
        """Nothing."""

    def _save_persistables(self, *args: Any, **kwargs: Any) -> None:
        """Nothing."""


__all__: list[str] = []
__getattr__ = missing(__name__)
