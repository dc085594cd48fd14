"""`paddle.nn.parameter`: parameters, as Paddle 3's scripts make them: `paddle.nn.Parameter(paddle.ones([2]))`."""

from paddle_compat._missing import missing
from paddle_compat.core.tensor import EagerParamBase

Parameter = EagerParamBase

__all__ = ["Parameter"]

__getattr__ = missing(__name__)
