"""`paddle.decomposition.decomp`: the function of the package, in Paddle's own file."""

from paddle_compat._missing import missing
from paddle_compat.decomposition import decompose

__all__ = ["decompose"]

__getattr__ = missing(__name__)
