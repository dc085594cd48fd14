"""`paddle.distributed.fleet.meta_parallel.parallel_layers`: where Paddle has the layers of `meta_parallel`."""

from paddle_compat._lazy import lazy, modules

_LAYERS = ("ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding")
_NUMBERS = ("RNGStatesTracker", "get_rng_state_tracker", "model_parallel_random_seed")

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.layers.mpu.mp_layers": _LAYERS,
        ".distributed.fleet.layers.mpu.random": _NUMBERS,
        "random": (),
        "pp_layers": ("LayerDesc", "LocalSharedLayerDesc", "PipelineLayer", "SharedLayerDesc"),
        "spec_utils": ("LayerSpec", "build_spec_layer", "get_spec_layer", "import_spec_layer"),
    },
)

modules(__name__, {"mp_layers": _LAYERS})
