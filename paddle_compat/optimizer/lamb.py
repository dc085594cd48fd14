"""`paddle.optimizer.lamb`: where Paddle 2.6 keeps Lamb."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Lamb

__all__ = ["Lamb"]

__getattr__ = missing(__name__)
