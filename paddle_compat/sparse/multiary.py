"""Functions of three Tensors, some of them sparse."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.sparse import SparseTensor
from paddle_compat.sparse._arguments import in_eager_mode, in_program, sparse
from paddle_compat.sparse.binary import add, matmul, multiply


def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta * input + alpha * (x @ y), with a sparse x.

    Args:
        input (Tensor): [N, K]; dense where y is, else sparse, of the layout of x.
        x (Tensor): sparse, [N, M].
        y (Tensor): dense, or sparse of the layout of x, [M, K].
        beta (float): the factor of input.
        alpha (float): the factor of the product.
        name (str): has no effect.
    Returns:
        Tensor: dense where input is, else sparse.
    Raises:
        NotImplementedError: x is not sparse, or the layouts do not go together.
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 3], [1, 0, 1], [1.0, 2.0, 3.0], [2, 2])
        >>> paddle.sparse.addmm(paddle.ones([2, 1]), x, paddle.ones([2, 1]), alpha=2.0).tolist()
        [[3.0], [11.0]]

    Follows Paddle 2.6, which has it on GPUs only.
    """
    if not in_program(x):
        in_eager_mode(input, "addmm")
        sparse(x, "x", "addmm")
    product = matmul(x, y)
    if _is_sparse(product) != _is_sparse(input):
        raise UnimplementedError("Invalid value for argument `input` of `addmm`. Expected a Tensor as sparse as y. Received: another")
    if input.shape != product.shape:
        raise invalid_argument("input", f"the shape of the product, {product.shape}", input.shape, "addmm")
    if _is_sparse(product):
        return add(multiply(input, beta), multiply(product, alpha))
    return input * beta + product * alpha


def _is_sparse(x: Any) -> bool:
    return isinstance(x, SparseTensor) or in_program(x)


__all__ = ["addmm"]

__getattr__ = missing(__name__)
