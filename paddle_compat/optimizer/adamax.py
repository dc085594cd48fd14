"""`paddle.optimizer.adamax`: where Paddle 2.6 keeps Adamax."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import Adamax

__all__ = ["Adamax"]

__getattr__ = missing(__name__)
