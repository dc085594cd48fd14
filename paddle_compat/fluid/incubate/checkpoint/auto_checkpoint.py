"""`paddle.fluid.incubate.checkpoint.auto_checkpoint`: epochs that PaddleCloud may begin again, as Paddle 2.0 to 2.4 has them."""

from paddle_compat._missing import missing
from paddle_compat.base.incubate.checkpoint.auto_checkpoint import train_epoch_range

__all__ = ["train_epoch_range"]
__getattr__ = missing(__name__)
