"""`paddle.jit.sot.opcode_translator.executor.executor_cache`: how many recordings were made; they themselves belong to their functions."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing


class OpcodeExecutorCache:
    """The one object that harnesses clear between two tests, and ask how often something was recorded since."""

    _only: OpcodeExecutorCache | None = None
    cache: dict[Any, set[Any]]  # the code of a function -> what its recordings are kept by

    def __new__(cls) -> OpcodeExecutorCache:
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._only.cache = {}
        return cls._only

    def clear(self) -> None:
        """Begin to count anew."""
        self.cache.clear()

    def note(self, code: Any, key: Any) -> None:
        """Count a recording, once for all objects that stand for the function."""
        self.cache.setdefault(code, set()).add(key)

    @property
    def translate_count(self) -> int:
        """How many recordings were made."""
        return sum(map(len, self.cache.values()))


__all__: list[str] = []

__getattr__: Any = missing(__name__)
