"""Activation layers over sparse Tensors."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.sparse.nn import functional as F


class _Named(Layer):
    """A layer that prints its name alone."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def extra_repr(self) -> str:
        """The name that was given."""
        return f"name={self._name}" if self._name else ""


class ReLU(_Named):
    """max(value, 0) of the values that are there.

    Args:
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 2.0], [3])
        >>> paddle.sparse.nn.ReLU()(x).values().tolist()
        [0.0, 2.0]

    Follows Paddle 2.6.
    """

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x (Tensor): sparse.
        Returns:
            Tensor: sparse, with values at the same places.
        """
        return F.relu(x)


class ReLU6(_Named):
    """min(max(value, 0), 6) of the values that are there.

    Args:
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 8.0], [3])
        >>> paddle.sparse.nn.ReLU6()(x).values().tolist()
        [0.0, 6.0]

    Follows Paddle 2.6.
    """

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x (Tensor): sparse.
        Returns:
            Tensor: sparse, with values at the same places.
        """
        return F.relu6(x)


class LeakyReLU(_Named):
    """The value above 0, a fraction of it below, of the values that are there.

    Args:
        negative_slope (float): the fraction.
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 2.0], [3])
        >>> paddle.sparse.nn.LeakyReLU(0.5)(x).values().tolist()
        [-0.5, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None:
        super().__init__(name)
        self._negative_slope = negative_slope

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x (Tensor): sparse.
        Returns:
            Tensor: sparse, with values at the same places.
        """
        return F.leaky_relu(x, self._negative_slope)


class Softmax(_Named):
    """The softmax of the values that are there.

    Args:
        axis (int): the dimension along which values sum up to 1; of the layout CSR -1.
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 2, 3], [0, 1, 1], [1.0, 1.0, 5.0], [2, 3])
        >>> paddle.sparse.nn.Softmax()(x).values().tolist()
        [0.5, 0.5, 1.0]

    Follows Paddle 2.6.
    """

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = axis

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x (Tensor): sparse.
        Returns:
            Tensor: sparse, with values at the same places.
        """
        return F.softmax(x, self._axis)


__all__ = ["LeakyReLU", "ReLU", "ReLU6", "Softmax"]

__getattr__ = missing(__name__)
