"""`paddle.jit.sot.opcode_translator.executor.executor_cache`: recordings belong to their functions, so nothing is kept here."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing


class OpcodeExecutorCache:
    """The one object that harnesses clear between two tests."""

    _only: OpcodeExecutorCache | None = None

    def __new__(cls) -> OpcodeExecutorCache:
        cls._only = cls._only or super().__new__(cls)
        return cls._only

    def clear(self) -> None:
        """Nothing to do."""


__all__: list[str] = []

__getattr__: Any = missing(__name__)
