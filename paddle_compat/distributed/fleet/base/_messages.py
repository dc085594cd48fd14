"""The fields of a `DistributedStrategy`, as Paddle's protobuf message names them, and messages of them.

A message knows which of its fields were set: only those are written into a file, the others have their defaults.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

# name:kind=default; the mark "*" after a kind is for a repeated field.
SCHEMA = {
    "DistributedStrategy": (
        "mode:Mode=COLLECTIVE amp:bool recompute:bool localsgd:bool dgc:bool gradient_merge:bool lars:bool lamb:bool pipeline:bool "
        "elastic:bool auto:bool a_sync:bool=true sync_nccl_allreduce:bool=true nccl_comm_num:int32=1 "
        "use_hierarchical_allreduce:bool hierarchical_allreduce_inter_nranks:int32=1 sync_batch_norm:bool "
        "fuse_all_reduce_ops:bool=true fuse_grad_size_in_MB:int32=32 fuse_grad_size_in_TFLOPS:float=50 cudnn_exhaustive_search:bool "
        "conv_workspace_size_limit:int32=512 cudnn_batchnorm_spatial_persistent:bool adaptive_localsgd:bool fp16_allreduce:bool "
        "sharding:bool last_comm_group_size_MB:float=1 find_unused_parameters:bool tensor_parallel:bool "
        "without_graph_optimization:bool=true fuse_grad_size_in_num:int32=8 calc_comm_same_stream:bool asp:bool "
        "fuse_grad_merge:bool semi_auto:bool adam_d2sum:bool auto_search:bool heter_ccl_mode:bool is_fl_ps_mode:bool "
        "with_coordinator:bool qat:bool split_data:bool=true recompute_configs:RecomputeConfig amp_configs:AMPConfig "
        "localsgd_configs:LocalSGDConfig gradient_merge_configs:GradientMergeConfig dgc_configs:DGCConfig "
        "pipeline_configs:PipelineConfig a_sync_configs:AsyncConfig lars_configs:LarsConfig lamb_configs:LambConfig "
        "adaptive_localsgd_configs:AdaptiveLocalSGDConfig sharding_configs:ShardingConfig hybrid_configs:HybridConfig "
        "tensor_parallel_configs:TensorParallelConfig trainer_desc_configs:TrainerDescConfig downpour_table_param:TableParameter* "
        "fs_client_param:FsClientParameter qat_configs:QatConfig build_strategy:BuildStrategy execution_strategy:ExecutionStrategy "
        "gradient_scale_configs:GradientScaleConfig"
    ),
    # of datasets and of what trains on them
    "DataFeedDesc": (
        "name:string batch_size:int32=32 multi_slot_desc:MultiSlotDesc pipe_command:string thread_num:int32 rank_offset:string "
        "pv_batch_size:int32=32 input_type:int32"
    ),
    "MultiSlotDesc": "slots:Slot* uid_slot:string",
    "Slot": "name:string type:string is_dense:bool is_used:bool shape:int32*",
    "TrainerDesc": (
        "class_name:string device_worker_name:string thread_num:int32 debug:bool fetch_config:FetchConfig use_cvm:bool dump_slot:bool "
        "scale_datanorm:float=-1 mpi_rank:int32=-1 dump_fields_path:string dump_fields:string* dump_converter:string dump_param:string* "
        "mpi_size:int32=-1 dump_file_num:int32=16 check_nan_var_names:string* no_cvm:bool thread_barrier:bool loss_names:string* "
        "hogwild_param:HogwildWorkerParameter"
    ),
    "FetchConfig": "fetch_var_names:string* fetch_var_str_format:string* print_period:int32=100",
    "HogwildWorkerParameter": "skip_ops:string*",
    "GradientScaleConfig": "scale_strategy:string=avg scale_gradient:bool",
    "ExecutionStrategy": "num_threads:int32=1 num_iteration_per_drop_scope:int32=10 num_iteration_per_run:int32=1 use_thread_barrier:bool",
    "BuildStrategy": (
        "enable_sequential_execution:bool fuse_elewise_add_act_ops:bool fuse_bn_act_ops:bool fuse_relu_depthwise_conv:bool "
        "fuse_broadcast_ops:bool fuse_all_optimizer_ops:bool enable_inplace:bool enable_backward_optimizer_op_deps:bool=true "
        "cache_runtime_context:bool fuse_bn_add_act_ops:bool=true enable_auto_fusion:bool enable_addto:bool fix_op_run_order:bool "
        "allow_cuda_graph_capture:bool reduce_strategy:int32 fuse_gemm_epilogue:bool debug_graphviz_path:string "
        "fused_attention:bool fused_feedforward:bool"
    ),
    "QatConfig": "channel_wise_abs_max:bool=true weight_bits:int32=8 activation_bits:int32=8 not_quant_pattern:string* algo:string",
    "FsClientParameter": "uri:string user:string passwd:string hadoop_bin:string",
    "TableParameter": (
        "table_id:uint64 table_name:string table_class:string shard_num:uint64=1000 type:TableType=PS_SPARSE_TABLE "
        "accessor:TableAccessorParameter compress_in_save:bool enable_sparse_table_cache:bool=true "
        "sparse_table_cache_rate:double=0.00055 sparse_table_cache_file_num:uint32=16 enable_revert:bool shard_merge_rate:float=1"
    ),
    "TableAccessorParameter": (
        "accessor_class:string fea_dim:uint32=11 embedx_dim:uint32=8 embedx_threshold:uint32=10 "
        "ctr_accessor_param:CtrAccessorParameter table_accessor_save_param:TableAccessorSaveParameter* embed_sgd_param:SGDParameter "
        "embedx_sgd_param:SGDParameter graph_sgd_param:GraphSGDParameter"
    ),
    "GraphSGDParameter": "nodeid_slot:uint32=9008 feature_learning_rate:float=0.05",
    "SGDParameter": "name:string naive:SparseNaiveSGDRuleParameter adagrad:SparseAdagradSGDRuleParameter adam:SparseAdamSGDParameter",
    "SparseAdamSGDParameter": (
        "learning_rate:double=0.001 initial_range:double=0.0001 beta1_decay_rate:double=0.9 beta2_decay_rate:double=0.999 "
        "ada_epsilon:double=1e-08 weight_bounds:float*"
    ),
    "SparseAdagradSGDRuleParameter": "learning_rate:double=0.05 initial_g2sum:double=3.0 initial_range:double=0.0001 weight_bounds:float*",
    "SparseNaiveSGDRuleParameter": "learning_rate:double=0.05 initial_range:double=0.0001 weight_bounds:float*",
    "TableAccessorSaveParameter": "param:uint32 converter:string deconverter:string",
    "CtrAccessorParameter": (
        "nonclk_coeff:float=0.1 click_coeff:float=1 base_threshold:float=1.5 delta_threshold:float=0.25 delta_keep_days:float=16 "
        "show_click_decay_rate:float=0.98 delete_threshold:float=0.8 delete_after_unseen_days:float=30 "
        "ssd_unseenday_threshold:int32=1 show_scale:bool=true zero_init:bool=true load_filter_slots:float* save_filter_slots:float*"
    ),
    "TrainerDescConfig": (
        "dump_fields_path:string dump_fields:string* dump_param:string* stat_var_names:string* trainer:string device_worker:string "
        "local_sparse:string* remote_sparse:string*"
    ),
    "TensorParallelConfig": "tensor_parallel_degree:int32=1 tensor_init_seed:int32=-1",
    "HybridConfig": (
        "dp_degree:int32=-1 mp_degree:int32=1 pp_degree:int32=1 sharding_degree:int32=1 sep_degree:int32=1 mp_configs:MpConfig "
        "pp_configs:PpConfig sharding_configs:DygraphShardingConfig "
        "enable_optimizer_timer:bool split_norm_comm:bool ep_degree:int32=1 moe_sharding_degree:int32=1 cp_degree:int32=1 "  # Paddle 3.3's
        "cp_sharding_degree:int32=1"
    ),
    "DygraphShardingConfig": (
        "tensor_fusion:bool accumulate_steps:int32=1 comm_overlap:bool split_param:bool fuse_optimizer:bool=true "
        "use_reduce_avg:bool=true comm_buffer_size_MB:int32=256 release_gradients:bool free_grads_in_comm:bool "  # those of Paddle 3.3
        "enable_fuse_optimizer_states:bool"
    ),
    "PpConfig": (
        "dp_comm_overlap:bool delay_scale_loss:bool enable_timer:bool sharding_comm_overlap:bool profiling:bool "
        "release_gradients:bool overlap_p2p_comm:bool clear_every_step_cache:bool use_batch_p2p_comm:bool=true "  # those of Paddle 3.3
        "best_unbalanced_scheduler:bool enable_offload_queue:bool enable_dynamic_shape:bool use_dualpipev:bool "
        "forward_backward_overlap_scheduler:bool"
    ),
    "MpConfig": (
        "sync_param:bool=true sync_grad:bool sync_moment:bool sync_mode:string=broadcast mp_async_allreduce:bool "
        "mp_skip_c_identity:bool mp_fused_linear_param_grad_add:bool need_broadcast_data:bool=true "
        "recompute_allgather:bool sp_async_reduce_scatter:bool"  # those of Paddle 3.3
    ),
    "ShardingConfig": (
        "sharding_segment_strategy:string=segment_broadcast_MB segment_broadcast_MB:float=32 segment_anchors:string* "
        "sharding_degree:int32=8 mp_degree:int32=1 dp_degree:int32=1 hybrid_dp:bool gradient_merge_acc_step:int32=1 "
        "optimize_offload:bool pp_allreduce_in_optimize:bool pp_degree:int32=1 optimize_cast:bool _dp_as_optimizer_sharding:bool "
        "stage:int32=1 enable_tuning:bool use_calc_stream:bool"
    ),
    "AdaptiveLocalSGDConfig": "init_k_steps:int32=1 begin_step:int32=1",
    "LambConfig": "lamb_weight_decay:float=0.01 exclude_from_weight_decay:string*",
    "LarsConfig": "lars_coeff:float=0.001 lars_weight_decay:float=0.0005 epsilon:float exclude_from_weight_decay:string*",
    "AsyncConfig": (
        "k_steps:int32=-1 max_merge_var_num:int32=1 send_queue_size:int32=16 independent_recv_thread:bool "
        "min_send_grad_num_before_recv:int32=1 thread_pool_size:int32=1 send_wait_times:int32=1 runtime_split_send_recv:bool "
        "launch_barrier:bool=true heter_worker_device_guard:string=cpu lr_decay_steps:int32=10 use_ps_gpu:int32"
    ),
    "PipelineConfig": (
        "micro_batch_size:int32=1 accumulate_steps:int32=1 schedule_mode:string=1F1B p2p_cache_shape:bool=true "
        "enable_partial_send_recv:bool=true"
    ),
    "DGCConfig": "rampup_begin_step:int32 rampup_step:int32=1 sparsity:float*",
    "GradientMergeConfig": "k_steps:int32=1 avg:bool=true",
    "LocalSGDConfig": "k_steps:int32=1 begin_step:int32=1",
    "AMPConfig": (
        "init_loss_scaling:float=32768 incr_every_n_steps:int32=1000 decr_every_n_nan_or_inf:int32=2 incr_ratio:float=2 "
        "decr_ratio:float=0.8 use_dynamic_loss_scaling:bool=true custom_white_list:string* custom_black_list:string* "
        "custom_black_varnames:string* use_pure_fp16:bool use_fp16_guard:bool=true use_optimizer_fp16:bool use_pure_bf16:bool"
    ),
    "RecomputeConfig": (
        "checkpoints:string* enable_offload:bool checkpoint_shape:int32* enable_tuning:bool refined_ops_patterns:RefinedOpsPattern*"
    ),
    "RefinedOpsPattern": "main_ops:string* num:int32 pre_ops:string* suf_ops:string*",
}
ENUMS = {
    "Mode": {"COLLECTIVE": 1, "PS": 2, "PIPELINE": 3, "HETER": 4},
    "TableType": {"PS_SPARSE_TABLE": 0, "PS_DENSE_TABLE": 1},
}
_RANGES = {"int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1), "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}


class Field(NamedTuple):
    """A field of a message."""

    name: str
    kind: str
    repeated: bool
    default: Any


@cache
def fields(kind: str) -> dict[str, Field]:
    """The fields of a message, in the order in which they are written.

    Args:
        kind: the message's name.
    """
    found = {}
    for entry in SCHEMA[kind].split():
        name, _, rest = entry.partition(":")
        type_, _, default = rest.partition("=")
        repeated, type_ = type_.endswith("*"), type_.rstrip("*")
        found[name] = Field(name, type_, repeated, None if repeated or type_ in SCHEMA else _default(type_, default))
    return found


def _default(kind: str, text: str) -> Any:
    if kind == "bool":
        return text == "true"
    if kind == "string":
        return text
    if kind in ENUMS:
        return ENUMS[kind][text]
    return checked(kind, float(text or 0) if kind in ("float", "double") else int(text or 0))


def checked(kind: str, value: Any) -> Any:
    """A value as a field of that kind holds it.

    Args:
        kind: the field's.
        value: what it is set to.
    Raises:
        TypeError: a value of another type.
        ValueError: a number that the field has no room for.
    """
    if kind == "string":
        if not isinstance(value, str):
            raise TypeError(f"Invalid type for a text. Expected str. Received: {value!r}")
        return value
    if kind in ("float", "double"):
        if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
            raise TypeError(f"Invalid type for a number. Expected float. Received: {value!r}")
        return float(np.float32(value)) if kind == "float" else float(value)
    if not hasattr(value, "__index__"):
        raise TypeError(f"Invalid type for an integer. Expected int. Received: {value!r}")
    number = value.__index__()
    if kind == "bool":
        return bool(number)
    if kind in ENUMS:
        if number not in ENUMS[kind].values():
            raise ValueError(f"Invalid value of {kind}. Expected one of {ENUMS[kind]}. Received: {number}")
        return number
    low, high = _RANGES[kind]
    if not low <= number <= high:
        raise ValueError(f"Value out of range: {number}. Expected {kind}")
    return number


class Message:
    """A message: its fields are attributes.

    Args:
        kind: its name in `SCHEMA`.
    """

    def __init__(self, kind: str) -> None:
        # `seen`: it stands in a file, although with nothing in it
        vars(self).update(_kind=kind, _values={}, _seen=False)

    def __getattr__(self, name: str) -> Any:
        field = fields(self._kind).get(name) if name[:2] != "__" and "_kind" in vars(self) else None
        if field is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name not in self._values and (field.repeated or field.kind in SCHEMA):
            self._values[name] = [] if field.repeated else Message(field.kind)
        return self._values.get(name, field.default)

    def __setattr__(self, name: str, value: Any) -> None:
        field = fields(self._kind).get(name)
        if field is None or field.repeated or field.kind in SCHEMA:
            raise AttributeError(f"Assignment not allowed to {name!r} of {self._kind}. Expected a field of one value.")
        self._values[name] = checked(field.kind, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self._kind == other._kind and self.given() == other.given()

    __hash__ = None  # type: ignore[assignment]

    def given(self) -> dict[str, Any]:
        """The fields that were set, in their order: repeated ones that hold something, messages that were written to."""
        values = self._values
        return {name: values[name] for name in fields(self._kind) if name in values and not _empty(values[name])}

    def extend(self, name: str, values: Any) -> None:
        """Put values behind those of a repeated field.

        Args:
            name: the field's.
            values: of its kind; messages as dicts of their fields.
        """
        kind, made = fields(self._kind)[name].kind, []
        for value in values:
            if kind not in SCHEMA:
                made.append(checked(kind, value))
                continue
            made.append(Message(kind))
            for key, part in dict(value).items():
                made[-1].assign(key, part)
        getattr(self, name).extend(made)

    def assign(self, name: str, value: Any) -> None:
        """Set a field of any kind: lists are put behind what is there, dicts are the fields of a message.

        Args:
            name: the field's.
            value: for it.
        Raises:
            AttributeError: there is no such field.
        """
        field = fields(self._kind).get(name)
        if field is not None and field.repeated:
            self.extend(name, () if value is None else value)  # as protobuf: None adds nothing
        elif field is not None and field.kind in SCHEMA:
            for key, part in dict(value).items():
                getattr(self, name).assign(key, part)
        else:
            setattr(self, name, value)

    def __str__(self) -> str:
        from paddle_compat.distributed.fleet.base._prototxt import written

        return written(self)

    __repr__ = __str__


def _empty(value: Any) -> bool:
    return value == [] if isinstance(value, list) else isinstance(value, Message) and not (value._seen or value.given())
