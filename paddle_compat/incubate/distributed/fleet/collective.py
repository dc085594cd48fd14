"""`paddle.incubate.distributed.fleet.collective`: 1.8's fleet of workers alone."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.incubate.fleet.collective": (
            "Collective", "CollectiveOpBasedOptimizer", "CollectiveOptimizer", "DistributedOptimizer", "DistributedStrategy", "Fleet",
            "Mode", "fleet",
        )
    },
)  # fmt: skip
