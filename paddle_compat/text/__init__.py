"""`paddle.text`: collections of texts, and the best paths of tags through sentences."""

from paddle_compat._lazy import lazy, modules

modules(__name__, {"viterbi_decode": ("ViterbiDecoder", "viterbi_decode")})

__getattr__, __dir__, __all__ = lazy(
    __name__, {"_viterbi": ("ViterbiDecoder", "viterbi_decode"), "datasets": "*"}
)
