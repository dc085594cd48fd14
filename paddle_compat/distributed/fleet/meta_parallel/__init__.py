"""`paddle.distributed.fleet.meta_parallel`: models shared out by tensors and stages, for one process along both axes."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.layers.mpu.mp_layers": (
            "ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding",
        ),
        ".distributed.fleet.layers.mpu.random": ("RNGStatesTracker", "get_rng_state_tracker", "model_parallel_random_seed"),
        "meta_parallel_base": ("MetaParallelBase", "SegmentParallel", "ShardingParallel", "TensorParallel"),
        "parallel_layers": (),
        "parallel_layers.pp_layers": ("LayerDesc", "PipelineLayer", "SharedLayerDesc"),
        "pipeline_parallel": ("PipelineParallel",),
    },
)  # fmt: skip
modules(
    __name__,
    {"segment_parallel": ("SegmentParallel",), "sharding_parallel": ("ShardingParallel",), "tensor_parallel": ("TensorParallel",)},
)
