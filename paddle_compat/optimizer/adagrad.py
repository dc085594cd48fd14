"""`paddle.optimizer.adagrad`: where Paddle 2.6 keeps Adagrad."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Adagrad

__all__ = ["Adagrad"]

__getattr__ = missing(__name__)
