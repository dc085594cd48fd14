"""`paddle.metric`: how good predictions are."""

from paddle_compat._missing import missing
from paddle_compat.metric.metrics import accuracy

__all__ = ["accuracy"]

__getattr__ = missing(__name__)
