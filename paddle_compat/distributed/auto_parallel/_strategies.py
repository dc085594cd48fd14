"""`paddle.distributed.Strategy`: the settings of `to_static` and `DistModel`."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat.core import flags
from paddle_compat.distributed.auto_parallel import strategy as groups

# Attribute -> group, in the order in which a Strategy shows them.
_HELD: dict[str, Any] = {
    "_sharding": groups.ShardingConfig, "_gradient_merge": groups.GradientMergeConfig, "_pipeline": groups.PipelineConfig,
    "_amp": groups.AMPConfig, "_fused_passes": None, "_recompute": groups.RecomputeConfig, "_mp_optimization": groups.MPOptimizationConfig,
    "_dp_optimization": groups.DPOptimizationConfig, "_sp_optimization": groups.SPOptimizationConfig,
}  # fmt: skip


class FusePasses:
    """Which operators of a Program are joined.

    Args:
        config_dict (dict|None): `enable`, `gemm_epilogue`, `dropout_add`: booleans.
    Raises:
        ValueError: it names something else.

    Follows Paddle 3.3.
    """

    enable: bool
    gemm_epilogue: bool
    dropout_add: bool

    def __init__(self, config_dict: dict[str, bool] | None = None) -> None:
        self.enable = self.gemm_epilogue = self.dropout_add = False
        for name, value in (config_dict or {}).items():
            if name not in vars(self):
                raise ValueError(f"Unknown fuse pass {name}. Expected {', '.join(map(repr, vars(self)))}")
            setattr(self, name, value)


class Strategy(groups.BaseConfig):
    """How a model is divided and run: the settings of `paddle.distributed.to_static`.

    Args:
        config (dict|None): by group (`sharding`, `fused_passes`, `gradient_merge`, `pipeline`, `amp`, `recompute`, ...) a dict of the
            settings that differ from their defaults; `full_graph` beside them.
    Raises:
        ValueError: config, or what it has for a group, is no dict; `fused_passes` names something else.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> strategy = dist.Strategy({"gradient_merge": {"enable": True, "k_steps": 2}})
        >>> strategy.sharding.enable, strategy.gradient_merge.k_steps, strategy.gradient_merge.avg
        (False, 2, True)
        >>> strategy.sharding.stage = 2; strategy.sharding
        {"enable":"False","stage":"2","degree":"8","enable_overlap":"False","param_comm_stream_num":"1",...

    Follows Paddle 3.3.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        given = {} if config is None else copy.deepcopy(config)
        super().__init__("base", given)
        for name, group in _HELD.items():
            setattr(self, name, (group or FusePasses)(given.get(name[1:])))
        self._full_graph = given.get("full_graph", True)

    @property
    def full_graph(self) -> bool:
        """Whether the whole of a layer is recorded at once.

        Returns:
            bool.
        """
        return self._full_graph

    @property
    def sharding(self) -> groups.ShardingConfig:
        """How far states, gradients and parameters are divided: `enable`, `stage`, `degree`.

        Returns:
            ShardingConfig.
        """
        return self._sharding

    @property
    def gradient_merge(self) -> groups.GradientMergeConfig:
        """Over how many steps gradients are added up: `enable`, `k_steps`, `avg`.

        Returns:
            GradientMergeConfig.
        """
        return self._gradient_merge

    @property
    def fused_passes(self) -> FusePasses:
        """Which operators are joined: `enable`, `gemm_epilogue`, `dropout_add`.

        Returns:
            FusePasses.
        """
        return self._fused_passes

    @property
    def pipeline(self) -> groups.PipelineConfig:
        """The schedule of a pipeline: `enable`, `schedule_mode`, `micro_batch_size`, `accumulate_steps`.

        Returns:
            PipelineConfig.
        """
        return self._pipeline

    @property
    def amp(self) -> groups.AMPConfig:
        """Mixed precision: `enable`, `dtype`, `level`, and how losses are scaled.

        Returns:
            AMPConfig.
        """
        return self._amp


def in_auto_parallel_align_mode() -> bool:
    """Whether a script asks for the numbers of fleet's own ways of training, by `FLAGS_enable_auto_parallel_align_mode`.

    Here the flag changes none.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.in_auto_parallel_align_mode()
        False

    Follows Paddle 3.3.
    """
    return bool(flags.get("FLAGS_enable_auto_parallel_align_mode"))
