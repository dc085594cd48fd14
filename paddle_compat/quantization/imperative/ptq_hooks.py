"""`paddle.quantization.imperative.ptq_hooks`: what is called behind a layer that is watched."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion


def quant_forward_post_hook(layer: Any, inputs: Any, outputs: Any) -> None:
    """Show a layer's inputs and outputs to its quantizers."""
    if not hasattr(layer, "_quant_config"):
        raise failed_assertion("layer", "a layer with a _quant_config", layer, "quant_forward_post_hook")
    config = layer._quant_config
    if config.enable_in_act_quantizer:
        config.in_act_quantizer.sample_data(layer, inputs)
    config.out_act_quantizer.sample_data(layer, (outputs,))


__getattr__ = missing(__name__)
