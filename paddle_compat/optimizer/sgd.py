"""`paddle.optimizer.sgd`: where Paddle 2.6 keeps SGD."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import SGD

__all__ = ["SGD"]

__getattr__ = missing(__name__)
