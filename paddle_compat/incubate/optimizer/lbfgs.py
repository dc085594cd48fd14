"""`paddle.incubate.optimizer.lbfgs`: LBFGS, which Paddle has moved to `paddle.optimizer` since."""

from paddle_compat._missing import missing
from paddle_compat.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS"]

__getattr__ = missing(__name__)
