"""`paddle.nn.initializer.initializer`: where Paddle 2.6 keeps what all initializers have."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer.base import Initializer, calculate_gain

__all__ = ["Initializer", "calculate_gain"]

__getattr__ = missing(__name__)
