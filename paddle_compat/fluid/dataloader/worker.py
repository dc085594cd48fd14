"""`paddle.fluid.dataloader.worker`, as Paddle 2.0 to 2.4 have it."""

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.worker import get_worker_info

__all__ = ["get_worker_info"]

__getattr__ = missing(__name__)
