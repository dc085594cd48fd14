"""`paddle.base.libpaddle`: Paddle's C++ module itself, whose names `paddle.base.core` hands on."""

from importlib import import_module

from paddle_compat._missing import missing
from paddle_compat.base import core
from paddle_compat.base.core import *  # noqa: F403

_missing = missing(__name__)
__all__ = list(core.__all__)


def __getattr__(name: str) -> object:
    if name == "pir":
        return import_module("paddle_compat.pir")
    return getattr(core, name) if hasattr(core, name) else _missing(name)
