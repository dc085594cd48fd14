"""`paddle.metric`: how good predictions are."""

from paddle_compat.metric.metrics import accuracy

__all__ = ["accuracy"]
