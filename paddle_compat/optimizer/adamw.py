"""`paddle.optimizer.adamw`: where Paddle 2.6 keeps AdamW."""

from paddle_compat._missing import missing
from paddle_compat.optimizer import AdamW

__all__ = ["AdamW"]

__getattr__ = missing(__name__)
