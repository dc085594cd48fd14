"""`paddle.fluid.contrib`: what Paddle 1.8 kept beside its main modules."""

from paddle_compat._lazy import lazy
from paddle_compat.fluid.contrib.layers import _HOMES

_LAYERS = {f"layers.{module}": names for module, names in _HOMES.items()}
__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        **_LAYERS,
        "decoder.beam_search_decoder": ("BeamSearchDecoder", "InitState", "StateCell", "TrainingDecoder"),
        "extend_optimizer": ("extend_with_decoupled_weight_decay",),
        "layers": (),
        "mixed_precision": ("AutoMixedPrecisionLists", "decorate"),
        "memory_usage_calc": ("memory_usage",),
        "model_stat": ("summary",),
        "op_frequence": ("op_freq_statistic",),
        "quantize": ("QuantizeTranspiler",),
        "reader": ("distributed_batch_reader",),
        "slim": (),
        "slim.core.compressor": ("Compressor",),
        "utils": (),
        "utils.hdfs_utils": ("HDFSClient", "multi_download", "multi_upload"),
    },
)
