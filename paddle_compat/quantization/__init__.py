"""`paddle.quantization`: networks that compute with few bits, trained so or made so afterwards."""

from paddle_compat._missing import missing
from paddle_compat.quantization.base_observer import BaseObserver
from paddle_compat.quantization.base_quanter import BaseQuanter
from paddle_compat.quantization.config import QuantConfig
from paddle_compat.quantization.factory import quanter
from paddle_compat.quantization.imperative import (  # for scripts, not in __all__
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    AbsmaxQuantizer,
    BaseQuantizer,
    HistQuantizer,
    ImperativePTQ,
    ImperativeQuantAware,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
    PTQConfig,
    PTQRegistry,
    default_ptq_config,
)
from paddle_compat.quantization.ptq import PTQ
from paddle_compat.quantization.qat import QAT

__all__ = ["QuantConfig", "BaseQuanter", "BaseObserver", "quanter", "QAT", "PTQ"]

__getattr__ = missing(__name__)
