"""`paddle.fluid.contrib.reader`: readers of several trainers."""

from paddle_compat._missing import missing
from paddle_compat.fluid.contrib.reader.distributed_reader import distributed_batch_reader

__all__ = ["distributed_batch_reader"]

__getattr__ = missing(__name__)
