"""`paddle.distributed.fleet.meta_parallel`: models shared out by tensors and stages, for one process along both axes."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.layers.mpu.mp_layers": (
            "ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding",
        ),
        ".distributed.fleet.layers.mpu.random": ("RNGStatesTracker", "get_rng_state_tracker", "model_parallel_random_seed"),
        "parallel_layers": (),
        "parallel_layers.pp_layers": ("LayerDesc", "PipelineLayer", "SharedLayerDesc"),
    },
)  # fmt: skip
