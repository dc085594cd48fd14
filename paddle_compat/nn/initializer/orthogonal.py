"""`paddle.nn.initializer.orthogonal`: where Paddle 2.6 keeps Orthogonal."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer.fixed import Orthogonal

__all__ = ["Orthogonal"]

__getattr__ = missing(__name__)
