"""`paddle.static.BuildStrategy`: how a Program is to be optimised."""

from __future__ import annotations

import copy

from paddle_compat._missing import missing
from paddle_compat.static._switches import Choice, Switches
from paddle_compat.static.pass_builder import PassBuilder, passes_of


class ReduceStrategy(Choice):
    """How gradients meet: every device updates all parameters, or each its share, which it then hands out."""

    AllReduce = 0
    Reduce = 1


class GradientScaleStrategy(Choice):
    """What each device's loss starts its gradient from: 1 / devices, 1, or what is fed as the loss's gradient."""

    CoeffNumDevice = 0
    One = 1
    Customized = 2


class BuildStrategy(Switches):
    """How a Program is to be optimised. docs/parallel_executor.md says which switches act and which are kept without effect.

    Raises:
        TypeError: a switch is set to something of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> strategy = paddle.static.BuildStrategy()
        >>> strategy.fuse_elewise_add_act_ops = True
        >>> strategy.fuse_elewise_add_act_ops, strategy.build_cinn_pass
        (True, False)
        >>> strategy.gradient_scale_strategy = paddle.static.BuildStrategy.GradientScaleStrategy.One
        >>> print(strategy.gradient_scale_strategy)
        GradientScaleStrategy.One

    Follows Paddle 1.8 and 2.6.
    """

    ReduceStrategy = ReduceStrategy
    GradientScaleStrategy = GradientScaleStrategy

    _table = {
        "allow_cuda_graph_capture": False, "async_mode": False, "bkcl_comm_num": 1, "build_cinn_pass": False,
        "cache_runtime_context": False, "debug_graphviz_path": "", "enable_addto": False, "enable_auto_fusion": False,
        "enable_backward_optimizer_op_deps": True, "enable_inplace": True, "enable_sequential_execution": False,
        "fix_op_run_order": False, "fuse_adamw": False, "fuse_all_optimizer_ops": False, "fuse_all_reduce_ops": True,
        "fuse_bn_act_ops": False, "fuse_bn_add_act_ops": True, "fuse_broadcast_ops": True, "fuse_elewise_add_act_ops": False,
        "fuse_dot_product_attention": False, "fuse_gemm_epilogue": False, "fuse_relu_depthwise_conv": False, "fuse_resunit": False,
        "fused_attention": False, "fused_feedforward": False,
        "gradient_scale_strategy": GradientScaleStrategy.CoeffNumDevice, "hierarchical_allreduce_inter_nranks": 0,
        "is_distribution": False, "memory_optimize": None, "mkldnn_enabled_op_types": set[str](), "nccl_comm_num": 1,
        "num_trainers": 1, "onednn_enabled_op_types": set[str](), "reduce_strategy": ReduceStrategy.AllReduce,
        "remove_unnecessary_lock": True, "sequential_run": False, "sync_batch_norm": False, "trainer_id": 0,
        "trainers_endpoints": list[str](), "use_hierarchical_allreduce": False,
    }  # fmt: skip
    _late = frozenset({
        "allow_cuda_graph_capture", "async_mode", "bkcl_comm_num", "cache_runtime_context", "enable_addto",
        "enable_backward_optimizer_op_deps", "enable_inplace", "fix_op_run_order", "fuse_all_reduce_ops",
        "hierarchical_allreduce_inter_nranks", "is_distribution", "memory_optimize", "mkldnn_enabled_op_types", "nccl_comm_num",
        "num_trainers", "trainer_id", "trainers_endpoints", "use_hierarchical_allreduce",
    })  # fmt: skip
    _numbers = range(-(1 << 31), 1 << 31)

    @property
    def _fuses_updates(self) -> bool:
        """Whether neighbouring updates are one call: unless somebody has set `fuse_all_optimizer_ops` to False."""
        fused: bool = self.__dict__["fuse_all_optimizer_ops"]
        return fused or "fuse_all_optimizer_ops" not in self._chosen

    def _copy(self) -> BuildStrategy:
        """Another one with the same switches, which can be set."""
        twin = copy.deepcopy(self)
        twin.__dict__.pop("_passes", None)
        twin._clear_finalized()
        return twin

    def _clear_finalized(self) -> None:
        """Let switches be set again."""
        object.__setattr__(self, "_is_finalized", False)

    def _finalize_strategy_and_create_passes(self) -> PassBuilder:
        """The passes that the switches stand for, made by the first call; switches that decide about them are final then."""
        object.__setattr__(self, "_is_finalized", True)
        if "_passes" not in self.__dict__:
            object.__setattr__(self, "_passes", PassBuilder(passes_of(self)))
        return self.__dict__["_passes"]

    def _drawings(self) -> list[str]:
        """The files that passes are to draw the Program into."""
        passes = self.__dict__["_passes"].all_passes() if "_passes" in self.__dict__ else []
        return [each._attributes["graph_viz_path"] for each in passes if each.type() == "graph_viz_pass" and each.has("graph_viz_path")]


__all__ = ["BuildStrategy"]

__getattr__ = missing(__name__)
