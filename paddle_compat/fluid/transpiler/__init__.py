"""`paddle.fluid.transpiler`: what rewrites a Program so that many processes train it together."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"collective": ()})
