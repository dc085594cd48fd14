"""`paddle.fluid.dataloader.collate`, as Paddle 2.0 to 2.4 have it."""

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.collate import default_collate_fn, default_convert_fn

__all__ = ["default_collate_fn", "default_convert_fn"]

__getattr__ = missing(__name__)
