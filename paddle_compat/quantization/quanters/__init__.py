"""`paddle.quantization.quanters`: what rounds."""

from paddle_compat._missing import missing
from paddle_compat.quantization.quanters.abs_max import FakeQuanterWithAbsMaxObserver

__all__ = ["FakeQuanterWithAbsMaxObserver"]

__getattr__ = missing(__name__)
