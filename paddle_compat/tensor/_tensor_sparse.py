"""Methods of Tensors about sparse ones: dense Tensors become such, and refuse what only those have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat.core.errors import FatalError, UnimplementedError
from paddle_compat.core.tensor import Tensor


def is_sparse(self: Tensor, /) -> bool:
    """Whether it is a sparse Tensor of `paddle.sparse`: those say so themselves.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2])
        >>> x.is_sparse(), x.is_sparse_coo(), x.is_sparse_csr()
        (False, False, False)

    Follows Paddle 2.6.
    """
    return False


def _only_sparse(name: str, kind: str) -> Any:
    def method(self: Tensor, /) -> Any:
        raise FatalError(f"`Tensor.{name}` is for sparse Tensors only. Expected a {kind}. Received: a dense Tensor")

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"""What a {kind} has: refused for other Tensors.

    Returns:
        Nothing: a {kind} has a method of its own.
    Raises:
        SystemError: always.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_sparse()
        False

    Follows Paddle 2.6.
    """
    return method


def _no_kernel(method_name: str) -> Any:
    def method(self: Tensor, name: str | None = None) -> Any:
        raise UnimplementedError(f"`Tensor.{method_name}` is for sparse Tensors only. Expected a sparse Tensor. Received: a dense one")

    method.__name__ = method.__qualname__ = method_name
    method.__doc__ = """What a sparse Tensor has: refused for other Tensors.

    Args:
        name: has no effect.
    Returns:
        Nothing: a sparse Tensor has a method of its own.
    Raises:
        NotImplementedError: always.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_sparse()
        False

    Follows Paddle 2.6.
    """
    return method


def to_sparse_coo(self: Tensor, sparse_dim: int) -> Any:
    """What is not 0, with its coordinates.

    Args:
        sparse_dim (int): how many dimensions have coordinates, the first ones; the others are those of each value.
    Returns:
        Tensor: sparse, of the layout COO.
    Raises:
        ValueError: there are not so many dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[0.0, 1.0], [2.0, 0.0]]).to_sparse_coo(2)
        >>> x.indices().tolist(), x.values().tolist()
        ([[0, 1], [1, 0]], [1.0, 2.0])

    Follows Paddle 2.6.
    """
    return import_module("paddle_compat.sparse._layouts").coordinates(self, sparse_dim)


def to_sparse_csr(self: Tensor) -> Any:
    """What is not 0, row by row; no gradient passes, as in the wheel.

    Returns:
        Tensor: sparse, of the layout CSR.
    Raises:
        ValueError: it has other than two or three dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[0.0, 1.0], [2.0, 0.0]]).to_sparse_csr()
        >>> x.crows().tolist(), x.cols().tolist(), x.values().tolist()
        ([0, 1, 2], [1, 0], [1.0, 2.0])

    Follows Paddle 2.6.
    """
    return import_module("paddle_compat.sparse._layouts").rows(self)


def sparse_dim(self: Tensor) -> int:
    """How many dimensions have coordinates: none, where every element is there.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 3])
        >>> x.sparse_dim(), x.to_sparse_coo(1).sparse_dim()
        (0, 1)

    Follows Paddle 3.3.
    """
    return 0


def dense_dim(self: Tensor) -> int:
    """How many dimensions have no coordinates: all, where every element is there.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 3])
        >>> x.dense_dim(), x.to_sparse_coo(1).dense_dim()
        (2, 1)

    Follows Paddle 3.3.
    """
    return self.ndim - self.sparse_dim()  # type: ignore[attr-defined]


METHODS: dict[str, Any] = {
    **dict.fromkeys(("is_sparse", "is_sparse_coo", "is_sparse_csr"), is_sparse),
    "dense_dim": dense_dim,
    "sparse_dim": sparse_dim,
    "to_sparse_coo": to_sparse_coo,
    "to_sparse_csr": to_sparse_csr,
    **{
        name: _only_sparse(name, kind)
        for name, kind in (("cols", "CSR Tensor"), ("crows", "CSR Tensor"), ("indices", "COO Tensor"), ("nnz", "sparse Tensor"))
    },
    **{name: _no_kernel(name) for name in ("coalesce", "to_dense", "values")},
}
