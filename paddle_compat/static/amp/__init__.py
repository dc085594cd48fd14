"""`paddle.static.amp`: mixed precision in Programs."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "bf16": (),
        "debugging": (),
        "decorator": ("decorate",),
        "fp16_lists": ("AutoMixedPrecisionLists", "CustomOpLists"),
        "fp16_utils": ("cast_model_to_fp16", "cast_parameters_to_fp16", "fp16_guard"),
    },
)
