"""`paddle.static.BuildStrategy`: how a Program is to be optimised."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing

_SWITCHES: dict[str, Any] = {
    "allow_cuda_graph_capture": False, "async_mode": False, "bkcl_comm_num": 1, "build_cinn_pass": False, "cache_runtime_context": False,
    "debug_graphviz_path": "", "enable_addto": False, "enable_auto_fusion": False, "enable_backward_optimizer_op_deps": True,
    "enable_inplace": True, "enable_sequential_execution": False, "fix_op_run_order": False, "fuse_adamw": False,
    "fuse_all_optimizer_ops": False, "fuse_all_reduce_ops": True, "fuse_bn_act_ops": False, "fuse_bn_add_act_ops": True,
    "fuse_broadcast_ops": True, "fuse_elewise_add_act_ops": False, "fuse_gemm_epilogue": False, "fuse_relu_depthwise_conv": False,
    "fused_attention": False, "fused_feedforward": False, "hierarchical_allreduce_inter_nranks": 0, "is_distribution": False,
    "memory_optimize": None, "nccl_comm_num": 1, "num_trainers": 1, "remove_unnecessary_lock": True, "sequential_run": False,
    "sync_batch_norm": False, "trainer_id": 0, "trainers_endpoints": [], "use_hierarchical_allreduce": False,
}  # fmt: skip


class BuildStrategy:
    """How a Program is to be optimised; `build_cinn_pass` compiles it, the other switches are kept and change nothing here.

    Raises:
        TypeError: a switch is set to something of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> strategy = paddle.static.BuildStrategy()
        >>> strategy.fuse_elewise_add_act_ops = True
        >>> strategy.fuse_elewise_add_act_ops, strategy.build_cinn_pass
        (True, False)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        for name, value in _SWITCHES.items():
            object.__setattr__(self, name, list(value) if isinstance(value, list) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _SWITCHES:
            raise AttributeError(f"BuildStrategy has no attribute {name!r}")
        default = _SWITCHES[name]
        if name == "memory_optimize":
            if value not in (None, True, False):
                raise ValueError(f"Invalid value for `{name}` of `BuildStrategy`. Expected None, True or False. Received: {value!r}")
        elif isinstance(default, bool) and value is None:
            value = False
        elif not isinstance(value, type(default)):
            raise TypeError(f"Invalid type for `{name}` of `BuildStrategy`. Expected {type(default).__name__}. Received: {value!r}")
        object.__setattr__(self, name, value)


__all__ = ["BuildStrategy"]

__getattr__ = missing(__name__)
