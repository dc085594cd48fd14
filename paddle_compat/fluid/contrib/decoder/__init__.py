"""`paddle.fluid.contrib.decoder`: decoders of sequences, for training and for beam search."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {"beam_search_decoder": ("BeamSearchDecoder", "InitState", "StateCell", "TrainingDecoder")}
)
