"""Functions and classes that a script may import, and that refuse to be called: libraries import many that they never use.

Most have kernels for GPUs only, in Paddle, too; its builds for the CPU refuse them as late.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import UnsupportedError

# module -> what it has for GPUs
NAMES = {
    "_C_ops": frozenset("""
        cal_aux_loss cal_aux_loss_grad flash_attn flash_attn_grad flash_attn_qkvpacked flash_attn_unpadded flash_attn_unpadded_grad
        flash_attn_v3 flash_attn_v3_grad flash_attn_v3_varlen flash_attn_varlen_qkvpacked flashmask_attention flashmask_attention_grad
        flashmask_attention_v2 flashmask_attention_v2_grad fused_bias_act fused_partial_rope fused_partial_rope_grad fused_rms_norm_ext
        fused_rms_norm_ext_grad moe_combine moe_combine_grad moe_gate_dispatch moe_gate_dispatch_grad rms_norm rms_norm_grad
    """.split()),
    "incubate.nn.functional": frozenset("""
        batched_gemm block_multihead_attention build_src_rank_and_local_expert_id cross_entropy_with_softmax_bwd_w_downcast
        cudnn_flash_attention expand_modality_expert_id fp8_gemm_blockwise fp8_quant_blockwise fused_act_dequant
        fused_partial_rope fused_stack_transpose_quant fused_swiglu_weighted_bwd fused_transpose_split_quant
        fused_transpose_wlch_split_quant fused_weighted_swiglu_act_quant moe_combine_no_weight moe_gate_dispatch
        moe_gate_dispatch_and_quant moe_gate_dispatch_partial_nosoftmaxtopk moe_gate_dispatch_permute
    """.split()),
    "incubate.tensor.manipulation": frozenset({"create_xpu_async_load", "enable_activation_offload"}),
    "nn.functional": frozenset({"flash_attention_v3_varlen"}),
}  # fmt: skip
_PSLIB = frozenset({"DownpourOptimizer", "PSLib", "fleet", "fleet_embedding"})
OBJECTS = frozenset({"fleet"})  # of those below, what is no function or class: scripts call its methods
# module -> what it has everywhere in Paddle, and not here
ELSEWHERE = {
    "base.core": frozenset({"host_memory_stat_current_value", "host_memory_stat_peak_value"}),
    "distributed": frozenset({"enable_auto_dp"}),
    "distributed.auto_parallel.api": frozenset({"enable_auto_dp"}),
    "distributed.checkpoint.load_state_dict": frozenset("""
        compute_overlap get_load_infos get_local_load_files get_rank_to_files get_read_items not_overlap
    """.split()),
    "distributed.communicator": frozenset({"Communicator", "FLCommunicator", "HeterClient", "LargeScaleKV"}),
    "distributed.fleet.base.topology": frozenset({"EPHybridCommunicateGroup"}),
    "distributed.fleet.layers.mpu.mp_layers": frozenset({"InnerOverlapLinear"}),
    "distributed.flex_checkpoint.aoa.aoa_engine": frozenset("""
        AOAEngine AOAShardInfoContext Lexer Parser ShardMappingEntry TensorDesc
    """.split()),
    "distributed.flex_checkpoint.aoa.lexer": frozenset({"Lexer", "Token", "TokenType"}),
    "distributed.flex_checkpoint.aoa.macros": frozenset({"MacroRegistry", "macro", "macro_registry"}),
    "distributed.flex_checkpoint.dcp.full_param": frozenset({"full_param"}),
    "distributed.flex_checkpoint.dcp.load_state_dict": frozenset("""
        MetadataManager build_global_state_shard_info get_checkpoint_files get_rank_to_files get_rank_to_read_files
        load_state_dict_impl local_load_state_dict
    """.split()),
    "fluid.incubate.fleet.base.role_maker": frozenset({"MPIRoleMaker", "MockBarrier"}),
    "fluid.incubate.fleet.parameter_server.pslib": _PSLIB,
    "incubate.distributed.fleet.parameter_server.pslib": _PSLIB,
    "incubate.passes.fuse_resnet_unit_pass": frozenset({"fuse_resnet_unit", "set_resnet_unit_attrs", "set_resnet_unit_outputs"}),
    "incubate.passes.ir": frozenset({"PassDesc", "RegisterPass", "RegisterPassHelper"}),
    "optimizer.fusion_utils": frozenset({"FusionStorage", "FusionStorageHelper", "async_offload_with_offset"}),
    "pir": frozenset({"translate_to_pir", "translate_to_pir_with_param_map"}),
}  # fmt: skip


class _Refused:
    """An object that a script may import, and that refuses what is asked of it."""

    def __init__(self, api: str, instead: str | None) -> None:
        self._api, self._instead = api, instead

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"`{self._api}` has no attribute `{name}`")
        raise UnsupportedError(f"{self._api}.{name}", instead=self._instead)


def refusing(module: str, name: str, instead: str | None = None) -> Callable[..., Any] | _Refused | None:
    """A function that refuses to be called, in place of what scripts may import from Paddle, or an object that refuses its methods.

    Args:
        module: a public module, without the package's name.
        name: what it is asked for.
        instead: what to use instead.
    """
    on_gpus = name in NAMES.get(module, ())
    if not on_gpus and name not in ELSEWHERE.get(module, ()):
        return None
    if name in OBJECTS:
        return _Refused(f"paddle.{module}.{name}", instead)

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError(f"paddle.{module}.{name}", instead=instead)

    vars(refused)["apply"] = refused  # as a PyLayer is called
    refused.__name__ = refused.__qualname__ = name
    refused.__module__ = f"paddle.{module}"
    where = "computes on GPUs only, and nothing here does" if on_gpus else "has no counterpart here"
    refused.__doc__ = f"Not supported: PaddlePaddle's own `{name}` {where}."
    return refused
