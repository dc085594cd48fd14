"""`paddle.fluid.dygraph.dygraph_to_static.convert_call_func`: functions that rewritten code calls are rewritten, too."""

from paddle_compat._missing import missing
from paddle_compat.jit.dy2static.convert_call_func import convert_call

__all__ = ["convert_call"]

__getattr__ = missing(__name__)
