"""`paddle.incubate.distributed.fleet.fleet_util`: what jobs with servers do beside training."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.incubate.fleet.utils.fleet_util": ("FleetUtil",)})
