"""`paddle.base.initializer`: the initializers that new parameters take."""

from paddle_compat._missing import missing
from paddle_compat.nn.initializer import set_global_initializer

__all__ = ["set_global_initializer"]

__getattr__ = missing(__name__)
