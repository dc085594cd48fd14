"""`paddle.fluid.parallel_executor`: data parallelism over the devices of this machine."""

from paddle_compat._missing import missing
from paddle_compat.static.parallel_executor import ParallelExecutor

__all__ = ["ParallelExecutor"]

__getattr__ = missing(__name__)
