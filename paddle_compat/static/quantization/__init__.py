"""`paddle.static.quantization`: passes that have Programs compute with few bits."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "cal_kl_threshold": (),
        "post_training_quantization": ("PostTrainingQuantization", "PostTrainingQuantizationProgram", "WeightQuantization"),
        "quantization_pass": (
            "AddQuantDequantForInferencePass", "AddQuantDequantPass", "AddQuantDequantPassV2", "ConvertToInt8Pass",
            "OutScaleForInferencePass", "OutScaleForTrainingPass", "QuantWeightPass", "QuantizationFreezePass",
            "QuantizationTransformPass", "QuantizationTransformPassV2", "ReplaceFakeQuantDequantPass", "TransformForMobilePass",
        ),
    },
)  # fmt: skip
