"""`paddle.fluid.trainer_factory`: descriptions of trainers by name."""

from paddle_compat._missing import missing
from paddle_compat.base.trainer_factory import FetchHandler, FetchHandlerMonitor, TrainerFactory

__all__ = ["FetchHandler", "FetchHandlerMonitor", "TrainerFactory"]

__getattr__ = missing(__name__)
