"""`paddle.utils.lazy_import`: where Paddle 2.6 keeps try_import."""

from paddle_compat._missing import missing
from paddle_compat.utils.checks import try_import

__all__ = ["try_import"]

__getattr__ = missing(__name__)
