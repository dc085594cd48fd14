"""`paddle.base.io`: loaders over generators; saving and loading is in `paddle.static`."""

from paddle_compat._missing import missing
from paddle_compat.base.reader import DataLoader as DataLoader
from paddle_compat.base.reader import PyReader as PyReader

__all__: list[str] = []

__getattr__ = missing(__name__)
