"""`paddle.incubate.multiprocessing`: Python's, whose processes share the memory of the Tensors that they hand to each other."""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403
from multiprocessing.reduction import ForkingPickler
from typing import Any

from torch.multiprocessing import reductions

from paddle_compat._lazy import modules
from paddle_compat._missing import missing
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.tensor_pickles import reduced_to_torch

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
    for kind in (Tensor, EagerParamBase):  # whose pickles hold arrays where Paddle 3.3 is to read them
        ForkingPickler.register(kind, reduced_to_torch)


def __getattr__(name: str) -> Any:
    return getattr(multiprocessing, name) if hasattr(multiprocessing, name) else _missing(name)


init_reductions()

modules(__name__, {"reductions": ("init_reductions",)})
