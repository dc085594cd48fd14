"""`paddle.distributed.auto_parallel.strategy`: how a model that is recorded is divided and run, as groups of settings."""

from __future__ import annotations

import copy
from typing import Any

from paddle_compat._missing import missing

# Group -> its settings and their defaults; what several Paddles' tools read of them is theirs.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "base": {
        "auto_mode": "semi", "gradient_scale": True, "gradient_scale_using_allreduce_avg": False, "use_cache": True, "return_numpy": True,
        "all_ranks": False, "split_data": True, "seed": None, "reinit": False,
    },
    "recompute": {
        "enable": False, "checkpoints": [], "no_recompute_segments": [], "sr": 0, "refined_ops_patterns": [], "enable_tuning": False,
    },
    "amp": {
        "enable": False, "dtype": "float16", "level": "o1", "init_loss_scaling": 32768.0, "incr_every_n_steps": 1000,
        "decr_every_n_nan_or_inf": 2, "incr_ratio": 2.0, "decr_ratio": 0.8, "use_dynamic_loss_scaling": True, "custom_white_list": [],
        "custom_black_list": [], "custom_black_varnames": [], "use_fp16_guard": False, "use_bf16_guard": False, "use_master_grad": False,
        "use_promote": True,
    },
    "sharding": {
        "enable": False, "stage": 1, "degree": 8, "enable_overlap": False, "param_comm_stream_num": 1, "grad_comm_stream_num": 1,
        "param_bucket_size_numel": 1, "grad_bucket_size_numel": 1, "enable_hierarchical_comm": False, "partition_algor": "greedy_even",
        "enable_tuning": False, "tuning_range": [], "release_gradients": False, "comm_buffer_size_MB": 256,
        "enable_tensor_fusion": False, "save_unbalanced_param": True,
    },
    "gradient_merge": {"enable": False, "k_steps": 1, "avg": True},
    "pipeline": {
        "enable": False, "schedule_mode": "1F1B", "pp_degree": 1, "vpp_degree": 1, "vpp_seg_method": "", "micro_batch_size": 1,
        "accumulate_steps": 1, "generation_batch_size": 1, "enable_send_recv_overlap": False, "job_schedule_profiler_start": -1,
        "job_schedule_profiler_stop": -1, "program_runtimes": [61, 72, 71, 34, 3], "memory_limit_times": -1, "split_backward": False,
        "auto_parallel_sync_shared_params": False,
    },
    "qat": {
        "enable": False, "channel_wise_abs_max": True, "weight_bits": 8, "activation_bits": 8, "not_quant_pattern": ["skip_quant"],
        "algo": None, "onnx_format": True,
    },
    "tuning": {"enable": False, "profile_start_step": 1, "profile_end_step": 1, "run_after_tuning": True, "debug": False},
    "dataset": {"enable": False, "num_shards": 1},
    "fused_passes": {"enable": False, "fused_passes_list": []},
    "fused_linear_promotion": {"enable": False},
    "dp_optimization": {
        "enable": False, "fuse_all_reduce_ops": True, "fuse_grad_size_in_MB": 32, "overlap_comm_cacl": True,
        "gradient_sync_after_accumulate": False,
    },
    "mp_optimization": {
        "allreduce_matmul_grad_overlapping": False, "replace_with_c_embedding": False, "replace_with_parallel_cross_entropy": False,
    },
    "sp_optimization": {"enable": True},
}  # fmt: skip


class BaseConfig:
    """A group of settings, which are its attributes.

    Args:
        category (str): the group.
        config_dict (dict|None): settings that differ from their defaults; others than the group has are left out.
    Raises:
        ValueError: config_dict is no dict.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.strategy import BaseConfig
        >>> merge = BaseConfig("gradient_merge", {"k_steps": 4})
        >>> merge
        {"enable":"False","k_steps":"4","avg":"True",}
        >>> merge.from_dict({"avg": False}); merge.to_dict(), merge.get("k_steps")
        ({'enable': False, 'k_steps': 4, 'avg': False}, 4)

    Follows Paddle 3.3.
    """

    def __init__(self, category: str, config_dict: dict[str, Any] | None = None) -> None:
        if config_dict is not None and not isinstance(config_dict, dict):
            raise ValueError(f"Expected a dictionary. But received: {config_dict}")
        self._category, self._config_dict = category, config_dict
        for name, value in _DEFAULTS.get(category, {}).items():
            setattr(self, name, copy.copy(value))
        self.from_dict(config_dict or {})

    def from_dict(self, config_dict: dict[str, Any]) -> None:
        """Take over settings; others than the group has are left out.

        Args:
            config_dict (dict): values by name.
        """
        for name in _DEFAULTS.get(self._category, {}):
            if name in config_dict:
                setattr(self, name, config_dict[name])

    def to_dict(self) -> dict[str, Any]:
        """The settings.

        Returns:
            dict: values by name; of groups within this one dicts of theirs.
        """
        own = {name: getattr(self, name) for name in _DEFAULTS.get(self._category, {})}
        return own | {name: value.to_dict() for name, value in vars(self).items() if isinstance(value, BaseConfig)}

    def get(self, k: str, d: Any = None) -> Any:
        """A setting, or a default where the group has none of this name.

        Args:
            k (str): its name.
            d (object): the default.
        Returns:
            object: the value.
        """
        return self.to_dict().get(k, d)

    def __repr__(self) -> str:
        return "{" + "".join(f'"{name}":"{value}",' for name, value in self.to_dict().items()) + "}"

    def __getattr__(self, name: str) -> Any:
        # types cannot know the settings, which are attributes of the instance
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class _Group(BaseConfig):
    """A group that says itself which one it is."""

    _group: str

    def __init__(self, config_dict: dict[str, Any] | None = None) -> None:
        super().__init__(self._group, config_dict)


class RecomputeConfig(_Group):
    """Whether activations are computed again in the backward pass. Follows Paddle 3.3."""

    _group = "recompute"


class AMPConfig(_Group):
    """Mixed precision: its level, data type, lists and loss scaling. Follows Paddle 3.3."""

    _group = "amp"


class ShardingConfig(_Group):
    """How far states, gradients and parameters are divided (stages 1 to 3). Follows Paddle 3.3."""

    _group = "sharding"


class GradientMergeConfig(_Group):
    """Over how many steps gradients are added up before an update. Follows Paddle 3.3."""

    _group = "gradient_merge"


class PipelineConfig(_Group):
    """The schedule of a pipeline. Follows Paddle 3.3."""

    _group = "pipeline"


class QATConfig(_Group):
    """Training for quantization. Follows Paddle 3.3."""

    _group = "qat"


class TuningConfig(_Group):
    """The search for a good division. Follows Paddle 3.3."""

    _group = "tuning"


class DatasetConfig(_Group):
    """How data files are divided. Follows Paddle 3.3."""

    _group = "dataset"


class FusedPassesConfig(_Group):
    """Which operators are joined. Follows Paddle 3.3."""

    _group = "fused_passes"


class FusedLinearPromotionConfig(_Group):
    """Whether linear layers are joined first. Follows Paddle 3.3."""

    _group = "fused_linear_promotion"


class DPOptimizationConfig(_Group):
    """How gradients of data parallel processes meet. Follows Paddle 3.3."""

    _group = "dp_optimization"


class MPOptimizationConfig(_Group):
    """Operators that take the place of others under tensor parallelism. Follows Paddle 3.3."""

    _group = "mp_optimization"


class SPOptimizationConfig(_Group):
    """Sequence parallelism. Follows Paddle 3.3."""

    _group = "sp_optimization"


_GROUPS: tuple[type[_Group], ...] = (
    RecomputeConfig, AMPConfig, ShardingConfig, GradientMergeConfig, PipelineConfig, QATConfig, TuningConfig, DatasetConfig,
    FusedPassesConfig, FusedLinearPromotionConfig, DPOptimizationConfig, MPOptimizationConfig, SPOptimizationConfig,
)  # fmt: skip


class Strategy(BaseConfig):
    """How a model is divided and run: the settings of `fleet.auto`, each group an attribute.

    Args:
        config (dict|None): by group a dict of the settings that differ from their defaults.
    Raises:
        ValueError: config, or what it has for a group, is no dict.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.strategy import Strategy
        >>> strategy = Strategy({"sharding": {"enable": True, "stage": 2}})
        >>> strategy.sharding.stage, strategy.sharding.degree, strategy.amp.enable
        (2, 8, False)

    Follows Paddle 3.3.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__("base", {} if config is None else copy.deepcopy(config))
        for group in _GROUPS:
            setattr(self, group._group, group(self._of_group(group)))

    def _of_group(self, group: type[_Group]) -> dict[str, Any] | None:
        return (self._config_dict or {}).get(group._group)


__all__ = ["BaseConfig", "Strategy"]
__getattr__ = missing(__name__)
