"""Matrices taken apart: eigenvalues, singular values, QR and LU."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.ops import linalg as ops
from paddle_compat.tensor._calls import (
    COMPLEX,
    check,
    helper_of,
    is_tensor,
    named,
    need,
    static,
)

_DOUBLE = ("float32", "float64")


def _square(x: Any, api: str) -> None:
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected two dimensions or more. Received: shape {list(x.shape)}")


def cholesky(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """The triangular factor of a positive definite matrix.

    Args:
        x: [..., N, N], float32 or float64.
        upper: the upper factor, else the lower one.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.cholesky(paddle.to_tensor([[4.0, 0.0], [0.0, 9.0]])).tolist()
        [[2.0, 0.0], [0.0, 3.0]]

    Follows Paddle 2.6.
    """
    if is_tensor(x) and (len(x.shape) < 2 or x.shape[-1] != x.shape[-2] and -1 not in x.shape[-2:]):
        raise failed_assertion("x", "square matrices", list(x.shape), "cholesky")
    check(x, "dtype", "cholesky", _DOUBLE)
    need(upper, "upper", "cholesky", bool)
    return ops.cholesky(x, upper=upper, _helper=named("cholesky", name))


def eigh(x: Any, UPLO: str = "L", name: str | None = None) -> tuple[Any, Any]:
    """The eigenvalues, rising, and eigenvectors of a symmetric matrix.

    Args:
        x: [..., N, N].
        UPLO: which triangle to read, "L" or "U".
        name: prefix of the outputs' names.
    Returns:
        [..., N] and [..., N, N].
    Raises:
        ValueError: x is no square matrix, or UPLO something else.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.eigh(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]]))[0].tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """
    _check_symmetric(x, UPLO, "eigh")
    values, vectors = ops.eigh(x, UPLO=UPLO, _helper=named("eigh", name))
    return values, vectors


def eigvalsh(x: Any, UPLO: str = "L", name: str | None = None) -> Any:
    """The eigenvalues of a symmetric matrix, rising.

    Args:
        x: [..., N, N].
        UPLO: which triangle to read, "L" or "U".
        name: prefix of the output's name.
    Returns:
        [..., N].
    Raises:
        ValueError: x is no square matrix, or UPLO something else.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.eigvalsh(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """
    _check_symmetric(x, UPLO, "eigvalsh")
    return ops.eigvalsh(x, UPLO=UPLO, is_test=bool(x.stop_gradient), _helper=named("eigvalsh", name))


def _check_symmetric(x: Any, uplo: str, api: str) -> None:
    _square(x, api)
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected a square matrix. Received: shape {list(x.shape)}")
    if uplo not in ("L", "U"):
        raise ValueError(f"Invalid value for argument `UPLO` of `{api}`. Expected 'L' or 'U'. Received: {uplo!r}")
    check(x, "dtype", api, _DOUBLE + COMPLEX)


@paddle3(out=True)
def svd(x: Any, full_matrices: bool = False, name: str | None = None) -> tuple[Any, Any, Any]:
    """The singular value decomposition.

    Args:
        x: [..., N, M], float32 or float64.
        full_matrices: whether U and VH are square.
        name: prefix of the outputs' names.
    Returns:
        U, S and VH.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.svd(paddle.to_tensor([[3.0, 0.0], [0.0, 2.0]]))[1].tolist()
        [3.0, 2.0]

    Follows Paddle 2.6.
    """
    check(x, "dtype", "svd", _DOUBLE, _DOUBLE + COMPLEX)
    need(full_matrices, "full_matrices", "svd", bool)
    helper = named("svd", name)
    outputs = None
    if static(x):
        helper = helper_of("svd", name)
        made = {slot: helper.create_variable_for_type_inference(x.dtype) for slot in ("U", "VH", "S")}
        outputs = made
    u, s, vh = ops.svd(x, full_matrices=full_matrices, _helper=helper, _outputs=outputs)
    return u, s, vh


def qr(x: Any, mode: str = "reduced", name: str | None = None) -> Any:
    """An orthogonal and an upper triangular factor.

    Args:
        x: [..., N, M], float32 or float64.
        mode: "reduced", "complete", or "r" for the second factor alone.
        name: prefix of the outputs' names.
    Returns:
        Q and R, or R.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.shape for v in paddle.linalg.qr(paddle.ones([3, 2]))]
        [[3, 2], [2, 2]]

    Follows Paddle 2.6.
    """
    check(x, "dtype", "qr", _DOUBLE, _DOUBLE + COMPLEX)
    need(mode, "mode", "qr", str)
    if mode not in ("reduced", "complete", "r"):
        raise invalid_argument("mode", "'reduced', 'complete' or 'r'", mode, "qr")
    q, r = ops.qr(x, mode=mode, _helper=named("qr", name))
    return r if mode == "r" else (q, r)


def lu(x: Any, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> Any:
    """The factors L and U in one matrix, and the row exchanges.

    Args:
        x: [..., N, M], float32 or float64.
        pivot: whether rows are exchanged.
        get_infos: also return error codes.
        name: prefix of the outputs' names.
    Returns:
        LU, pivots (counted from 1), and with `get_infos` the codes.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.lu(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]]))[1].tolist()
        [1, 2]

    Follows Paddle 2.6.
    """
    check(x, "dtype", "lu", _DOUBLE, _DOUBLE + COMPLEX)
    factors, pivots, infos = ops.lu(x, pivots=pivot, _helper=named("lu", name))
    return (factors, pivots, infos) if get_infos else (factors, pivots)


def lu_unpack(x: Any, y: Any, unpack_ludata: bool = True, unpack_pivots: bool = True, name: str | None = None) -> tuple[Any, Any, Any]:
    """The permutation and the factors from what `lu` gave.

    Args:
        x: LU.
        y: the pivots.
        unpack_ludata: whether to give L and U.
        unpack_pivots: whether to give P.
        name: prefix of the outputs' names.
    Returns:
        P, L and U.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.lu_unpack(*paddle.linalg.lu(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])))[2].tolist()
        [[2.0, 0.0], [0.0, 4.0]]

    Follows Paddle 2.6.
    """
    check(x, "dtype", "lu_unpack", _DOUBLE, _DOUBLE + COMPLEX)
    attrs: dict[str, Any] = {"unpack_ludata": unpack_ludata, "unpack_pivots": unpack_pivots}
    p, lower, upper = ops.lu_unpack(x, y, _helper=named("lu_unpack", name), **attrs)
    return p, lower, upper


__all__ = [
    "cholesky", "eigh", "eigvalsh", "lu", "lu_unpack", "qr", "svd",
]  # fmt: skip
