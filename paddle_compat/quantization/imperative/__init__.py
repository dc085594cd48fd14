"""`paddle.quantization.imperative`: the former ways to quantize networks in eager mode."""

from paddle_compat._missing import missing
from paddle_compat.quantization.imperative.ptq import ImperativePTQ as ImperativePTQ
from paddle_compat.quantization.imperative.ptq_config import PTQConfig as PTQConfig
from paddle_compat.quantization.imperative.ptq_config import default_ptq_config as default_ptq_config
from paddle_compat.quantization.imperative.ptq_quantizer import (  # for scripts
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    AbsmaxQuantizer,
    BaseQuantizer,
    HistQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)
from paddle_compat.quantization.imperative.ptq_registry import PTQRegistry as PTQRegistry
from paddle_compat.quantization.imperative.qat import ImperativeQuantAware as ImperativeQuantAware

__getattr__ = missing(__name__)
