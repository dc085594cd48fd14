"""`paddle.decomposition`: operators rewritten as more elementary ones, which Paddle does for its compiler."""

from paddle_compat._missing import missing
from paddle_compat.decomposition.decomp import decompose

__all__ = ["decompose"]

__getattr__ = missing(__name__)
