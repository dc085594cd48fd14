"""Functions of Paddle 3 on matrices."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

from paddle_compat import tensor
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor._calls import COMPLEX, check, static

_FLOATS = ("float32", "float64")


def _square(x: Any, api: str) -> None:
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2] or 0 in x.shape:
        raise invalid_argument("x", "square matrices", list(x.shape), api)


@paddle3(input="x")
def matrix_transpose(x: Any, name: str | None = None) -> Any:
    """Matrices with rows and columns exchanged.

    Args:
        x: a tensor of two dimensions or more.
        name: has no effect.
    Returns:
        A tensor whose last two dimensions are exchanged.
    Raises:
        ValueError: x has fewer dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.matrix_transpose(paddle.ones([2, 3, 1])).shape
        [2, 1, 3]

    Follows Paddle 3.3.
    """
    rank = len(x.shape)
    if rank < 2:
        raise invalid_argument("x", "two dimensions at least", rank, "matrix_transpose")
    return tensor.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def cholesky_inverse(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """The inverse of a matrix, of its Cholesky factor.

    Args:
        x: the factor, a matrix; what it has in its other triangle counts, too.
        upper: whether it is the upper one.
        name: has no effect.
    Returns:
        A matrix.
    Raises:
        ValueError: x is no square matrix.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.cholesky_inverse(paddle.to_tensor([[2.0]])).tolist()
        [[0.25]]

    Follows Paddle 3.3.
    """
    if len(x.shape) != 2:
        raise invalid_argument("x", "two dimensions", list(x.shape), "cholesky_inverse")
    if 0 in x.shape:
        return tensor.clone(x)
    _square(x, "cholesky_inverse")
    turned = tensor.transpose(x, [1, 0]).conj()
    return tensor.inverse(tensor.matmul(turned, x) if upper else tensor.matmul(x, turned))


def lu_solve(b: Any, lu: Any, pivots: Any, trans: str = "N", name: str | None = None) -> Any:
    """The x of A x = b, of what `lu` made of A.

    Args:
        b: [N, K].
        lu: the two factors in one matrix, [N, N].
        pivots: the exchanged rows.
        trans: "N", or "T" and "C" for the transposed A.
        name: has no effect.
    Returns:
        [N, K].
    Raises:
        ValueError: the shapes do not fit, or `trans` is another.

    Example:
        >>> import paddle_compat as paddle
        >>> factors, pivots = paddle.linalg.lu(paddle.to_tensor([[2.0]]))
        >>> paddle.linalg.lu_solve(paddle.to_tensor([[4.0]]), factors, pivots).tolist()
        [[2.0]]

    Follows Paddle 3.3.
    """
    if trans not in ("N", "T", "C"):
        raise invalid_argument("trans", "'N', 'T' or 'C'", repr(trans), "lu_solve")
    _square(lu, "lu_solve")
    if len(b.shape) < 2 or b.shape[-2] != lu.shape[-1]:
        raise invalid_argument("b", f"matrices of {lu.shape[-1]} rows", list(b.shape), "lu_solve")
    rows, lower, upper = tensor.lu_unpack(lu, pivots)
    if trans == "N":
        inner = tensor.triangular_solve(lower, tensor.matmul(rows, b, transpose_x=True), upper=False, unitriangular=True)
        return tensor.triangular_solve(upper, inner)
    inner = tensor.triangular_solve(upper, b, transpose=True)
    return tensor.matmul(rows, tensor.triangular_solve(lower, inner, upper=False, transpose=True, unitriangular=True))


def matrix_exp(x: Any, name: str | None = None) -> Any:
    """The exponentials of square matrices.

    Args:
        x: [..., N, N], float32 or float64.
        name: has no effect.
    Returns:
        A tensor of the same shape.
    Raises:
        ValueError: the matrices are neither square nor a number, or of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.matrix_exp(paddle.zeros([1, 1])).tolist()
        [[1.0]]

    Follows Paddle 3.3.
    """
    check(x, "x", "matrix_exp", _FLOATS)
    if not x.shape:
        return tensor.exp(x)
    _square(x, "matrix_exp")
    return _recorded_exp(x) if static(x) else Tensor(torch.linalg.matrix_exp(x._t))


# of the Padé approximation of degree 13, and up to which norm it is exact in double precision (Higham, 2005)
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
    670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_EXACT = 5.371920351148152


def _recorded_exp(x: Any) -> Any:
    """In a Program: the exponential of a part of each matrix that is small enough, squared as often as it was halved."""
    norms = tensor.max(tensor.sum(tensor.abs(x.detach()), -2), -1, keepdim=True)
    halvings = tensor.clip(tensor.ceil(tensor.log2(norms / _EXACT)), 0.0).unsqueeze(-1)
    part = x / tensor.pow(tensor.full_like(halvings, 2.0), halvings)
    powers = [tensor.eye(x.shape[-1], dtype=x.dtype), square := tensor.matmul(part, part)]
    while len(powers) < len(_PADE) // 2:
        powers.append(tensor.matmul(powers[-1], square))
    factors = [tensor.full([], factor, x.dtype) for factor in _PADE]  # a number beside a Variable is a float32
    odd, even = (sum(power * factor for power, factor in zip(powers, factors[start::2])) for start in (1, 0))
    odd = tensor.matmul(part, odd)
    found = tensor.solve(even - odd, even + odd)
    most = tensor.max(halvings).astype("int64")
    squared = lambda n, power: [n + 1, tensor.where(halvings > n.astype(x.dtype), tensor.matmul(power, power), power)]  # noqa: E731
    # the loop writes into a copy, as the gradient of `solve` reads its result
    start = [tensor.zeros([], "int64"), tensor.assign(found)]
    return import_module("paddle_compat.static.nn").while_loop(lambda n, power: n < most, squared, start)[1]


_ACTS = {"identity": lambda x: x, "relu": torch.relu, "gelu": torch.nn.functional.gelu}


def fp8_fp8_half_gemm_fused(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, bias: Any = None, scale: float = 1.0,
    output_dtype: str = "float16", act: str = "identity", name: str | None = None,
) -> Any:  # fmt: skip
    """The product of matrices of 8-bit floats, summed as float32.

    Args:
        x, y: [..., M, K] and [..., K, N], float8_e4m3fn or float8_e5m2.
        transpose_x, transpose_y: whether the last two dimensions of x, of y are exchanged.
        bias: [N], what is added; None: nothing.
        scale: what the product is multiplied with before that.
        output_dtype: "float16" or "bfloat16".
        act: "identity", "relu" or "gelu", of the sum.
        name: has no effect.
    Returns:
        A tensor, [..., M, N].
    Raises:
        ValueError: the types, or act, are others.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 16]).astype("float8_e4m3fn")
        >>> paddle.linalg.fp8_fp8_half_gemm_fused(x, x, transpose_y=True, scale=0.5).tolist()
        [[8.0, 8.0], [8.0, 8.0]]

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    api = "fp8_fp8_half_gemm_fused"
    check(x, "x", api, ("float8_e4m3fn", "float8_e5m2"))
    check(y, "y", api, ("float8_e4m3fn", "float8_e5m2"))
    for argument, value, known in (("output_dtype", output_dtype, ("float16", "bfloat16")), ("act", act, tuple(_ACTS))):
        if value not in known:
            raise invalid_argument(argument, f"one of {known}", value, api)
    first, second = (one._t.float().mT if turned else one._t.float() for one, turned in ((x, transpose_x), (y, transpose_y)))
    product = first @ second * scale
    return Tensor(_ACTS[act](product if bias is None else product + bias._t.float()).to(getattr(torch, output_dtype)))


@paddle3(A="x", input="x", ord="p", dim="axis")
def matrix_norm(x: Any, p: Any = "fro", axis: Any = [-2, -1], keepdim: bool = False, name: str | None = None) -> Any:  # noqa: B006
    """The norms of matrices.

    Args:
        x: a tensor of float32 or float64.
        p: "fro", "nuc", or one of 1, 2, inf and their negatives.
        axis: the two dimensions of the matrices.
        keepdim: whether these stay, with size 1.
        name: has no effect.
    Returns:
        A tensor.
    Raises:
        ValueError: there is no such norm, or x has fewer dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.matrix_norm(paddle.to_tensor([[3.0, 4.0]])).item()
        5.0

    Follows Paddle 3.3.
    """
    if len(x.shape) < 2:
        raise invalid_argument("x", "two dimensions at least", len(x.shape), "matrix_norm")
    if not isinstance(axis, (list, tuple)) or len(axis) != 2 or len({n % len(x.shape) for n in axis}) != 2:
        raise type_error("axis", "two dimensions", axis, "matrix_norm")
    return tensor.norm(x, p, list(axis), keepdim, matrix=True)


@paddle3(input="x", ord="p", dim="axis", out=True)
def vector_norm(x: Any, p: float = 2.0, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None) -> Any:
    """The norms of vectors.

    Args:
        x: a tensor of float32 or float64.
        p: a number, also inf and -inf.
        axis: a dimension or several, together one vector; None: all.
        keepdim: whether these stay, with size 1.
        name: has no effect.
        dtype: the type to compute in; None: x's.
    Returns:
        A tensor.
    Raises:
        ValueError: p is no number.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.vector_norm(paddle.to_tensor([3.0, -4.0]), 1).item()
        7.0

    Follows Paddle 3.3.
    """
    if not isinstance(p, (int, float)):
        raise invalid_argument("p", "a number", repr(p), "vector_norm")
    x = x if dtype is None else x.astype(dtype)
    check(x, "x", "vector_norm", _FLOATS, _FLOATS + COMPLEX)
    rank = len(x.shape)
    axes = list(range(rank)) if axis in (None, [], ()) else [a % rank for a in ([axis] if isinstance(axis, int) else axis)]
    rest = [a for a in range(rank) if a not in axes]
    flat = tensor.flatten(tensor.transpose(x, rest + axes), len(rest)) if axes else tensor.unsqueeze(x, -1)
    out = tensor.p_norm(flat, p, len(rest))
    return tensor.unsqueeze(out, sorted(axes)) if keepdim and axes else out


def svdvals(x: Any, name: str | None = None) -> Any:
    """The singular values of matrices, the largest first.

    Args:
        x: [..., N, M], float32 or float64.
        name: has no effect.
    Returns:
        [..., min(N, M)].
    Raises:
        ValueError: x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.svdvals(paddle.to_tensor([[3.0, 0.0], [0.0, 2.0]])).tolist()
        [3.0, 2.0]

    Follows Paddle 3.3.
    """
    if len(x.shape) < 2:
        raise invalid_argument("x", "two dimensions at least", len(x.shape), "svdvals")
    return tensor.svd(x)[1]


def svd_lowrank(x: Any, q: int | None = None, niter: int = 2, M: Any = None, name: str | None = None) -> tuple[Any, Any, Any]:
    """The q largest singular values and their vectors: U, S and V with x about U diag(S) V'.

    Paddle finds them from random projections; here they are the exact ones, which those approach.

    Args:
        x: [..., N, K], float32 or float64.
        q: how many; None: at most 6.
        niter: how often to improve an approximation; at least 0.
        M: what is taken away from x first, and broadcasts to it.
        name: has no effect.
    Returns:
        U [..., N, q], S [..., q] and V [..., K, q].
    Raises:
        ValueError: q or niter lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.shape for v in paddle.linalg.svd_lowrank(paddle.ones([4, 3]), 2)]
        [[4, 2], [2], [3, 2]]

    Follows Paddle 3.3.
    """
    if len(x.shape) < 2:
        raise invalid_argument("x", "two dimensions at least", len(x.shape), "svd_lowrank")
    found: tuple[Any, Any, Any] = tensor.pca_lowrank(x if M is None else x - M, q, False, niter)
    return found


def ormqr(x: Any, tau: Any, y: Any, left: bool = True, transpose: bool = False, name: str | None = None) -> Any:
    """A matrix times the orthogonal one that Householder's reflectors make.

    Args:
        x: the reflectors, [..., M, N].
        tau: their factors, [..., N].
        y: the matrix.
        left: whether the orthogonal one stands before it; else behind.
        transpose: whether the orthogonal one is transposed.
        name: has no effect.
    Returns:
        A tensor like y.
    Raises:
        AssertionError: there are not as many factors as reflectors, or y does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.ormqr(paddle.eye(2), paddle.zeros([2]), paddle.ones([2, 2])).tolist()
        [[1.0, 1.0], [1.0, 1.0]]

    Follows Paddle 3.3.
    """
    if len(x.shape) < 2 or len(y.shape) < 2 or x.shape[-1] != tau.shape[-1]:
        raise failed_assertion("x", f"matrices of {tau.shape[-1]} columns", list(x.shape), "ormqr")
    met = x.shape[-2 if left == transpose else -1]
    if y.shape[-2 if left else -1] != met:
        raise failed_assertion("y", f"matrices of {met} {'rows' if left else 'columns'}", list(y.shape), "ormqr")
    q = tensor.householder_product(x, tau)
    return tensor.matmul(q, y, transpose_x=transpose) if left else tensor.matmul(y, q, transpose_y=transpose)


__all__ = [
    "cholesky_inverse", "lu_solve", "matrix_exp", "matrix_norm", "matrix_transpose", "ormqr", "svd_lowrank", "svdvals", "vector_norm",
]  # fmt: skip
