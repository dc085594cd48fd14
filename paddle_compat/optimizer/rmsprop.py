"""`paddle.optimizer.rmsprop`: where Paddle 2.6 keeps RMSProp."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import RMSProp

__all__ = ["RMSProp"]

__getattr__ = missing(__name__)
