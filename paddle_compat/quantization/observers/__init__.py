"""`paddle.quantization.observers`: what watches."""

from paddle_compat._missing import missing
from paddle_compat.quantization.observers.abs_max import AbsmaxObserver
from paddle_compat.quantization.observers.groupwise import GroupWiseWeightObserver

__all__ = ["AbsmaxObserver", "GroupWiseWeightObserver"]

__getattr__ = missing(__name__)
