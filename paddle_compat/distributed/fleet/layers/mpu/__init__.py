"""`paddle.distributed.fleet.layers.mpu`: layers of tensor parallel models."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "mp_layers": ("ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding"),
        "mp_ops": (),
        "random": ("RNGStatesTracker", "dropout", "get_rng_state_tracker", "model_parallel_random_seed"),
    },
)
