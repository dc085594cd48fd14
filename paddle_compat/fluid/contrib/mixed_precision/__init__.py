"""`fluid.contrib.mixed_precision`: mixed precision in Programs of Paddle 1.8."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {"decorator": ("decorate",), "fp16_lists": ("AutoMixedPrecisionLists",), "fp16_utils": ()},
)
