"""`paddle.distributed.fleet.recompute`: values that are computed again instead of kept."""

from paddle_compat._lazy import lazy, modules

_INSIDE = ("check_recompute_necessary", "recompute", "recompute_sequential", "switch_rng_state_tracker")

__getattr__, __dir__, __all__ = lazy(__name__, {"_recompute": (*_INSIDE, "recompute_hybrid")})
modules(__name__, {"recompute": _INSIDE, "recompute_hybrid": ("recompute_hybrid",)})
