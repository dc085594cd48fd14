"""`paddle.distributed.transpiler`: what 2.6 has of 1.8's `fluid.transpiler`."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid._memory": ("memory_optimize", "release_memory"),
        "details": (),
        "distribute_transpiler": ("DistributeTranspiler", "DistributeTranspilerConfig"),
    },
)
modules(__name__, {"memory_optimization_transpiler": ("memory_optimize", "release_memory")})
