"""`paddle.batch`: a reader of batches from a reader of samples."""

from paddle_compat._missing import missing
from paddle_compat.reader._batch import batch

__all__ = ["batch"]

__getattr__ = missing(__name__)
