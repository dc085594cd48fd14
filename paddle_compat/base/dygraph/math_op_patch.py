"""`paddle.base.dygraph.math_op_patch`, which pickles of Paddle 3.3's Tensors name."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.place import CPUPlace
from paddle_compat.tensor.creation import to_tensor


def monkey_patch_math_tensor() -> None:
    """Give Tensors their operators, which they have from the start here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.dygraph.math_op_patch import monkey_patch_math_tensor
        >>> monkey_patch_math_tensor()
        >>> (paddle.ones([2]) + 1).tolist()
        [2.0, 2.0]

    Follows Paddle 2.6.
    """


def _rebuild_tensor(data: np.ndarray, dtype: str, device: str, requires_grad: bool) -> Any:
    """The Tensor that Paddle 3.3 pickled (bfloat16 by its bits); one of any GPU goes to the current place."""
    return to_tensor(data, dtype, CPUPlace() if device == "cpu" else None, stop_gradient=not requires_grad)


_rebuild_tensor.__module__ = "paddle.base.dygraph.math_op_patch"  # pickles that the wheel is to read name it so

__getattr__ = missing(__name__)
