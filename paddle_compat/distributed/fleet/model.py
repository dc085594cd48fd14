"""`paddle.distributed.fleet.model`: a model as the strategy wants it, and the wrappers that it may get."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet._fleet": ("distributed_model",),
        ".distributed.fleet.base.topology": ("ParallelMode",),
        ".distributed.fleet.meta_parallel": (
            "PipelineLayer", "PipelineParallel", "PipelineParallelWithInterleave", "PipelineParallelWithInterleaveFthenB",
            "SegmentParallel", "ShardingParallel", "TensorParallel",
        ),
    },
)  # fmt: skip
