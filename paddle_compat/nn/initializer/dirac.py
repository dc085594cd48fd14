"""`paddle.nn.initializer.dirac`: where Paddle 2.6 keeps Dirac."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer.fixed import Dirac

__all__ = ["Dirac"]

__getattr__ = missing(__name__)
