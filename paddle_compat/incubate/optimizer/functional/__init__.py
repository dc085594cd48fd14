"""`paddle.incubate.optimizer.functional`: minima of functions."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"bfgs": ("minimize_bfgs",), "lbfgs": ("minimize_lbfgs",)})
