"""Pooling layers over sparse Tensors."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.sparse.nn import functional as F


class MaxPool3D(Layer):
    """The largest of the values that are there in each window that meets one.

    Args:
        kernel_size (int|list|tuple): the window.
        stride (int|list|tuple): from window to window; None: the window's size.
        padding (int|list|tuple|str): how much is added around each dimension.
        return_mask (bool): has no effect.
        ceil_mode (bool): has no effect, as in the wheel.
        data_format (str): "NDHWC".
        name (str): has no effect.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 0], [0, 1], [0, 1], [0, 0]], [[1.0], [3.0]], [1, 2, 2, 2, 1])
        >>> paddle.sparse.nn.MaxPool3D(2)(x).values().tolist()
        [[3.0]]

    Follows Paddle 2.6.
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
        data_format: str = "NDHWC", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.ksize, self.stride, self.padding = kernel_size, stride, padding
        self.return_mask, self.ceil_mode = return_mask, ceil_mode
        self.data_format, self.name = data_format, name

    def forward(self, x: Any) -> Any:
        """Pool.

        Args:
            x (Tensor): sparse, [N, D, H, W, C].
        Returns:
            Tensor: sparse.
        """
        return F.max_pool3d(x, self.ksize, self.stride, self.padding, self.ceil_mode, self.data_format)

    def extra_repr(self) -> str:
        """The settings."""
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


__all__ = ["MaxPool3D"]

__getattr__ = missing(__name__)
