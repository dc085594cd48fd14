"""`paddle.incubate.distributed.fleet`: fleet as 1.8 had it, under the names that 2.6 keeps it by."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.recompute._recompute": ("recompute_hybrid", "recompute_sequential"),
        "base": (),
        "collective": (),
        "fleet_util": (),
        "parameter_server": (),
        "role_maker": (),
        "utils": (),
    },
)
