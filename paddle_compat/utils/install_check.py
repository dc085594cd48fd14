"""`paddle.utils.install_check`: where Paddle 2.6 keeps run_check."""

from paddle_compat._missing import missing
from paddle_compat.utils.checks import run_check

__all__ = ["run_check"]

__getattr__ = missing(__name__)
