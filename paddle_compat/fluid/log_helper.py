"""`paddle.fluid.log_helper`: loggers."""

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import *  # noqa: F403
from paddle_compat.base.log_helper import __all__ as __all__

__getattr__ = missing(__name__)
