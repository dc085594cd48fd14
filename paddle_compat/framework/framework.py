"""`paddle.framework.framework`: where Paddle 2.6 keeps the default data type."""

from paddle_compat._missing import missing
from paddle_compat.framework.dtype import get_default_dtype, set_default_dtype

__all__ = ["get_default_dtype", "set_default_dtype"]

__getattr__ = missing(__name__)
