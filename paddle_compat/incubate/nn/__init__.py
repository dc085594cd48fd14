"""`paddle.incubate.nn`: layers whose parts Paddle's GPU kernels compute at once; here, one after the other."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "attn_bias": (),
        "functional": (),
        "layer.fused_dropout_add": ("FusedDropoutAdd",),
        "layer.fused_dropout_nd": ("FusedDropout",),
        "layer.fused_ec_moe": ("FusedEcMoe",),
        "layer.fused_linear": ("FusedLinear",),
        "layer.fused_transformer": (
            "FusedBiasDropoutResidualLayerNorm", "FusedFeedForward", "FusedMultiHeadAttention", "FusedMultiTransformer",
            "FusedTransformerEncoderLayer",
        ),
        "memory_efficient_attention": (),
    },
    starred=(),
)  # fmt: skip
