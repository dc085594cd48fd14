"""`paddle.fluid.layers`: everything that a network of Paddle 1.8 is built of."""

from paddle_compat._lazy import lazy
from paddle_compat.fluid.layers._homes import DETECTION, NN, OTHERS

_HOMES = {module: (*NN.get(module, ()), *OTHERS.get(module, ())) for module in {**NN, **OTHERS}}
__getattr__, __dir__, __all__ = lazy(__name__, {**_HOMES, **DETECTION, "nn": ()})
