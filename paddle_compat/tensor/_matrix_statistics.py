"""Functions of matrices that are made of several operators: pseudo-inverse, condition, covariance, reflectors."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.dtype import dtype_name
from paddle_compat.ops import elementwise, linalg, reduction
from paddle_compat.ops import manipulation as shaping
from paddle_compat.ops import math as elementary
from paddle_compat.tensor._calls import COMPLEX, check, helper_of, is_tensor, static
from paddle_compat.tensor.linalg import inverse, matmul, svd

_DOUBLE = ("float32", "float64")


def pinv(x: Any, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Any:
    """The pseudo-inverse of a matrix.

    Args:
        x: [..., N, M], float32 or float64.
        rcond: below this share of the largest, singular values count as 0.
        hermitian: whether x is symmetric.
        name: has no effect.
    Returns:
        [..., M, N].
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.pinv(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.25]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.search import where

    check(x, "X", "pinv", _DOUBLE, _DOUBLE + COMPLEX if hermitian else None)  # else Paddle 3 gives the conjugate of the result
    helper = helper_of("pinv") if static(x) else None
    rank = len(x.shape)
    if 0 in x.shape[rank - 2 :]:
        return _only(shaping.transpose2(x, axis=[*range(rank - 2), rank - 1, rank - 2], _helper=helper))
    if hermitian:
        outputs = None
        if helper is not None:  # the vectors come first among the names
            vectors, found = (helper.create_variable_for_type_inference(x.dtype) for _ in range(2))
            outputs = {"Eigenvectors": vectors, "Eigenvalues": found}
        values, left = linalg.eigh(x, UPLO="L", _helper=helper, _outputs=outputs)
        size = elementary.abs(values, _helper=helper)
    else:
        left, values, turned = linalg.svd(x, full_matrices=False, _helper=helper)
        size = values
    largest = reduction.reduce_max(size, dim=[-1], keep_dim=True, reduce_all=False, _helper=helper)
    limit = (rcond if is_tensor(rcond) else full([1], float(rcond), x.dtype)) * largest
    endless = full([1], math.inf, x.dtype)
    inverted = where(size > limit, 1 / values, 1 / endless)
    factors = _only(shaping.unsqueeze2(inverted, axes=[-2], _helper=helper))
    right = left
    if not hermitian:
        right = _only(shaping.transpose2(turned, axis=[*range(rank - 2), rank - 1, rank - 2], _helper=helper))
    scaled = elementwise.elementwise_mul(right, factors, axis=-1, _helper=helper)
    other = elementary.conj(left, _helper=helper) if hermitian else left
    return linalg.matmul_v2(scaled, other, trans_x=False, trans_y=True, _helper=helper)


def _only(found: Any) -> Any:
    """The first output of an operator that may have several."""
    return found[0] if isinstance(found, tuple) else found


def cond(x: Any, p: Any = None, name: str | None = None) -> Any:
    """The condition number of a matrix.

    Args:
        x: [..., N, M], float32 or float64 (square for other norms than 2).
        p: the norm: None, 2, -2, "fro", "nuc", 1, -1, inf or -inf.
        name: has no effect.
    Returns:
        [...].
    Raises:
        ValueError: p is something else, or x not square where it must be.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.cond(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
        2.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full

    check(x, "X", "cond", _DOUBLE, _DOUBLE + COMPLEX)
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `cond`. Expected two dimensions or more. Received: {list(x.shape)}")
    if 0 in x.shape and (p in (None, 2, -2) or x.shape[-1] == x.shape[-2]):
        return full(x.shape[:-2], 0.0, x.dtype)
    if p in (None, 2, -2):
        values = svd(x)[1]
        helper = helper_of("norm") if static(x) else None
        outputs = None if helper is None else {"Out": helper.create_variable_for_type_inference(x.dtype)}
        largest, smallest = (_over(f, values, -1, helper) for f in (reduction.reduce_max, reduction.reduce_min))
        pair = (smallest, largest) if p == -2 else (largest, smallest)
        return elementwise.elementwise_div(*pair, axis=-1, _helper=helper, _outputs=outputs)
    if p not in ("fro", "nuc", 1, -1, math.inf, -math.inf):
        raise ValueError(f"Invalid value for argument `p` of `cond`. Expected None, 2, 'fro', 'nuc', 1 or inf. Received: {p!r}")
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Invalid value for argument `x` of `cond`. Expected a square matrix for p={p}. Received: {list(x.shape)}")
    other = inverse(x)
    return _matrix_norm(x, p) * _matrix_norm(other, p)


def _over(reduce: Any, x: Any, axis: int, helper: Any) -> Any:
    """A reduction over one axis, under the name of a norm."""
    return reduce(x, dim=[axis], keep_dim=False, reduce_all=False, _helper=helper)


def _matrix_norm(x: Any, p: Any) -> Any:
    """A norm of each matrix, as `cond` means it."""
    helper = helper_of("norm") if p != "nuc" and static(x) else None
    if p == "nuc":
        values = svd(x)[1]
        return _over(reduction.reduce_sum, values, -1, helper_of("norm") if static(x) else None)
    if p == "fro":
        squares = elementary.pow(x, factor=2.0, _helper=helper)
        total = _over(reduction.reduce_sum, _over(reduction.reduce_sum, squares, -1, helper), -1, helper)
        return elementary.pow(total, factor=0.5, _helper=helper)
    totals = _over(reduction.reduce_sum, elementary.abs(x, _helper=helper), -2 if abs(p) == 1 else -1, helper)
    return _over(reduction.reduce_max if p > 0 else reduction.reduce_min, totals, -1, helper)


def cov(x: Any, rowvar: bool = True, ddof: bool = True, fweights: Any = None, aweights: Any = None, name: str | None = None) -> Any:
    """The covariances of variables.

    Args:
        x: [variables, observations], or a vector of observations; float32 or float64.
        rowvar: each row is a variable, else each column.
        ddof: divided by N - 1, else by N.
        fweights: how often each observation counts, whole numbers.
        aweights: how much each observation weighs.
        name: has no effect.
    Returns:
        [variables, variables].
    Raises:
        ValueError: the weights do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.cov(paddle.to_tensor([[1.0, 2.0, 3.0]])).item()
        1.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.attribute import shape
    from paddle_compat.tensor.creation import to_tensor
    from paddle_compat.tensor.manipulation import reshape, t, unsqueeze

    if len(x.shape) not in (1, 2):
        raise ValueError(f"Invalid value for argument `x` of `cov`. Expected one or two dimensions. Received: {list(x.shape)}")
    check(x, "dtype", "cov", _DOUBLE, ("int32", "int64", *_DOUBLE))
    rows = reshape(x, [1, -1]) if len(x.shape) == 1 else x
    if not rowvar and rows.shape[0] != 1:
        rows = t(rows)
    weights = None
    for given, label in ((fweights, "fweights"), (aweights, "aweights")):
        if given is None:
            continue
        if len(given.shape) != 1 or given.shape[0] != rows.shape[1]:
            raise ValueError(
                f"Invalid value for argument `{label}` of `cov`. Expected {rows.shape[1]} weights. Received: {list(given.shape)}"
            )
        if not static(given) and (given < 0).any():
            raise ValueError(f"Invalid value for argument `{label}` of `cov`. Expected weights of at least 0. Received: {given.tolist()}")
        given = given.astype(rows.dtype)
        weights = given if weights is None else weights * given
    if weights is None:
        count = rows.shape[1] if rows.shape[1] >= 0 else shape(rows)[1]
        total = to_tensor(count).astype(rows.dtype)
        mean = rows.sum(1) / total
    else:
        total = weights.sum()
        mean = (rows * weights).sum(1) / total
    if not ddof:
        count = total
    elif aweights is None:
        count = total - float(ddof)
    else:
        count = total - float(ddof) * (weights * aweights.astype(rows.dtype)).sum() / total
    centred = rows - unsqueeze(mean, 1)
    weighted = centred if weights is None else centred * weights
    return (matmul(centred, t(weighted)) / count).squeeze()


def corrcoef(x: Any, rowvar: bool = True, name: str | None = None) -> Any:
    """The correlations of variables, from -1 to 1.

    Args:
        x: [variables, observations], or a vector of observations; float32 or float64.
        rowvar: each row is a variable, else each column.
        name: has no effect.
    Returns:
        [variables, variables].
    Raises:
        ValueError: x has more dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.corrcoef(paddle.to_tensor([[1.0, 2.0], [2.0, 4.0]])).round().tolist()
        [[1.0, 1.0], [1.0, 1.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import unsqueeze
    from paddle_compat.tensor.math import clip, diagonal
    from paddle_compat.tensor.ops import sqrt

    if len(x.shape) not in (1, 2):
        raise ValueError(f"Invalid value for argument `x` of `corrcoef`. Expected one or two dimensions. Received: {list(x.shape)}")
    check(x, "dtype", "corrcoef", _DOUBLE)
    out = cov(x, rowvar)
    if not out.shape:
        return out / out
    deviation = sqrt(diagonal(out))
    out = out / unsqueeze(deviation, 1)
    out = out / unsqueeze(deviation, 0)
    return clip(out, -1, 1)


def householder_product(x: Any, tau: Any, name: str | None = None) -> Any:
    """The first columns of a product of Householder reflectors, as `qr` leaves them.

    Args:
        x: [..., N, M], a reflector in each column, float32 or float64.
        tau: [..., K], their factors.
        name: has no effect.
    Returns:
        [..., N, M].
    Raises:
        AssertionError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.householder_product(paddle.ones([2, 1]), paddle.to_tensor([1.0])).tolist()
        [[0.0], [-1.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import eye, tril
    from paddle_compat.tensor.manipulation import unsqueeze

    check(x, "x", "householder_product", _DOUBLE, _DOUBLE + COMPLEX)
    assert x.dtype == tau.dtype and len(x.shape) >= 2 and len(tau.shape) == len(x.shape) - 1, (
        f"Invalid value for argument `tau` of `householder_product`. Expected factors for x of shape {list(x.shape)}. "
        f"Received: shape {list(tau.shape)}"
    )
    rows, columns, count = x.shape[-2], x.shape[-1], tau.shape[-1]
    assert rows >= columns >= count, (
        f"Invalid value for argument `x` of `householder_product`. Expected N >= M >= K. Received: {rows}, {columns}, {count}"
    )
    if static(x) and len(x.shape) == 2:
        return _reflected(x, tau, rows, columns, count)
    unit = eye(rows, dtype=x.dtype)
    reflectors = tril(x, -1) + eye(rows, columns, dtype=x.dtype)
    out = unit
    for k in range(count):
        column = reflectors[..., k : k + 1]
        factor = unsqueeze(tau[..., k : k + 1], -1)
        mirrored = column.conj() if dtype_name(x.dtype) in COMPLEX else column
        out = matmul(out, unit - factor * matmul(column, mirrored, transpose_y=True))
    return out[..., :columns]


def _reflected(x: Any, tau: Any, rows: int, columns: int, count: int) -> Any:
    """The product for one recorded matrix: each reflector changes the columns behind its place, in a copy."""
    from paddle_compat.tensor._variable_assignment import setitem
    from paddle_compat.tensor.creation import eye
    from paddle_compat.tensor.manipulation import reshape

    out = eye(rows).astype(x.dtype)
    for k in range(count):
        column = reshape(setitem(x[k:, k], 0, 1), [-1, 1])
        behind = (slice(None), slice(k, None))
        out = setitem(out, behind, out[:, k:] - out[:, k:] @ column @ column.T * tau[k])
    return out[:, :columns]


def pca_lowrank(x: Any, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None) -> tuple[Any, Any, Any]:
    """The q largest principal components: U, S and V with x about U diag(S) V'.

    Paddle finds them from random projections; here they are the exact ones, which those approach.

    Args:
        x: [..., N, M], float32 or float64.
        q: how many; None: at most 6.
        center: whether the mean of each column is taken away first.
        niter: how often to improve an approximation; at least 0.
        name: has no effect.
    Returns:
        U [..., N, q], S [..., q] and V [..., M, q].
    Raises:
        ValueError: q or niter lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.shape for v in paddle.linalg.pca_lowrank(paddle.ones([4, 3]), 2)]
        [[4, 2], [2], [3, 2]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import transpose

    check(x, "x", "pca_lowrank", _DOUBLE)
    limit = min(x.shape[-2:])
    q = min(6, limit) if q is None else q
    if not 0 <= q <= limit:
        raise ValueError(f"Invalid value for argument `q` of `pca_lowrank`. Expected 0 to {limit}. Received: {q}")
    if niter < 0:
        raise ValueError(f"Invalid value for argument `niter` of `pca_lowrank`. Expected at least 0. Received: {niter}")
    u, s, vh = svd(x - x.mean(-2, keepdim=True) if center else x)
    rank = len(x.shape)
    v = transpose(vh, [*range(rank - 2), rank - 1, rank - 2])
    return u[..., :q], s[..., :q], v[..., :q]


__all__ = ["cond", "corrcoef", "cov", "householder_product", "pca_lowrank", "pinv"]
