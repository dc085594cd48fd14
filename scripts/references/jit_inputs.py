"""What the functions of jit_branches.py and the files beside it are called with."""

from __future__ import annotations

from typing import Any

import numpy as np

paddle: Any = None


def A(*shape: int, seed: int = 0) -> Any:
    """Normal numbers."""
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def T(array: Any) -> Any:
    """A Tensor."""
    return paddle.to_tensor(array)


X, Y = A(3, 4), A(3, 4, seed=1)
P = abs(X) + 0.1
NEG = -P
I = np.arange(6).reshape(2, 3)
