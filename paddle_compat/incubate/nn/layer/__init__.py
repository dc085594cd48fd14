"""The layers of `paddle.incubate.nn`."""

from paddle_compat._missing import missing

__all__: list[str] = []

__getattr__ = missing(__name__)
