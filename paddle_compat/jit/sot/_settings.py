"""Settings of recordings in parts, which have no effect as functions are recorded whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat._missing import missing


@contextmanager
def _no_effect(value: Any) -> Iterator[None]:
    """A setting inside the block."""
    yield


cost_model_guard = min_graph_size_guard = strict_mode_guard = _no_effect

__all__: list[str] = []

__getattr__ = missing(__name__)
