"""`paddle.incubate.nn.functional`: functions whose parts Paddle's GPU kernels compute at once; here, one after the other."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".nn.functional.smooth": ("swiglu",),
        "fused": (
            "fused_dropout_add", "fused_layer_norm", "fused_linear", "fused_linear_activation", "fused_matmul_bias", "fused_rms_norm",
            "fused_rotary_position_embedding",
        ),
    },
)  # fmt: skip
