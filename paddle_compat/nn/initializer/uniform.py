"""`paddle.nn.initializer.uniform`: where Paddle 2.6 keeps Uniform."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import UniformInitializer as UniformInitializer
from paddle_compat.nn.initializer.random import Uniform

__all__ = ["Uniform"]

__getattr__ = missing(__name__)
