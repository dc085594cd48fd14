"""`paddle.nn.initializer.kaiming`: where Paddle 2.6 keeps the initializers of Kaiming He."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer._by_seed import MSRAInitializer as MSRAInitializer
from paddle_compat.nn.initializer.random import KaimingNormal, KaimingUniform

__all__ = ["KaimingNormal", "KaimingUniform"]

__getattr__ = missing(__name__)
