"""`paddle.incubate.distributed.utils.io.save_for_auto_inference`."""

from __future__ import annotations

import os
import pickle
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups, fleet
from paddle_compat.framework import io


def save_for_auto_inference(path_prefix: str, dist_model: Any, cvt2cpu: bool = False) -> None:
    """Write this process's parameters, and how they lie: `PATH_distRANK.pdparams` and `.pdattr`. All processes make this call together.

    Args:
        path_prefix (str): how the files' names begin.
        dist_model (Layer): the model, or what `fleet.distributed_model` or `group_sharded_parallel` has made of it.
        cvt2cpu (bool): of no effect: files hold the CPU's values.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.incubate.distributed.utils.io import save_for_auto_inference
        >>> _ = fleet.init(is_collective=True)
        >>> folder = tempfile.mkdtemp()
        >>> save_for_auto_inference(folder + "/model", paddle.nn.Linear(2, 3))
        >>> sorted(os.listdir(folder))
        ['model_dist0.pdattr', 'model_dist0.pdparams']

    Follows Paddle 2.6 and 3.3.
    """
    groups = fleet.get_hybrid_communicate_group()
    parts = groups.get_model_parallel_world_size()
    ranks = groups.topology().get_axis_list("pipe", groups.get_stage_id())
    values: dict[str, Any] = {value.name: value for value in dist_model.state_dict().values() if isinstance(value, Tensor)}
    shape = [len(ranks) // parts, parts] if len(ranks) > 1 else [1]
    lie = {
        name: {"process_shape": shape, "process_group": ranks, "dims_mapping": _mapping(value, len(shape) - 1)}
        for name, value in values.items()
    }
    path = f"{os.fspath(path_prefix)}_dist{_groups.job_rank()}"
    io.save(values, f"{path}.pdparams")
    with open(f"{path}.pdattr", "wb") as file:
        pickle.dump(lie, file, protocol=2)


def _mapping(value: Any, axis: int) -> list[int]:
    """For each dimension the one of the processes that cuts it; -1: none does."""
    cut = value.split_axis if getattr(value, "is_distributed", False) else None
    return [axis if at == cut else -1 for at in range(value.ndim)]


__all__ = ["save_for_auto_inference"]
__getattr__ = missing(__name__)
