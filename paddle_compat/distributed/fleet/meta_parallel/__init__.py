"""`paddle.distributed.fleet.meta_parallel`: models that processes share out: by tensors, stages, states and sequences."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.layers.mpu.mp_layers": (
            "ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding",
        ),
        ".distributed.fleet.layers.mpu.random": ("RNGStatesTracker", "get_rng_state_tracker", "model_parallel_random_seed"),
        "dualpipev": ("DualPipeVParallel",),
        "meta_parallel_base": ("MetaParallelBase", "SegmentParallel", "ShardingParallel", "TensorParallel"),
        "parallel_layers": (),
        "sharding": (),
        "parallel_layers.pp_layers": ("LayerDesc", "LocalSharedLayerDesc", "PipelineLayer", "SharedLayerDesc"),
        "parallel_layers.spec_utils": ("LayerSpec", "build_spec_layer", "get_spec_layer", "import_spec_layer"),
        "pipeline_parallel": (
            "NoPipelineParallel", "PipelineDatasetPreprocessor", "PipelineParallel", "PipelineParallelMicroStepLocations",
            "PipelineParallelWithInterleave", "PipelineParallelWithInterleaveFthenB", "VPPFhenBInBalancedMemory",
            "register_global_pipeline_parallel_hook",
        ),
        "pp_utils.forward_backward_overlap_utils": ("ScheduleChunk", "ScheduleNode"),
        "pp_utils.utils": ("dict_to_tuple_helper",),
        "zero_bubble_utils": (),
    },
)  # fmt: skip
modules(
    __name__,
    {"segment_parallel": ("SegmentParallel",), "sharding_parallel": ("ShardingParallel",), "tensor_parallel": ("TensorParallel",)},
)
