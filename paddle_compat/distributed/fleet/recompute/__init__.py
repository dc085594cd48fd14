"""`paddle.distributed.fleet.recompute`: values that are computed again instead of kept."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(__name__, {"_recompute": ("recompute", "recompute_hybrid", "recompute_sequential")})
modules(__name__, {"recompute": ("recompute", "recompute_sequential"), "recompute_hybrid": ("recompute_hybrid",)})
