"""Workers that hand Python values and arrays to each other, outside of Programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.engine import processes

_MODES: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min}


def gathered(value: Any) -> list[Any] | None:
    """What each worker gave, in their order; None where this is the only one.

    Args:
        value: this worker's, which can be pickled.
    """
    ring = processes.join(_device())
    if ring is None:
        return None
    found: list[Any] = [None] * ring.size
    torch.distributed.all_gather_object(found, value, group=ring.group)
    return found


def reduced(value: Any, mode: str) -> Any:
    """The sum, greatest or least of the workers' values, element by element.

    Args:
        value: this worker's: a number, list or array, of the same shape for all.
        mode: "sum", "max" or "min".
    Raises:
        InvalidArgumentError: another mode, or workers gave different shapes.
    """
    if mode not in _MODES:
        raise InvalidArgumentError(f"Invalid value for argument `mode` of `all_reduce`. Expected sum, max or min. Received: {mode!r}")
    parts = gathered(np.asarray(value))
    if parts is None:
        return value
    shapes = [part.shape for part in parts]
    if len(set(shapes)) > 1:
        raise InvalidArgumentError(f"Invalid argument of `all_reduce`. Expected one shape from all workers. Received: {shapes}")
    found = _MODES[mode](np.stack(parts), axis=0)
    return found if isinstance(value, np.ndarray) else found.tolist()


def wait() -> None:
    """Wait for all workers."""
    ring = processes.join(_device())
    if ring is not None:
        ring.wait()


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"
