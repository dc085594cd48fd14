"""`paddle.incubate.distributed.fleet.parameter_server.distribute_transpiler.distributed_strategy`: how they work together."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy": (
            "AsyncStrategy", "DistributedStrategy", "GeoStrategy", "HalfAsyncStrategy", "StrategyFactory", "SyncStrategy",
            "TrainerRuntimeConfig",
        ),
        ".fluid.transpiler.distribute_transpiler": ("DistributeTranspilerConfig", "DistributedMode", "ServerRuntimeConfig"),
    },
)  # fmt: skip
