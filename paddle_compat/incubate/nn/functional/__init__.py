"""`paddle.incubate.nn.functional`: functions whose parts Paddle's GPU kernels compute at once; here, one after the other."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".nn.functional.smooth": ("swiglu",),
        "fused": (
            "fused_dot_product_attention", "fused_dropout_add", "fused_layer_norm", "fused_linear", "fused_linear_activation",
            "fused_matmul_bias", "fused_rms_norm", "fused_rotary_position_embedding",
        ),
        "expert_routing": ("blha_get_max_len", "cal_aux_loss", "embedding_grad_add_to_", "int_bincount", "moe_combine"),
        "expert_choice": ("fused_ec_moe",),
        "gating": ("fused_gate_attention",),
        "fused_norms": ("fast_ln", "fast_rms_norm", "fused_rms_norm_ext"),
        "decoding": ("fused_multi_transformer", "masked_multihead_attention"),
        "fused_transformer": (
            "fused_bias_act", "fused_bias_dropout_residual_layer_norm", "fused_feedforward", "fused_multi_head_attention",
            "variable_length_memory_efficient_attention",
        ),
    },
)  # fmt: skip

# the files that Paddle has for most of them
modules(
    __name__,
    {
        "embedding_grad_add_to": ("embedding_grad_add_to_",),
        "fused_matmul_bias": ("fused_linear", "fused_linear_activation", "fused_matmul_bias"),
        **{
            name: (name,)
            for name in (
                "blha_get_max_len", "fast_ln", "fast_rms_norm", "fused_bias_act", "fused_dot_product_attention",
                "fused_dropout_add", "fused_ec_moe", "fused_gate_attention", "fused_layer_norm", "fused_rms_norm", "fused_rms_norm_ext",
                "fused_rotary_position_embedding", "masked_multihead_attention", "moe_combine", "swiglu",
                "variable_length_memory_efficient_attention",
            )
        },
    },
)  # fmt: skip
