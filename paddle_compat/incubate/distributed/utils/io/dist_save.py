"""`paddle.incubate.distributed.utils.io.save`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed import _groups, fleet
from paddle_compat.distributed.communication import all_gather_object
from paddle_compat.framework import io


def save(state_dict: Any, path: str, **configs: Any) -> None:
    """Save a state dict of a model or an optimizer that fleet shares out. All processes make this call together.

    Args:
        state_dict (dict): this process's.
        path (str): the file.
        configs: `gather_to`, a process or a list of them, which write all that the processes along the sharding axis hold together; None:
            each process writes what it was given. `state_type`, "params" or "opt": only optimizers' states are shared out along that
            axis. `max_grouped_size`, of no effect: a state dict travels at once. What else `paddle.save` takes.
    Raises:
        ValueError: there is no such `state_type`.

    Example:
        >>> import tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.incubate.distributed.utils.io import load, save
        >>> _ = fleet.init(is_collective=True)
        >>> layer = paddle.nn.Linear(2, 3)
        >>> sgd = fleet.distributed_optimizer(paddle.optimizer.SGD(paddle.optimizer.lr.NoamDecay(4, 8), layer.parameters()))
        >>> path = tempfile.mkdtemp() + "/model.pdopt"
        >>> save(sgd.state_dict(), path, gather_to=0, state_type="opt")
        >>> sorted(load(path))
        ['LR_Scheduler']

    Follows Paddle 2.6 and 3.3.
    """
    kind, gather_to = configs.pop("state_type", "params"), configs.pop("gather_to", None)
    configs.pop("max_grouped_size", None)
    if kind not in ("params", "opt"):
        raise invalid_argument("state_type", "'params' or 'opt'", kind, "save")
    if gather_to is not None:
        if kind == "opt":
            state_dict = _of_all(state_dict)
        if _groups.job_rank() not in (gather_to if isinstance(gather_to, (list, tuple)) else [gather_to]):
            return
    known = {name: value for name, value in configs.items() if name in ("protocol", "use_binary_format")}
    io.save(state_dict, path, **known)


def _of_all(states: dict[str, Any]) -> dict[str, Any]:
    """What the processes along the sharding axis hold together."""
    groups = fleet.get_hybrid_communicate_group()
    if groups.get_sharding_parallel_world_size() < 2:
        return states
    parts: list[dict[str, Any]] = []
    all_gather_object(parts, states, groups.get_sharding_parallel_group())
    whole: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            if name in whole and isinstance(value, dict):  # master copies, which stand in a dict of their own
                whole[name].update(value)
            else:
                whole[name] = value
    return whole


__all__ = ["save"]
__getattr__ = missing(__name__)
