"""`paddle.nn.initializer.constant`: where Paddle 2.6 keeps Constant."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import ConstantInitializer as ConstantInitializer
from paddle_compat.nn.initializer.fixed import Constant

__all__ = ["Constant"]

__getattr__ = missing(__name__)
