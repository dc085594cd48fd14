"""`paddle.optimizer.adam`: where Paddle 2.6 keeps Adam."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Adam

__all__ = ["Adam"]

__getattr__ = missing(__name__)
