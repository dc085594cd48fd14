"""Which layers a strategy puts around an optimizer, and which of its switches act at all."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError

_PACKAGE = "paddle_compat.distributed.fleet.meta_optimizers"
# The layers of `minimize` and of eager steps, the outermost first: the file below meta_optimizers, and the class.
CHAIN = (
    ("localsgd_optimizer", "LocalSGDOptimizer"),
    ("localsgd_optimizer", "AdaptiveLocalSGDOptimizer"),
    ("raw_program_optimizer", "RawProgramOptimizer"),
    ("sharding_optimizer", "ShardingOptimizer"),
    ("pipeline_optimizer", "PipelineOptimizer"),
    ("tensor_parallel_optimizer", "TensorParallelOptimizer"),
    ("asp_optimizer", "ASPOptimizer"),
    ("qat_optimizer", "QATOptimizer"),
    ("sync_batch_norm_optimizer", "SyncBatchNormOptimizer"),
    ("gradient_merge_optimizer", "GradientMergeOptimizer"),
    ("fp16_allreduce_optimizer", "FP16AllReduceOptimizer"),
    ("amp_optimizer", "AMPOptimizer"),
    ("recompute_optimizer", "RecomputeOptimizer"),
    ("dgc_optimizer", "DGCOptimizer"),
    ("lars_optimizer", "LarsOptimizer"),
    ("lamb_optimizer", "LambOptimizer"),
)

_SERVERS = "collective training, which has no servers"
# ONE table of the switches that are asked for by True: do they act ("static", "eager", both) or are they kept without effect
# (a matter of speed alone, and of other machinery)? What says neither is what to use instead: setting it is refused when it is used.
SWITCHES: dict[str, tuple[str, ...] | str] = {
    "without_graph_optimization": ("static", "eager"),
    "fuse_all_reduce_ops": ("static", "eager"),
    "find_unused_parameters": ("static", "eager"),
    "sync_nccl_allreduce": ("static", "eager"),
    "split_data": ("static", "eager"),
    "use_hierarchical_allreduce": ("static", "eager"),
    "cudnn_exhaustive_search": ("static", "eager"),
    "cudnn_batchnorm_spatial_persistent": ("static", "eager"),
    "calc_comm_same_stream": ("static", "eager"),
    "fuse_grad_merge": ("static", "eager"),
    "elastic": ("static", "eager"),
    "amp": ("static", "eager"),
    "recompute": ("static", "eager"),
    "gradient_merge": ("static", "eager"),
    "lars": ("static", "eager"),
    "lamb": ("static", "eager"),
    "localsgd": ("static", "eager"),
    "adaptive_localsgd": ("static", "eager"),
    "dgc": ("static", "eager"),
    "fp16_allreduce": ("static", "eager"),
    "sync_batch_norm": ("static", "eager"),
    "sharding": ("static",),
    "pipeline": ("static",),
    "tensor_parallel": ("static",),
    "qat": ("static",),
    "asp": ("static",),
    "auto": "the switches themselves",
    "semi_auto": "the switches themselves",
    "auto_search": "the switches themselves",
    "heter_ccl_mode": "devices of one kind",
    "a_sync": _SERVERS,
    "adam_d2sum": _SERVERS,
    "is_fl_ps_mode": _SERVERS,
    "with_coordinator": _SERVERS,
}
# what is kept, for it is about the speed of machinery that is not there; a warning says so
KEPT = (
    "fuse_grad_merge", "fuse_grad_size_in_TFLOPS", "last_comm_group_size_MB", "calc_comm_same_stream", "sync_nccl_allreduce",
    "nccl_comm_num", "use_hierarchical_allreduce", "hierarchical_allreduce_inter_nranks", "cudnn_exhaustive_search",
    "cudnn_batchnorm_spatial_persistent", "conv_workspace_size_limit", "split_data", "elastic",
)  # fmt: skip
_WITH_SERVERS = ("a_sync", "auto")  # what acts in a job with servers, too
_WAYS = ("without_graph_optimization", "sync_batch_norm")  # which say how the others do their work
# what asks all workers for the same parameters, or each for a decision of its own
_NOT_WITH_PARTS = (
    "amp", "gradient_merge", "localsgd", "adaptive_localsgd", "dgc", "fp16_allreduce", "sync_batch_norm", "asp", "sharding", "qat",
)  # fmt: skip
# what asks all workers for the same parameters, or changes gradients where small batches are still to come
_NOT_WITH_STAGES = (
    "gradient_merge", "localsgd", "adaptive_localsgd", "dgc", "fp16_allreduce", "sync_batch_norm", "asp", "qat", "tensor_parallel",
)  # fmt: skip
# degrees of hybrid parallelism: what is beyond 1 is refused, but for data parallelism
_DEGREES = ("mp_degree", "pp_degree", "sharding_degree", "sep_degree")
# those of Paddle 3, and what does such things here
_LATER_DEGREES = {
    "ep_degree": "paddle.incubate.distributed.models.moe.MoELayer with a group of its own",
    "moe_sharding_degree": "sharding_degree",
    "cp_degree": "sep_degree",
    "cp_sharding_degree": "sharding_degree",
}


def refuse_what_cannot_act(strategy: Any, mode: str, role_maker: Any) -> None:
    """Raise where a strategy asks for what does not act.

    Args:
        strategy: the DistributedStrategy.
        mode: "static" or "eager".
        role_maker: the role of this process.
    Raises:
        UnsupportedError: it does, by name.
    """
    given = strategy.strategy.given()
    servers = mode == "static" and not getattr(role_maker, "_is_collective", True)
    for name, instead in SWITCHES.items():
        if given.get(name) is not True or (not isinstance(instead, str) and mode in instead):
            continue
        if servers and name in _WITH_SERVERS:
            continue
        there = instead if isinstance(instead, str) else f"{' or '.join(instead)} mode"
        raise UnsupportedError(f"fleet.DistributedStrategy.{name}", f"True in {mode} mode", there)
    for switch, others in (("pipeline", _NOT_WITH_STAGES), ("tensor_parallel", _NOT_WITH_PARTS)):
        for name in others if given.get(switch) is True else ():
            if given.get(name) is True:
                raise UnsupportedError(f"fleet.DistributedStrategy.{switch}", f"True with {name}=True", f"one without {name}")
    kept = [name for name in KEPT if name in given]
    if kept:
        are = "is" if len(kept) == 1 else "are"
        warnings.warn(f"`fleet.DistributedStrategy`: {', '.join(kept)} {are} kept, without effect.", stacklevel=4)
    hybrid = strategy.strategy.hybrid_configs
    for name in _DEGREES:
        if mode == "static" and getattr(hybrid, name) > 1:
            raise UnsupportedError("fleet.DistributedStrategy.hybrid_configs", f"{name}={getattr(hybrid, name)}", "eager mode")
    for name, instead in _LATER_DEGREES.items():
        if getattr(hybrid, name) > 1:
            raise UnsupportedError("fleet.DistributedStrategy.hybrid_configs", f"{name}={getattr(hybrid, name)}", instead)


def layers(optimizer: Any, loss: Any, role_maker: Any, strategy: Any) -> list[Any]:
    """The layers that a strategy puts around an optimizer, the outermost first; each knows the one inside as `inner_opt`.

    Args:
        optimizer: the user's.
        loss: what is minimised.
        role_maker: the role of this process.
        strategy: the DistributedStrategy.
    """
    found: list[Any] = []
    for kind in _innermost_first():
        layer = kind(found[0] if found else optimizer)
        layer._set_basic_info(loss, role_maker, optimizer, strategy)
        if _acts(layer):
            layer._wrapped()
            found.insert(0, layer)
    return found


def idle(found: list[Any]) -> list[str]:
    """The strategy's switches of layers that have nothing to do.

    Args:
        found: the layers that have.
    """
    return [each.switch for each in _innermost_first() if each.switch not in _WAYS and not any(type(layer) is each for layer in found)]


def eager_optimizer(optimizer: Any, role_maker: Any, strategy: Any) -> Any:
    """What makes the steps that a strategy asks for in eager mode.

    Args:
        optimizer: the user's.
        role_maker: the role of this process.
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: switches do not go together.
    """
    made = optimizer
    for kind in _innermost_first():
        layer = kind(made)
        layer._set_basic_info(None, role_maker, optimizer, strategy)
        if _acts(layer):
            made = layer._steps()
    return made


def _acts(layer: Any) -> bool:
    """Whether a layer is wanted and can do what it is there for; as in Paddle, one that cannot is left out, of which a warning tells."""
    if not layer._can_apply():
        return False
    reason = layer._misfit()
    if reason:
        warnings.warn(f"`fleet.DistributedStrategy.{layer.switch}` is without effect: {reason}.", stacklevel=4)
    return not reason


def _innermost_first() -> Iterator[Any]:
    for file, name in reversed(CHAIN):
        yield getattr(importlib.import_module(f"{_PACKAGE}.{file}"), name)


__all__: list[str] = []

__getattr__ = missing(__name__)
