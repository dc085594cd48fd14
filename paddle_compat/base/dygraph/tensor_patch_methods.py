"""`paddle.base.dygraph.tensor_patch_methods`: who gives Tensors their methods in Paddle, and what takes a hook away."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.tensor._tensor_gradients import TensorHookRemoveHelper  # noqa: F401  # scripts look at what a hook gave


def monkey_patch_tensor() -> None:
    """Give Tensors their methods, which they have from the start here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.dygraph.tensor_patch_methods import monkey_patch_tensor
        >>> monkey_patch_tensor()
        >>> paddle.ones([2]).numpy().tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """


__all__: list[str] = []

__getattr__ = missing(__name__)
