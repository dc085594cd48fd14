"""Workers that hand Python values and arrays to each other, outside of Programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.rings import ring_of
from paddle_compat.distributed import _groups
from paddle_compat.distributed.communication._agreement import agreed, said
from paddle_compat.distributed.communication._tasks import guarded

_MODES: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min}


def gathered(value: Any) -> list[Any] | None:
    """What each worker gave, in their order; None where this is the only one.

    Args:
        value: this worker's, which can be pickled.
    """
    group = _groups.join()
    if group is None:
        return None
    found: list[Any] = [None] * group.nranks
    agreed(group, said("all_gather_object"))
    guarded(lambda: torch.distributed.all_gather_object(found, value, group=group.process_group))
    return found


def reduced(value: Any, mode: str) -> Any:
    """The sum, greatest or least of the workers' values, element by element.

    Args:
        value: this worker's: a number, list or array, of the same shape for all.
        mode: "sum", "max" or "min".
    Raises:
        InvalidArgumentError: another mode, or workers gave different shapes.
    """
    _check(mode)
    return combined_as(value, gathered(np.asarray(value)), mode)


def combined_as(value: Any, parts: list[Any] | None, mode: str) -> Any:
    """As `combined`, in the form that a worker gave its value in; the value itself where there are no parts."""
    if parts is None:
        return value
    found = combined(parts, mode)
    return found if isinstance(value, np.ndarray) else found.tolist()


def combined(parts: list[Any], mode: str) -> Any:
    """The sum, greatest or least of arrays, element by element.

    Args:
        parts: the arrays.
        mode: "sum", "max" or "min".
    Raises:
        InvalidArgumentError: another mode, or other shapes.
    """
    _check(mode)
    shapes = [part.shape for part in parts]
    if len(set(shapes)) > 1:
        raise InvalidArgumentError(f"Invalid argument of `all_reduce`. Expected one shape from all workers. Received: {shapes}")
    return np.asarray(_MODES[mode](np.stack(parts), axis=0))


def _check(mode: str) -> None:
    if mode not in _MODES:
        raise InvalidArgumentError(f"Invalid value for argument `mode` of `all_reduce`. Expected sum, max or min. Received: {mode!r}")


def wait() -> None:
    """Wait for all workers."""
    if _groups.join() is not None:
        ring_of(0).wait()
