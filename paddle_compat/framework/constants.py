"""Numbers by name, and shapes: `paddle.pi`, `paddle.Size`."""

import math

from paddle_compat._missing import missing
from paddle_compat.tensor._tensor_paddle3 import Size

e, inf, nan, pi = math.e, math.inf, math.nan, math.pi
newaxis = None

__all__ = ["Size", "e", "inf", "nan", "newaxis", "pi"]

__getattr__ = missing(__name__)
