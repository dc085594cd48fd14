"""`paddle.fluid.dataloader.dataset`."""

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.dataset import Dataset

__all__ = ["Dataset"]

__getattr__ = missing(__name__)
