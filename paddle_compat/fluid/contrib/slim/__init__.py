"""`paddle.fluid.contrib.slim`: Programs that compute less, or with few bits, or learn from others."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "core": (),
        "core.compressor": ("Compressor", "Context"),
        "core.config": ("ConfigFactory",),
        "core.strategy": ("Strategy",),
        "distillation": (),
        "graph": (),
        "nas": (),
        "prune": (),
        "quantization": (),
        "searcher": (),
    },
)
