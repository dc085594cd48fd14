"""`paddle.nn.initializer.assign`: where Paddle 2.6 keeps Assign."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import NumpyArrayInitializer as NumpyArrayInitializer
from paddle_compat.nn.initializer.fixed import Assign

__all__ = ["Assign"]

__getattr__ = missing(__name__)
