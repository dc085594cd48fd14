"""`paddle.incubate.distributed.fleet`."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {".distributed.fleet.recompute._recompute": ("recompute_sequential",), "utils": ()}
)
