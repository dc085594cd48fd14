"""`fluid.layers.nn`: the neural network layers of Paddle 1.8."""

from paddle_compat._lazy import lazy
from paddle_compat.fluid.layers._homes import NN, absolute

__getattr__, __dir__, __all__ = lazy(__name__, absolute(NN))
