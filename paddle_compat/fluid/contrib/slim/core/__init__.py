"""`paddle.fluid.contrib.slim.core`: what trains a Program while strategies change it."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {"compressor": ("Compressor", "Context"), "config": ("ConfigFactory",), "strategy": ("Strategy",)}
)
