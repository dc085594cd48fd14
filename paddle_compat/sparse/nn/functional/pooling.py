"""Pooling of the values that are there."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.sparse import SparseCooTensor, coo
from paddle_compat.core.tensor import wrapped
from paddle_compat.ops import sparse as ops
from paddle_compat.sparse._arguments import in_eager_mode
from paddle_compat.sparse.nn.functional.conv import padded, points, spread


def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, data_format: str = "NDHWC",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The largest of the values that are there in each window that meets one.

    Args:
        x (Tensor): sparse, [N, D, H, W, C], all but the last dimension with coordinates.
        kernel_size (int|list|tuple): the window.
        stride (int|list|tuple): from window to window; None: the window's size.
        padding (int|list|tuple|str): how much is added around each dimension.
        ceil_mode (bool): has no effect, as in the wheel.
        data_format (str): "NDHWC".
        name (str): has no effect.
    Returns:
        Tensor: sparse, [N, D, H, W, C].
    Raises:
        AssertionError: x is not sparse, or not of the layout COO; the data format is another.
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 0], [0, 1], [0, 1], [0, 0]], [[1.0], [3.0]], [1, 2, 2, 2, 1])
        >>> paddle.sparse.nn.functional.max_pool3d(x, 2).values().tolist()
        [[3.0]]

    Follows Paddle 2.6.
    """
    api = "max_pool3d"
    if data_format != "NDHWC":
        raise failed_assertion("data_format", "NDHWC", data_format, api)
    if not isinstance(x, SparseCooTensor):
        in_eager_mode(x, api)
        raise failed_assertion("x", "a COO Tensor", type(x).__name__, api)
    found = points(x, 3, data_format, "NDHWC", api)
    window = spread(kernel_size, "kernel_size", 3, api)
    steps = window if stride is None else spread(stride, "stride", 3, api)
    rules = ops.Rules(found._indices, found._shape[:-1], window, steps, padded(padding, 3, api), [1, 1, 1], False)
    values = ops.largest(rules, found._values._t)
    return coo(rules.indices.to(found._indices.dtype), wrapped(values), [*rules.sizes, found._shape[-1]])


__all__ = ["max_pool3d"]

__getattr__ = missing(__name__)
