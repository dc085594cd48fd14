"""`paddle.fluid.incubate.fleet.utils`: looking at Programs of a job."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"utils": ()})
