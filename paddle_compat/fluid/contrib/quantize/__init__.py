"""`paddle.fluid.contrib.quantize`: training with values rounded to few bits."""

from paddle_compat._missing import missing
from paddle_compat.fluid.contrib.quantize.quantize_transpiler import QuantizeTranspiler

__all__ = ["QuantizeTranspiler"]

__getattr__ = missing(__name__)
