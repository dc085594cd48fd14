"""`paddle.nn.initializer.xavier`: where Paddle 2.6 keeps the initializers of Xavier Glorot."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import XavierInitializer as XavierInitializer
from paddle_compat.nn.initializer.random import XavierNormal, XavierUniform

__all__ = ["XavierNormal", "XavierUniform"]

__getattr__ = missing(__name__)
