"""What the `Strategy` of a DistModel asks for: what is refused, and how states are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage1, ShardingStage2, ShardingStage3
from paddle_compat.distributed.auto_parallel._strategies import Strategy
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.optimizer.optimizer import _all

_API = "to_static"
_STAGES = {1: ShardingStage1, 2: ShardingStage2, 3: ShardingStage3}


def checked(strategy: Any) -> Strategy:
    """The strategy; None: one that asks for nothing.

    Raises:
        TypeError: it is no Strategy.
        UnsupportedError: it asks for what is not done.
    """
    if strategy is None:
        return Strategy()
    if not isinstance(strategy, Strategy):
        raise type_error("strategy", "a paddle.distributed.Strategy", strategy, _API)
    if strategy._recompute.enable and strategy._recompute.refined_ops_patterns:
        given = "strategy.recompute.refined_ops_patterns"
        raise UnsupportedError("paddle.distributed.to_static", given, "recompute() around less of the model")
    if strategy.gradient_merge.enable and strategy.gradient_merge.k_steps < 1:
        raise failed_assertion("strategy.gradient_merge.k_steps", "at least 1", strategy.gradient_merge.k_steps, _API)
    return strategy


def stage(strategy: Strategy, optimizer: Any, mesh: ProcessMesh, inputs: Sequence[Any]) -> Any:
    """How the states of an optimizer lie: as `shard_optimizer` was told, or else as the strategy's sharding says.

    Args:
        inputs: what the inputs are like; the dimension of the mesh that cuts their samples is the one that cuts states.
    Returns:
        A function (name, parameter, state) -> state; None: they lie as their parameters.
    Raises:
        ValueError: there is no such stage, or the degree is no number of processes.
        UnsupportedError: the degree is a part of the processes along that dimension.
    """
    told, asked = getattr(optimizer, "_shard_fn", None), strategy.sharding
    if not asked.enable:
        return told
    if asked.enable_tensor_fusion and told is not None and not isinstance(told, ShardingStage1):
        raise failed_assertion("strategy.sharding.enable_tensor_fusion", "an optimizer of ShardingStage1", told, _API)
    if told is not None:
        return told
    if asked.stage not in _STAGES:
        raise invalid_argument("strategy.sharding.stage", "1, 2 or 3", asked.stage, _API)
    if not isinstance(asked.degree, int) or asked.degree < 1:
        raise invalid_argument("strategy.sharding.degree", "a number of processes", asked.degree, _API)
    axis = _of_samples(mesh, inputs)
    size = mesh.shape[axis]
    if asked.degree < size:
        given = f"strategy.sharding.degree={asked.degree} along a dimension of {size} processes"
        raise UnsupportedError("paddle.distributed.to_static", given, f"degree={size}")
    made = _STAGES[asked.stage](axis, mesh)
    parameters = _all(optimizer._parameter_list)
    made._bind(parameters)
    if isinstance(made, ShardingStage3):
        for param in parameters:
            made._cut(param)
    return made


def _of_samples(mesh: ProcessMesh, inputs: Sequence[Any]) -> int:
    """The dimension of a mesh along which processes have samples of their own: it cuts inputs, or is named "dp", or is the first."""
    for kind in inputs:
        for axis, placement in enumerate(kind.placements):
            if placement.is_shard(0):
                return axis
    return mesh.dim_names.index("dp") if "dp" in mesh.dim_names else 0


__all__ = ["checked", "stage"]
