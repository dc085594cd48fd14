"""`paddle.static.log_helper`: loggers of scripts and libraries."""

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger

__all__ = ["get_logger"]

__getattr__ = missing(__name__)
