"""Single elements and arrays of them with one dimension: under FLAGS_set_to_1d, and before Paddle 2.5 (`core/ranks.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import flags, ranks
from paddle_compat.core.direct import hold
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor._tensor_indexing import getitem, getitem_of_one_dimension


def numpy(self: Tensor) -> np.ndarray[Any, Any]:
    """The values, with one dimension at least."""
    return np.atleast_1d(self._array())


_USUAL: dict[str, Any] = {"__getitem__": getitem, "numpy": Tensor.numpy}
_INSTEAD: dict[str, Any] = {"__getitem__": getitem_of_one_dimension, "numpy": numpy}


def keep(on: bool) -> None:
    """Let Tensors keep a dimension, or not, and `unbind`, whose short way knows nothing of it, too."""
    hold(on, "FLAGS_set_to_1d")
    for name, method in (_INSTEAD if on or ranks.NONE_WITHOUT else _USUAL).items():
        setattr(Tensor, name, method)


def follow() -> None:
    """Heed the flag, from the environment, too."""
    ranks.watchers.append(keep)
    keep(flags.get("FLAGS_set_to_1d"))
