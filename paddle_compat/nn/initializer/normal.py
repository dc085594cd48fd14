"""`paddle.nn.initializer.normal`: where Paddle 2.6 keeps the normal initializers."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import NormalInitializer as NormalInitializer
from paddle_compat.nn.initializer._by_seed import TruncatedNormalInitializer as TruncatedNormalInitializer
from paddle_compat.nn.initializer.random import Normal, TruncatedNormal

__all__ = ["Normal", "TruncatedNormal"]

__getattr__ = missing(__name__)
