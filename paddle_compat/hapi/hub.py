"""`paddle.hapi.hub`: the functions of `paddle.hub`, by the path of their module."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.hub import help as help
from paddle_compat.hub import list as list
from paddle_compat.hub import load as load

__all__: list[str] = []  # type: ignore[valid-type]

__getattr__ = missing(__name__)
