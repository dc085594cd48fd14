"""`paddle.fluid.contrib.slim.quantization`: passes that have Programs compute with few bits."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "post_training_quantization": ("PostTrainingQuantization", "WeightQuantization"),
        "quantization_strategy": ("QuantizationStrategy",),
        "quantization_pass": (
            "AddQuantDequantPass", "ConvertToInt8Pass", "OutScaleForInferencePass", "OutScaleForTrainingPass", "QuantizationFreezePass",
            "QuantizationTransformPass", "TransformForMobilePass",
        ),
    },
)  # fmt: skip
