"""`paddle.base.io`: readers, none of which is there; saving and loading is in `paddle.static`."""

from paddle_compat._missing import missing

__all__: list[str] = []

__getattr__ = missing(__name__)
