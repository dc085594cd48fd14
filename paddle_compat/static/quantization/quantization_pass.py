"""`paddle.static.quantization.quantization_pass`: rewriting graphs so that products see rounded operands, and back for inference."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.static.quantization._freezing import ConvertToInt8Pass, QuantizationFreezePass, TransformForMobilePass
from paddle_compat.static.quantization._linear import (
    AddQuantDequantForInferencePass,
    AddQuantDequantPassV2,
    QuantizationTransformPassV2,
    QuantWeightPass,
    ReplaceFakeQuantDequantPass,
)
from paddle_compat.static.quantization._out_scales import OutScaleForInferencePass, OutScaleForTrainingPass
from paddle_compat.static.quantization._rounding import AddQuantDequantPass, QuantizationTransformPass

__all__ = [
    "QuantizationTransformPass", "QuantizationFreezePass", "ConvertToInt8Pass", "TransformForMobilePass", "OutScaleForTrainingPass",
    "OutScaleForInferencePass", "AddQuantDequantPass", "QuantizationTransformPassV2", "AddQuantDequantPassV2",
    "ReplaceFakeQuantDequantPass", "QuantWeightPass", "AddQuantDequantForInferencePass",
]  # fmt: skip

__getattr__ = missing(__name__)
