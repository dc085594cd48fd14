"""Matrix products, norms, decompositions and solvers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import Op
from paddle_compat.ops import linalg as ops
from paddle_compat.ops import math as math_ops
from paddle_compat.ops import reduction
from paddle_compat.ops import search as search_ops
from paddle_compat.tensor._calls import (
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    check,
    check_all,
    helper_of,
    is_tensor,
    named,
    need,
    static,
)
from paddle_compat.tensor._reshape import t, t_, transpose, transpose_

_DOUBLE = ("float32", "float64")
_SMOOTH = ("float16", *_DOUBLE)


def matmul(x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
    """The matrix product; leading dimensions broadcast.

    Args:
        x, y: tensors of floats. A vector counts as a row (x) or a column (y).
        transpose_x, transpose_y: whether to transpose the last two dimensions before.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.matmul(paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "matmul", ("int8", *FLOATS, *COMPLEX))
    return ops.matmul_v2(x, y, trans_x=transpose_x, trans_y=transpose_y, _helper=named("matmul_v2", name))


def _fits(api: str, left: int, right: int, label: str) -> None:
    if -1 not in (left, right) and left != right:
        raise ValueError(f"Invalid value for argument `{label}` of `{api}`. Expected a size of {left}. Received: {right}")


def mm(input: Any, mat2: Any, name: str | None = None) -> Any:
    """The product of two matrices, or of stacks of them.

    Args:
        input, mat2: tensors of float16, float32 or float64.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is no such tensor.
        ValueError: the sizes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.mm(paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    for value, label in ((input, "x"), (mat2, "y")):
        check(value, label, "mm", _SMOOTH)
    if len(input.shape) > 1 and len(mat2.shape) > 1:
        _fits("mm", input.shape[-1], mat2.shape[-2], "mat2")
    return ops.matmul_v2(input, mat2, _helper=named("mm", name))


def bmm(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of matrices in pairs.

    Args:
        x: [B, N, K].
        y: [B, K, M].
        name: prefix of the output's name.
    Returns:
        [B, N, M].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bmm(paddle.ones([1, 1, 2]), paddle.ones([1, 2, 1])).tolist()
        [[[2.0]]]

    Follows Paddle 2.6.
    """
    left, right = list(x.shape), list(y.shape)
    if len(left) != 3 or len(right) != 3:
        raise ValueError(f"Invalid value for argument `x` of `bmm`. Expected three dimensions. Received: shapes {left} and {right}")
    _fits("bmm", left[2], right[1], "y")
    _fits("bmm", left[0], right[0], "y")
    return ops.bmm(x, y, _helper=named("bmm", name))


def dot(x: Any, y: Any, name: str | None = None) -> Any:
    """The inner product of two vectors, or of each pair of rows.

    Args:
        x, y: [N] or [B, N].
        name: prefix of the output's name.
    Returns:
        [] or [B].
    Raises:
        RuntimeError: the ranks differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dot(paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])).item()
        11

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        if not is_tensor(value):
            raise type_error(label, "a tensor", value, "dot")
        check(value, label, "dot", NUMBERS + COMPLEX)
    if len(x.shape) != len(y.shape):
        raise RuntimeError(f"Invalid value for argument `y` of `dot`. Expected {len(x.shape)} dimensions. Received: {len(y.shape)}")
    return ops.dot(x, y, _helper=named("dot", name))


def mv(x: Any, vec: Any, name: str | None = None) -> Any:
    """A matrix times a vector.

    Args:
        x: [N, M].
        vec: [M].
        name: prefix of the output's name.
    Returns:
        [N].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.mv(paddle.ones([2, 3]), paddle.ones([3])).tolist()
        [3.0, 3.0]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (vec, "vec")):
        check(value, label, "mv", _DOUBLE)
    if len(x.shape) != 2 or len(vec.shape) != 1:
        raise ValueError(
            f"Invalid value for argument `vec` of `mv`. Expected a matrix and a vector. Received: shapes {list(x.shape)} and {list(vec.shape)}"
        )
    return ops.mv(x, vec, _helper=named("mv", name))


def inner(x: Any, y: Any, name: str | None = None) -> Any:
    """The sums of products over the last dimension of both tensors.

    Args:
        x, y: tensors of floats, the last dimension of one size.
        name: prefix of the output's name.
    Returns:
        x.shape[:-1] + y.shape[:-1].
    Raises:
        ValueError: the sizes differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.inner(paddle.ones([2, 3]), paddle.ones([1, 3])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import multiply
    from paddle_compat.tensor._reshape import reshape

    if not x.shape or not y.shape:
        return multiply(x, y, name=name)
    left, right = list(x.shape), list(y.shape)
    nx, ny = reshape(x, [-1, left[-1]]), reshape(y, [-1, right[-1]])
    for value, label in ((nx, "x"), (ny, "y")):
        check(value, label, "inner", _SMOOTH)
    _fits("inner", left[-1], right[-1], "y")
    if not static(x, y):
        return reshape(ops.matmul_v2(nx, ny, trans_y=True), left[:-1] + right[:-1])
    helper = helper_of("inner", name)
    out = helper.create_variable_for_type_inference(nx.dtype)
    return reshape(ops.matmul_v2(nx, ny.T, _helper=helper, _outputs={"Out": out}), left[:-1] + right[:-1])


def outer(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of each element of x with each of y.

    Args:
        x, y: tensors; they count as flat.
        name: prefix of the output's name.
    Returns:
        [x.size, y.size].
    Raises:
        TypeError: an argument is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.outer(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).tolist()
        [[3.0, 4.0], [6.0, 8.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import multiply
    from paddle_compat.tensor._reshape import reshape

    column, row = reshape(x, [-1, 1]), reshape(y, [1, -1])
    if not static(x, y):
        return multiply(column, row, name=name)
    for value, label in ((column, "x"), (row, "y")):
        check(value, label, "inner", INTS + _SMOOTH)
    return ops.matmul_v2(column, row, _helper=named("outer", name))


def kron(x: Any, y: Any, name: str | None = None) -> Any:
    """The Kronecker product.

    Args:
        x, y: tensors of numbers.
        name: prefix of the output's name.
    Returns:
        A tensor whose dimensions are products of theirs.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.kron(paddle.to_tensor([1, 2]), paddle.to_tensor([1, 10])).tolist()
        [1, 10, 2, 20]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "kron", INTS + _SMOOTH)
    return ops.kron(x, y, _helper=named("kron", name))


def cross(x: Any, y: Any, axis: int = 9, name: str | None = None) -> Any:
    """The cross product of vectors along a dimension of size 3.

    Args:
        x, y: tensors of one shape.
        axis: the dimension; 9: the first of size 3.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cross(paddle.to_tensor([1.0, 0.0, 0.0]), paddle.to_tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "cross", NUMBERS)
    return ops.cross(x, y, dim=9 if axis is None else axis, _helper=named("cross", name))


def dist(x: Any, y: Any, p: float = 2, name: str | None = None) -> Any:
    """The p-norm of x - y.

    Args:
        x, y: tensors of floats; shapes broadcast.
        p: the order, also 0, inf and -inf.
        name: has no effect.
    Returns:
        A tensor without dimensions.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dist(paddle.to_tensor([3.0, 0.0]), paddle.to_tensor([0.0, 4.0])).item()
        5.0

    Follows Paddle 2.6.
    """
    for value, label in ((x, "dtype"), (y, "dtype")):
        check(value, label, "dist", _SMOOTH)
    need(p, "p", "dist", float, int)
    return ops.dist(x, y, p=float(p), _helper="dist")


def cdist(x: Any, y: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary", name: str | None = None) -> Any:
    """The p-norms of the differences between each row of x and each of y.

    Args:
        x: [..., P, M].
        y: [..., R, M].
        p: the order.
        compute_mode: when to use a matrix product for p = 2 ("use_mm_for_euclid_dist", "..._if_necessary", "donot_use_...").
        name: has no effect.
    Returns:
        [..., P, R].
    Raises:
        AssertionError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cdist(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([[3.0, 4.0]])).tolist()
        [[5.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._reshape import unsqueeze
    from paddle_compat.tensor.ops import sqrt

    modes = ("use_mm_for_euclid_dist", "use_mm_for_euclid_dist_if_necessary", "donot_use_mm_for_euclid_dist")
    assert compute_mode in modes, (
        f"Invalid value for argument `compute_mode` of `cdist`. Expected one of {modes}. Received: {compute_mode!r}"
    )
    assert len(x.shape) > 1 and len(y.shape) > 1 and x.shape[-1] == y.shape[-1], (
        f"Invalid value for argument `y` of `cdist`. Expected rows of x's length. Received: shapes {list(x.shape)}, {list(y.shape)}"
    )
    many = x.shape[-2] > 25 or y.shape[-2] > 25
    if p == 2.0 and (compute_mode == modes[0] or (compute_mode == modes[1] and many)):
        lengths_x, lengths_y = ((v * v).sum(-1, keepdim=True) for v in (x, y))
        gap = lengths_x + lengths_y.transpose([*range(len(y.shape) - 2), -1 % len(y.shape), len(y.shape) - 2])
        return sqrt((gap - 2 * matmul(x, y, transpose_y=True)).clip(min=0.0))
    return p_norm(unsqueeze(x, [-2 % (len(x.shape) + 1)]) - unsqueeze(y, [-3 % (len(y.shape) + 1)]), float(p), -1)


def p_norm(x: Any, p: float = 2.0, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The p-norm along one dimension, or of all elements.

    Args:
        x: a tensor of float32 or float64.
        p: the order.
        axis: the dimension; None: x counts as flat.
        keepdim: whether the dimension stays, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.linalg import p_norm
        >>> p_norm(paddle.to_tensor([3.0, 4.0]), 2.0, 0).item()
        5.0

    Follows Paddle 2.6.
    """
    check(x, "input", "norm", _DOUBLE)
    attrs: dict[str, Any] = {"porder": float(p), "axis": -1 if axis is None else axis, "keepdim": keepdim}
    return reduction.p_norm(x, asvector=axis is None, epsilon=1e-12, _helper=named("p_norm", name), **attrs)


def _frobenius(x: Any, axes: list[int] | None, keepdim: bool, name: str | None) -> Any:
    check(x, "input", "frobenius_norm", _DOUBLE)
    attrs: dict[str, Any] = {"dim": axes if axes is not None else [0], "keep_dim": keepdim, "reduce_all": axes is None}
    return reduction.frobenius_norm(x, _helper=named("frobenius_norm", name), **attrs)


def _matrix_p_norm(x: Any, p: float, axes: list[int], keepdim: bool, name: str | None) -> Any:
    """The p-norm over two dimensions, from its parts."""
    if not static(x):
        powers = math_ops.pow(math_ops.abs(x), factor=float(p))
        return math_ops.pow(reduction.reduce_sum(powers, dim=axes, keep_dim=keepdim), factor=1.0 / p)
    helper = helper_of("norm", name)
    # Paddle makes the variables first, the last one in front
    out, length, powers, total = (helper.create_variable_for_type_inference(x.dtype) for _ in range(4))
    math_ops.abs(x, _helper=helper, _outputs={"Out": length})
    math_ops.pow(length, factor=float(p), _helper=helper, _outputs={"Out": powers})
    whole = len(axes) == len(x.shape)
    outputs = {"Out": total}
    reduction.reduce_sum(powers, dim=axes, keep_dim=keepdim, reduce_all=whole, _helper=helper, _outputs=outputs)
    return math_ops.pow(total, factor=float(1.0 / p), _helper=helper, _outputs={"Out": out})


def norm(x: Any, p: Any = "fro", axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The norm of a vector or matrix, along given dimensions or of all elements.

    Args:
        x: a tensor of float32 or float64.
        p: "fro", or a number, also inf and -inf (for one dimension or all).
        axis: a dimension, two of them, or None for all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        ValueError: p and axis do not go together.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.norm(paddle.to_tensor([[3.0, 0.0], [0.0, 4.0]])).item()
        5.0

    Follows Paddle 2.6.
    """
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    if axis is None:
        if p == "fro":
            return _frobenius(x, None, keepdim, name)
        if isinstance(p, (int, float)):
            return p_norm(x, p, None, keepdim, name)
        raise ValueError(f"Invalid value for argument `p` of `norm`. Expected 'fro' or a number. Received: {p!r}")
    if isinstance(axis, int):
        if isinstance(p, str):
            if p != "fro":
                raise ValueError(f"Invalid value for argument `p` of `norm`. Expected 'fro' or a number. Received: {p!r}")
            return p_norm(x, 2, axis, keepdim, name)
        return p_norm(x, p, axis, keepdim, name)
    axes = list(axis)
    if len(axes) != 2:
        raise ValueError(f"Invalid value for argument `axis` of `norm`. Expected one or two dimensions. Received: {axis}")
    if p == "fro":
        return _frobenius(x, axes, keepdim, name)
    if p in (math.inf, -math.inf):
        lengths = math_ops.abs(x, _helper=named("norm", name))
        operator = reduction.reduce_max if p > 0 else reduction.reduce_min
        return operator(lengths, dim=axes, keep_dim=keepdim, reduce_all=len(axes) == len(x.shape), _helper=named("norm", name))
    if p == 0:
        raise ValueError(f"Invalid value for argument `p` of `norm`. Expected another than 0 for two dimensions. Received: {p}")
    return _matrix_p_norm(x, p, axes, keepdim, name)


def _square(x: Any, api: str) -> None:
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected two dimensions or more. Received: shape {list(x.shape)}")


def _matrix_function(api: str, operator: Op, layer: str, kinds: Sequence[str], what: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        check(x, "x", api, kinds)
        _square(x, api)
        return operator(x, _helper=named(layer, name))

    function.__name__ = function.__qualname__ = api
    function.__doc__ = f"""{what}

    Args:
        x: [..., N, N], {", ".join(kinds)}.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        ValueError: x is no matrix.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.{api}(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        {gives}

    Follows Paddle 2.6.
    """
    return function


inverse = _matrix_function("inv", ops.inverse, "inverse", _DOUBLE, "The inverse matrix.", "[[0.5, 0.0], [0.0, 0.25]]")
inv = inverse
det = _matrix_function("det", ops.determinant, "determinant", _SMOOTH, "The determinant.", "8.0")
slogdet = _matrix_function(
    "slogdet", ops.slogdeterminant, "slogdeterminant", _DOUBLE,
    "The determinant's sign and the logarithm of its absolute value, stacked.", "[1.0, 2.079441547393799]",
)  # fmt: skip
eigvals = _matrix_function("eigvals", ops.eigvals, "eigvals", _DOUBLE + COMPLEX, "The eigenvalues of a matrix.", "[(2+0j), (4+0j)]")
eig = _matrix_function(
    "eig", ops.eig, "eig", _DOUBLE + COMPLEX, "The eigenvalues and eigenvectors of a matrix.",
    "Traceback (most recent call last):\n        ...\n        AttributeError: 'tuple' object has no attribute 'tolist'",
)  # fmt: skip


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
    check(x, "dtype", "cholesky", _DOUBLE)
    need(upper, "upper", "cholesky", bool)
    return ops.cholesky(x, upper=upper, _helper=named("cholesky", name))


def cholesky_solve(x: Any, y: Any, upper: bool = False, name: str | None = None) -> Any:
    """The solution z of A z = x, where y is the Cholesky factor of A.

    Args:
        x: [..., N, M].
        y: [..., N, N].
        upper: whether y is the upper factor.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> factor = paddle.to_tensor([[2.0, 0.0], [0.0, 1.0]])
        >>> paddle.linalg.cholesky_solve(paddle.to_tensor([[4.0], [3.0]]), factor).tolist()
        [[1.0], [3.0]]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "cholesky_solve", _DOUBLE)
    return ops.cholesky_solve(x, y, upper=upper, _helper=named("cholesky_solve", name))


def matrix_power(x: Any, n: int, name: str | None = None) -> Any:
    """A square matrix multiplied n times with itself; negative n inverts it.

    Args:
        x: [..., N, N], float32 or float64.
        n: how often.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.matrix_power(paddle.to_tensor([[2.0, 0.0], [0.0, 3.0]]), 2).tolist()
        [[4.0, 0.0], [0.0, 9.0]]

    Follows Paddle 2.6.
    """
    check(x, "dtype", "matrix_power", _DOUBLE)
    need(n, "n", "matrix_power", int)
    return ops.matrix_power(x, n=n, _helper=named("matrix_power", name))


def matrix_rank(x: Any, tol: Any = None, hermitian: bool = False, name: str | None = None) -> Any:
    """How many singular values lie above a tolerance.

    Args:
        x: [..., N, M], float32 or float64.
        tol: a number or a tensor; None: from the largest value and the precision.
        hermitian: whether x is symmetric.
        name: prefix of the output's name.
    Returns:
        [...], int32.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.matrix_rank(paddle.ones([2, 2])).item()
        1

    Follows Paddle 2.6.
    """
    check(x, "x", "matrix_rank", _DOUBLE)
    need(hermitian, "hermitian", "matrix_rank", bool)
    attrs: dict[str, Any] = {"hermitian": hermitian, "use_default_tol": tol is None}
    if not is_tensor(tol) and tol is not None:
        attrs["tol"] = float(tol)
    limit = (tol,) if is_tensor(tol) else ()
    return ops.matrix_rank(x, *limit, _helper=named("matrix_rank", name), **attrs)


def solve(x: Any, y: Any, name: str | None = None) -> Any:
    """The solution z of x z = y.

    Args:
        x: [..., N, N].
        y: [..., N, M], or [..., N].
        name: prefix of the output's name.
    Returns:
        A tensor of y's shape.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.solve(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]]), paddle.to_tensor([2.0, 4.0])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "solve", _DOUBLE)
    return ops.solve(x, y, _helper=named("solve", name))


def triangular_solve(
    x: Any, y: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False, name: str | None = None
) -> Any:
    """The solution z of x z = y for a triangular x.

    Args:
        x: [..., N, N].
        y: [..., N, M].
        upper: whether x is the upper triangle.
        transpose: whether x is transposed before.
        unitriangular: whether x counts as having ones on its diagonal.
        name: prefix of the output's name.
    Returns:
        A tensor of y's shape.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.triangular_solve(paddle.to_tensor([[2.0]]), paddle.to_tensor([[4.0]])).tolist()
        [[2.0]]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "triangular_solve", _DOUBLE)
    attrs: dict[str, Any] = {"upper": upper, "transpose": transpose, "unitriangular": unitriangular}
    return ops.triangular_solve(x, y, _helper=named("triangular_solve", name), **attrs)


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
    check(x, "dtype", "svd", _DOUBLE)
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
    check(x, "dtype", "qr", _DOUBLE)
    need(mode, "mode", "qr", str)
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
    check(x, "dtype", "lu", _DOUBLE)
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
    check(x, "dtype", "lu_unpack", _DOUBLE)
    attrs: dict[str, Any] = {"unpack_ludata": unpack_ludata, "unpack_pivots": unpack_pivots}
    p, lower, upper = ops.lu_unpack(x, y, _helper=named("lu_unpack", name), **attrs)
    return p, lower, upper


def lstsq(x: Any, y: Any, rcond: float | None = None, driver: str | None = None, name: str | None = None) -> tuple[Any, Any, Any, Any]:
    """The least-squares solution of x z = y.

    Args:
        x: [..., N, M], float32 or float64.
        y: [..., N, K].
        rcond: below this share of the largest, singular values count as 0.
        driver: "gels", "gelsy", "gelsd" or "gelss"; None: "gelsy" on the CPU.
        name: prefix of the outputs' names.
    Returns:
        Solution, residuals, rank, singular values.
    Raises:
        ValueError: the driver is none of those.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.lstsq(paddle.to_tensor([[2.0]]), paddle.to_tensor([[4.0]]))[0].tolist()
        [[2.0]]

    Follows Paddle 2.6.
    """
    drivers = ("gels", "gelsy", "gelsd", "gelss")
    driver = "gelsy" if driver is None else driver
    if driver not in drivers:
        raise ValueError(f"Invalid value for argument `driver` of `lstsq`. Expected one of {drivers}. Received: {driver!r}")
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "lstsq", _DOUBLE)
    if x.shape[-2] != y.shape[-2]:
        raise ValueError(f"Invalid value for argument `y` of `lstsq`. Expected {x.shape[-2]} rows. Received: {y.shape[-2]}")
    if rcond is None:
        rcond = (1e-7 if x.dtype == VarType.FP32 else 1e-15) * max(x.shape[-2], x.shape[-1])
    solution, residuals, rank, values = ops.lstsq(x, y, rcond=rcond, driver=driver, _helper=named("lstsq", name))
    return solution, residuals, rank, values


def multi_dot(x: Any, name: str | None = None) -> Any:
    """The product of several matrices, in the cheapest order.

    Args:
        x: a list of matrices; the first and the last may be vectors.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: the types differ, or there is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.multi_dot([paddle.ones([1, 2]), paddle.ones([2, 3]), paddle.ones([3, 1])]).tolist()
        [[6.0]]

    Follows Paddle 2.6.
    """
    check_all(x, "x", "multi_dot", _SMOOTH)
    for value in x:
        if value.dtype != x[0].dtype:
            raise TypeError(f"Invalid type for argument `x` of `multi_dot`. Expected {x[0].dtype}. Received: {value.dtype}")
    return ops.multi_dot(list(x), _helper=named("multi_dot", name))


def histogram(input: Any, bins: int = 100, min: int = 0, max: int = 0, name: str | None = None) -> Any:
    """How many elements fall into each of equal parts of a range.

    Args:
        input: a tensor of numbers.
        bins: how many parts.
        min, max: the range; both 0: that of the elements.
        name: prefix of the output's name.
    Returns:
        [bins], int64.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.histogram(paddle.to_tensor([1, 2, 1]), bins=4, min=0, max=3).tolist()
        [0, 2, 1, 0]

    Follows Paddle 2.6.
    """
    check(input, "X", "histogram", INTS + _DOUBLE)
    return search_ops.histogram(input, bins=bins, min=min, max=max, _helper=named("histogram", name))


def bincount(x: Any, weights: Any = None, minlength: int = 0, name: str | None = None) -> Any:
    """How often each whole number occurs, or the sum of the weights of its occurrences.

    Args:
        x: int32 or int64, a vector.
        weights: one for each element.
        minlength: the least number of counts.
        name: prefix of the output's name.
    Returns:
        A vector.
    Raises:
        TypeError: x is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bincount(paddle.to_tensor([1, 2, 1])).tolist()
        [0, 2, 1]

    Follows Paddle 2.6.
    """
    if not is_tensor(x) or x.dtype not in (VarType.INT32, VarType.INT64):
        raise type_error("x", "a tensor of int32 or int64", x, "bincount")
    given = () if weights is None else (weights,)
    return search_ops.bincount(x, *given, minlength=minlength, _helper=named("bincount", name))


__all__ = [
    "bincount", "bmm", "cdist", "cholesky", "cholesky_solve", "cross", "det", "dist", "dot", "eig", "eigh", "eigvals", "eigvalsh",
    "histogram", "inner", "inv", "inverse", "kron", "lstsq", "lu", "lu_unpack", "matmul", "matrix_power", "matrix_rank", "mm", "multi_dot",
    "mv", "norm", "outer", "p_norm", "qr", "slogdet", "solve", "svd", "t", "t_", "transpose", "transpose_", "triangular_solve",
]  # fmt: skip
