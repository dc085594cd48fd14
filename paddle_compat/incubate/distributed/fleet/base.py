"""`paddle.incubate.distributed.fleet.base`: what the fleets of 1.8 have in common."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {".fluid.incubate.fleet.base.fleet_base": ("DistributedOptimizer", "Fleet"), ".fluid.incubate.fleet.base.mode": ("Mode",)},
)
