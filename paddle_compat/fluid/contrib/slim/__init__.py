"""`paddle.fluid.contrib.slim`: Programs that compute less, or with few bits."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"prune": (), "quantization": (), "searcher": ()})
