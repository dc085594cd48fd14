"""`paddle.quantization.imperative.ptq_config`: which thresholds are looked for."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.quantization.imperative.ptq_quantizer import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)


class PTQConfig:
    """What watches activations and weights.

    Args:
        activation_quantizer: an AbsmaxQuantizer, HistQuantizer or KLQuantizer.
        weight_quantizer: an AbsmaxQuantizer or PerChannelAbsmaxQuantizer.
    Raises:
        AssertionError: it is none of these.
    """

    def __init__(self, activation_quantizer: Any, weight_quantizer: Any) -> None:
        for name, given, known in (
            ("activation_quantizer", activation_quantizer, SUPPORT_ACT_QUANTIZERS),
            ("weight_quantizer", weight_quantizer, SUPPORT_WT_QUANTIZERS),
        ):
            if not isinstance(given, tuple(known)):
                raise failed_assertion(name, f"one of {[kind.__name__ for kind in known]}", given, "PTQConfig")
        self.in_act_quantizer = copy.deepcopy(activation_quantizer)
        self.out_act_quantizer = copy.deepcopy(activation_quantizer)
        self.wt_quantizer = copy.deepcopy(weight_quantizer)
        self.quant_hook_handle: Any = None
        self.enable_in_act_quantizer = False


default_ptq_config = PTQConfig(KLQuantizer(), PerChannelAbsmaxQuantizer())

__getattr__ = missing(__name__)
