"""`paddle.nn.layer.distance`: where Paddle 2.6 keeps PairwiseDistance."""

from paddle_compat._missing import missing
from paddle_compat.nn import PairwiseDistance

__all__ = ["PairwiseDistance"]

__getattr__ = missing(__name__)
