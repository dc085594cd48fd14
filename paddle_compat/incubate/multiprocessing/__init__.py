"""`paddle.incubate.multiprocessing`: Python's, whose processes share the memory of the Tensors that they hand to each other."""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from torch.multiprocessing import reductions

from paddle_compat._lazy import modules
from paddle_compat._missing import missing

__all__: list[str] = []  # as the real one has it
_missing = missing(__name__)


def init_reductions() -> None:
    """Have Tensors handed from process to process by their memory; importing this module does so.

    Example:
        >>> from paddle_compat.incubate import multiprocessing
        >>> multiprocessing.init_reductions()

    Follows Paddle 2.6.
    """
    reductions.init_reductions()


def __getattr__(name: str) -> Any:
    return getattr(multiprocessing, name) if hasattr(multiprocessing, name) else _missing(name)


init_reductions()

modules(__name__, {"reductions": ("init_reductions",)})
