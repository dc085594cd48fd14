"""`paddle.base.layers`: what is left there of the layers of Paddle 1.x."""

from paddle_compat._missing import missing

__all__: list[str] = []

__getattr__ = missing(__name__)
