"""`paddle.incubate.distributed.fleet.parameter_server.distribute_transpiler`: 1.8's fleet of servers and workers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.incubate.fleet.parameter_server.distribute_transpiler": (
            "AsyncStrategy", "DistributeTranspilerConfig", "DistributedOptimizer", "DistributedStrategy", "Fleet", "GeoStrategy",
            "HalfAsyncStrategy", "MPISymetricRoleMaker", "Mode", "StrategyFactory", "SyncStrategy", "TrainerRuntimeConfig", "fleet",
        ),
        ".static": ("CompiledProgram", "Executor", "Program", "default_main_program", "default_startup_program"),
        ".fluid.transpiler.details.checkport": ("wait_server_ready",),
        "distributed_strategy": (),
    },
)  # fmt: skip
