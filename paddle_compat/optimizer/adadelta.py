"""`paddle.optimizer.adadelta`: where Paddle 2.6 keeps Adadelta."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Adadelta

__all__ = ["Adadelta"]

__getattr__ = missing(__name__)
