"""`paddle.optimizer.momentum`: where Paddle 2.6 keeps Momentum."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Momentum

__all__ = ["Momentum"]

__getattr__ = missing(__name__)
