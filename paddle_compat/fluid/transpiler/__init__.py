"""`paddle.fluid.transpiler`: what rewrites a Program so that many processes train it together."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid._memory": ("memory_optimize", "release_memory"),
        "collective": (),
        "details": (),
        "distribute_transpiler": ("DistributeTranspiler", "DistributeTranspilerConfig"),
        "geo_sgd_transpiler": (),
        "ps_dispatcher": ("HashName", "RoundRobin"),
    },
)
modules(__name__, {"memory_optimization_transpiler": ("memory_optimize", "release_memory")})
