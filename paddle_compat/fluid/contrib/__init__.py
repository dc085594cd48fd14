"""`paddle.fluid.contrib`: what Paddle 1.8 kept beside its main modules."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"layers": ()})
