"""`paddle.distributed.fleet.meta_optimizers`: the layers that a strategy puts around an optimizer."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "amp_optimizer": ("AMPOptimizer",),
        "asp_optimizer": ("ASPOptimizer",),
        "dgc_optimizer": ("DGCMomentumOptimizer", "DGCOptimizer"),
        "dygraph_optimizer": ("DygraphShardingOptimizer", "HybridParallelGradScaler", "HybridParallelOptimizer"),
        "fp16_allreduce_optimizer": ("FP16AllReduceOptimizer",),
        "gradient_merge_optimizer": ("GradientMergeOptimizer",),
        "lamb_optimizer": ("LambOptimizer",),
        "lars_optimizer": ("LarsOptimizer",),
        "localsgd_optimizer": ("AdaptiveLocalSGDOptimizer", "LocalSGDOptimizer"),
        "pipeline_optimizer": ("PipelineOptimizer",),
        "ps_optimizer": ("ParameterServerOptimizer",),
        "qat_optimizer": ("QATOptimizer",),
        "raw_program_optimizer": ("RawProgramOptimizer",),
        "recompute_optimizer": ("RecomputeOptimizer",),
        "sharding_optimizer": ("ShardingOptimizer",),
        "sync_batch_norm_optimizer": ("SyncBatchNormOptimizer",),
        "tensor_parallel_optimizer": ("TensorParallelOptimizer",),
    },
)
modules(__name__, {"parameter_server_optimizer": ("ParameterServerOptimizer",)})
