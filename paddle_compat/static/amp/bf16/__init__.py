"""`paddle.static.amp.bf16`: the older way to compute in bfloat16 on CPUs."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "amp_lists": ("AutoMixedPrecisionListsBF16",),
        "amp_utils": (
            "bf16_guard", "cast_model_to_bf16", "cast_parameters_to_bf16", "convert_float_to_uint16", "rewrite_program_bf16",
        ),  # fmt: skip
        "decorator": ("decorate_bf16",),
    },
)
