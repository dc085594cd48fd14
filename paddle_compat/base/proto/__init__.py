"""`paddle.base.proto`: the messages of a program's description."""

from paddle_compat._missing import missing

__all__: list[str] = []

__getattr__ = missing(__name__)
