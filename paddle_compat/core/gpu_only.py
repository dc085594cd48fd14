"""Functions whose kernels Paddle has for GPUs only, and we have not.

A script may import them, as it may from Paddle's builds for the CPU, and hears of it where it calls one, as there: libraries import
many that they call on some GPUs alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import UnsupportedError

# module -> what it has
NAMES = {
    "incubate.nn.functional": frozenset("""
        batched_gemm build_src_rank_and_local_expert_id cross_entropy_with_softmax_bwd_w_downcast cudnn_flash_attention
        expand_modality_expert_id fp8_gemm_blockwise fp8_quant_blockwise fused_act_dequant fused_stack_transpose_quant
        fused_swiglu_weighted_bwd fused_transpose_split_quant fused_transpose_wlch_split_quant fused_weighted_swiglu_act_quant
        moe_combine_no_weight moe_gate_dispatch moe_gate_dispatch_and_quant moe_gate_dispatch_partial_nosoftmaxtopk
        moe_gate_dispatch_permute
    """.split()),
    "incubate.tensor.manipulation": frozenset({"create_xpu_async_load", "enable_activation_offload"}),
    "nn.functional": frozenset({"flash_attention_v3_varlen"}),
}  # fmt: skip


def refusing(module: str, name: str) -> Callable[..., Any] | None:
    """A function that refuses to be called, if Paddle has none for the CPU either.

    Args:
        module: a public module, without the package's name.
        name: what it is asked for.
    """
    if name not in NAMES.get(module, ()):
        return None

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError(f"paddle.{module}.{name}")

    refused.__name__ = refused.__qualname__ = name
    refused.__module__ = f"paddle.{module}"
    refused.__doc__ = f"Not supported: PaddlePaddle's own `{name}` computes on GPUs only, and nothing here does."
    return refused
