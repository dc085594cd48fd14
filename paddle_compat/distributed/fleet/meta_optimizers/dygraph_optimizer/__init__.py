"""`paddle.distributed.fleet.meta_optimizers.dygraph_optimizer`: the optimizers of models that processes share out in eager mode."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "dygraph_sharding_optimizer": ("DygraphShardingOptimizer",),
        "hybrid_parallel_gradscaler": ("HybridParallelGradScaler",),
        "hybrid_parallel_optimizer": ("HybridParallelClipGrad", "HybridParallelOptimizer"),
    },
)
