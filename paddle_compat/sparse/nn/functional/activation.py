"""Activations of the values that are there."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.sparse import SparseCsrTensor
from paddle_compat.core.tensor import wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.ops import sparse as ops
from paddle_compat.ops._update_parts import single
from paddle_compat.sparse import _layouts
from paddle_compat.sparse._arguments import in_program, of_floats, recorded, sparse

# the functions of dense Tensors, which load when they are first called
F: Any = import_module("paddle_compat.nn.functional")


def relu(x: Any, name: str | None = None) -> Any:
    """max(value, 0).

    Args:
        x (Tensor): sparse.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 2.0], [3])
        >>> paddle.sparse.nn.functional.relu(x).values().tolist()
        [0.0, 2.0]

    Follows Paddle 2.6.
    """
    if isinstance(x, Variable):
        return recorded("sparse_relu", x)
    found = sparse(x, "x", "relu")
    return found._like(F.relu(found._values))


def relu6(x: Any, name: str | None = None) -> Any:
    """min(max(value, 0), 6).

    Args:
        x (Tensor): sparse.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 8.0], [3])
        >>> paddle.sparse.nn.functional.relu6(x).values().tolist()
        [0.0, 6.0]

    Follows Paddle 2.6.
    """
    if in_program(x):
        return recorded("sparse_relu6", of_floats(x, "relu6"))
    found = sparse(x, "x", "relu6")
    return found._like(F.relu6(found._values))


def leaky_relu(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """The value above 0, a fraction of it below.

    Args:
        x (Tensor): sparse.
        negative_slope (float): the fraction.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [-1.0, 2.0], [3])
        >>> paddle.sparse.nn.functional.leaky_relu(x, 0.5).values().tolist()
        [-0.5, 2.0]

    Follows Paddle 2.6.
    """
    if in_program(x):
        return recorded("sparse_leaky_relu", of_floats(x, "leaky_relu"), alpha=float(negative_slope))
    found = sparse(x, "x", "leaky_relu")
    return found._like(F.leaky_relu(found._values, single(negative_slope)))


def softmax(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """The softmax of the values that are there; what is not there counts as minus infinity.

    Args:
        x (Tensor): sparse.
        axis (int): the dimension along which values sum up to 1; of the layout CSR -1.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse, or lies row by row and axis is another than -1.
        ValueError: there is no such dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 2, 3], [0, 1, 1], [1.0, 1.0, 5.0], [2, 3])
        >>> paddle.sparse.nn.functional.softmax(x).values().tolist()
        [0.5, 0.5, 1.0]

    Follows Paddle 2.6.
    """
    if isinstance(x, Variable):
        return recorded("sparse_softmax", x, axis=axis)
    found, rank = sparse(x, "x", "softmax"), len(x.shape)
    if isinstance(found, SparseCsrTensor) and axis != -1:
        raise UnimplementedError(f"Invalid value for argument `axis` of `softmax`. Expected -1, for a CSR Tensor. Received: {axis}")
    if not -rank <= axis < rank:
        raise invalid_argument("axis", f"a number from {-rank} to {rank - 1}", axis, "softmax")
    return found._like(wrapped(ops.softmax(_layouts.indices_of(found), _layouts.values_of(found), found._shape, axis % rank)))


__all__ = ["leaky_relu", "relu", "relu6", "softmax"]

__getattr__ = missing(__name__)
