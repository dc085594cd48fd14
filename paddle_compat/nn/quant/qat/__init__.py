"""`paddle.nn.quant.qat`: layers for training with rounded values."""

from paddle_compat._missing import missing
from paddle_compat.nn.quant.qat.conv import QuantedConv2D as QuantedConv2D
from paddle_compat.nn.quant.qat.linear import QuantedLinear as QuantedLinear

__getattr__ = missing(__name__)
