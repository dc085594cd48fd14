"""Matrix products, norms, decompositions and solvers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from torch.linalg import vector_norm

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, paddle3, placed
from paddle_compat.ops import linalg as ops
from paddle_compat.ops import math as math_ops
from paddle_compat.ops import reduction
from paddle_compat.ops import search as search_ops
from paddle_compat.tensor import _calls
from paddle_compat.tensor._calls import COMPLEX, INTS, check, check_pair, helper_of, is_tensor, named, need, plain, plain_at_once, static
from paddle_compat.tensor._decompositions import _square, cholesky, eigh, eigvalsh, lu, lu_unpack, qr, svd
from paddle_compat.tensor._products import bmm, cross, dot, inner, kron, matmul, mm, multi_dot, mv, outer
from paddle_compat.tensor._reshape import flatten, t, t_, transpose, transpose_, unsqueeze

_DOUBLE = ("float32", "float64")
_P = None if SINCE_3 else "fro"  # the norm that nobody named
_SMOOTH = ("float16", *_DOUBLE)


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
    check_pair("dist", x, y, _SMOOTH)
    need(p := plain_at_once(p), "p", "dist", float, int)
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
    from paddle_compat.tensor.ops import sqrt

    modes = ("use_mm_for_euclid_dist", "use_mm_for_euclid_dist_if_necessary", "donot_use_mm_for_euclid_dist")
    if compute_mode not in modes:
        raise failed_assertion("compute_mode", f"one of {modes}", compute_mode, "cdist")
    if len(x.shape) < 2 or len(y.shape) < 2 or x.shape[-1] != y.shape[-1]:
        raise failed_assertion("y", f"rows of x's length, as x has shape {list(x.shape)}", list(y.shape), "cdist")
    if p < 0:
        raise failed_assertion("p", "0 or more", p, "cdist")
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
    check(x, "input", "norm", _DOUBLE, _DOUBLE + COMPLEX)
    attrs: dict[str, Any] = {"porder": float(p), "axis": -1 if axis is None else axis, "keepdim": keepdim}
    return reduction.p_norm(x, asvector=axis is None, epsilon=1e-12, _helper=named("p_norm", name), **attrs)


def _frobenius(x: Any, axes: list[int] | None, keepdim: bool, name: str | None) -> Any:
    check(x, "input", "frobenius_norm", _DOUBLE, _DOUBLE + COMPLEX)
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


def _matrix_norm(x: Any, p: Any, axes: list[int], keepdim: bool) -> Any:
    """The norm of the matrices that two dimensions form: of their singular values, or the largest or least sum of a row or column."""
    rank = len(x.shape)
    row, column = (a % rank for a in axes)
    if p in (1, -1, math.inf, -math.inf):
        across, along = (row, column) if abs(p) == 1 else (column, row)
        sums = x.abs().sum(across, keepdim=True)
        out = sums.max(along, keepdim=True) if p > 0 else sums.min(along, keepdim=True)
    elif p in (2, -2, "nuc"):
        last = [a for a in range(rank) if a not in (row, column)]
        values = svd(transpose(x, [*last, row, column]))[1]
        out = values.sum(-1) if p == "nuc" else values.max(-1) if p > 0 else values.min(-1)
        for axis in sorted((row, column)):
            out = out.unsqueeze(axis)
    else:
        raise invalid_argument("p", "'fro', 'nuc', or 1, 2, inf and their negatives for two dimensions", repr(p), "norm")
    return out if keepdim else out.squeeze([row, column])


@placed("out dtype name")
@direct(
    "x",
    "vector_norm(x_, 2 if p is None or type(p) is str else p, axis, keepdim)",
    "dtype is None and matrix is False and (axis is None or type(axis) is int) and (p is None or (p == 'fro' if type(p) is str else "
    "type(p) in NUMBERS and -1e9 < p < 1e9 and p)) and x_.dtype in FLOATS and x_.dim()",
    kind="x_.dtype", vector_norm=vector_norm,
)
@paddle3(A="x", input="x", ord="p", dim="axis", out=True, meant={"matrix": True})
def norm(
    x: Any, p: Any = _P, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None, matrix: bool = False
) -> Any:
    """The norm of a vector or matrix, along given dimensions or of all elements.

    Args:
        x: a tensor of float32 or float64.
        p: "fro", "nuc" (of a matrix), or a number, also inf and -inf; None: as "fro", for two dimensions in Paddle 3 as 2.
        axis: a dimension, two of them, with a number more of them, or None for all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
        dtype: the type to compute in; None: x's.
        matrix: whether numbers p of two dimensions mean norms of matrices, as they do where Paddle 3's names of arguments are used, and
            in scripts for Paddle 3.
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
    if dtype is not None:
        x = x.astype(dtype)
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    p = p if p is not None else 2 if SINCE_3 and isinstance(axis, (list, tuple)) else "fro"
    if axis in ([], ()) and isinstance(p, (int, float)):  # as Paddle 3
        axis = None
    if axis is None:
        if p == "fro":
            return _frobenius(x, None, keepdim, name)
        if isinstance(p, (int, float)):
            return p_norm(x, p, None, keepdim, name)
        if p == "nuc" and len(x.shape) == 2:
            return _matrix_norm(x, p, [0, 1], keepdim)
        raise ValueError(f"Invalid value for argument `p` of `norm`. Expected 'fro' or a number. Received: {p!r}")
    if isinstance(axis, int):
        if isinstance(p, str):
            if p != "fro":
                raise ValueError(f"Invalid value for argument `p` of `norm`. Expected 'fro' or a number. Received: {p!r}")
            return p_norm(x, 2, axis, keepdim, name)
        if not isinstance(p, (int, float)):
            raise ValueError(f"Invalid value for argument `p` of `norm`. Expected 'fro' or a number. Received: {p!r}")
        return p_norm(x, p, axis, keepdim, name)
    axes = list(axis) if isinstance(axis, (list, tuple)) else []
    if len(axes) > 2 and isinstance(p, (int, float)):
        dims = sorted(a % len(x.shape) for a in axes)
        last = transpose(x, [*(a for a in range(len(x.shape)) if a not in dims), *dims])
        out = p_norm(flatten(last, -len(dims)), p, -1, name=name)
        return unsqueeze(out, dims) if keepdim else out
    if len(axes) != 2:
        raise ValueError(f"Invalid value for argument `axis` of `norm`. Expected one or two dimensions. Received: {axis}")
    if p == "fro":
        return _frobenius(x, axes, keepdim, name)
    if p == "nuc" or matrix or SINCE_3 and p in (1, -1, 2, -2, math.inf, -math.inf):
        return _matrix_norm(x, p, axes, keepdim)
    if p in (math.inf, -math.inf):
        lengths = math_ops.abs(x, _helper=named("norm", name))
        operator = reduction.reduce_max if p > 0 else reduction.reduce_min
        return operator(lengths, dim=axes, keep_dim=keepdim, reduce_all=len(axes) == len(x.shape), _helper=named("norm", name))
    if p == 0:
        raise ValueError(f"Invalid value for argument `p` of `norm`. Expected another than 0 for two dimensions. Received: {p}")
    return _matrix_p_norm(x, p, axes, keepdim, name)


_ASSERTED = ("det", "slogdet")


def _matrix_function(api: str, operator: Op, layer: str, kinds: Sequence[str], what: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        check(x, "x", api, kinds, (*kinds, *COMPLEX))
        if static(x) and api in _ASSERTED and (len(x.shape) < 2 or -1 != x.shape[-1] != x.shape[-2] != -1):
            raise failed_assertion("x", "square matrices", list(x.shape), api)
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
        check(value, label, "cholesky_solve", _DOUBLE, _DOUBLE + COMPLEX)
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
    check(x, "dtype", "matrix_power", _DOUBLE, _DOUBLE + COMPLEX)
    n = plain(n)
    need(n, "n", "matrix_power", int)
    return ops.matrix_power(x, n=n, _helper=named("matrix_power", name))


@placed("atol rtol name")
def matrix_rank(
    x: Any, tol: Any = None, hermitian: bool = False, name: str | None = None, *, atol: Any = None, rtol: Any = None
) -> Any:
    """How many singular values lie above a tolerance.

    Args:
        x: [..., N, M], float32 or float64.
        tol: a number or a tensor; None: from the largest value and the precision.
        hermitian: whether x is symmetric.
        name: prefix of the output's name.
        atol, rtol: in place of tol, the least value that counts, as it is and as a share of the largest one.
    Returns:
        [...], int32; int64 with atol or rtol, and in scripts for Paddle 3.2 and later.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: tol and one of the others are given.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.matrix_rank(paddle.ones([2, 2])).item()
        1

    Follows Paddle 2.6.
    """
    check(x, "x", "matrix_rank", _DOUBLE, _DOUBLE + COMPLEX)
    need(hermitian, "hermitian", "matrix_rank", bool)
    if atol is not None or rtol is not None:
        if tol is not None:
            raise ValueError("Invalid value for argument `tol` of `matrix_rank`. Expected None beside atol or rtol. Received: both")
        limit = _least_value(x, hermitian, atol, rtol)
        return ops.matrix_rank(x, limit, _helper=named("matrix_rank", name), hermitian=hermitian, use_default_tol=False).astype("int64")
    attrs: dict[str, Any] = {"hermitian": hermitian, "use_default_tol": tol is None}
    if not is_tensor(tol) and tol is not None:
        attrs["tol"] = float(tol)
    given = (tol,) if is_tensor(tol) else ()
    out = ops.matrix_rank(x, *given, _helper=named("matrix_rank", name), **attrs)
    return out.astype("int64") if SINCE_3_2 else out


def _least_value(x: Any, hermitian: bool, atol: Any, rtol: Any) -> Any:
    """The tolerance: the larger one of atol and of the share rtol, which by default counts where atol is 0."""
    from paddle_compat.tensor._arithmetic import maximum
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.search import where

    values = eigvalsh(x).abs() if hermitian else svd(x)[1]
    largest = values.max(-1)
    absolute, share = (v.astype(x.dtype) if is_tensor(v) else full([], 0.0 if v is None else v, x.dtype) for v in (atol, rtol))
    relative = largest * share
    absolute = absolute + relative * 0.0
    if rtol is None:
        epsilon = 2.220446049250313e-16 if x.dtype == VarType.FP64 else 1.1920928955078125e-07
        default = largest * (epsilon * max(x.shape[-2:]))
        return where(absolute == 0.0, default, absolute)
    return maximum(absolute, relative)


@placed("left name")
@paddle3(A="x", B="y", out=True)
def solve(x: Any, y: Any, name: str | None = None, *, left: bool = True) -> Any:
    """The solution z of x z = y, or of z x = y.

    Args:
        x: [..., N, N].
        y: [..., N, M], or [..., N].
        name: prefix of the output's name.
        left: whether x stands to the left, which only matrices y leave open. Also as the third argument.
    Returns:
        A tensor of y's shape.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: y is a vector and x shall stand to the right.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linalg.solve(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]]), paddle.to_tensor([2.0, 4.0])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "solve", _DOUBLE)
    if isinstance(name, bool):  # where Paddle 3 has it
        name, left = None, name
    if left:
        return ops.solve(x, y, _helper=named("solve", name))
    if len(y.shape) < 2:
        raise invalid_argument("y", "matrices, where x stands to the right", list(y.shape), "solve")
    x, y = (transpose(v, [*range(len(v.shape) - 2), len(v.shape) - 1, len(v.shape) - 2]) for v in (x, y))
    out = ops.solve(x, y, _helper=named("solve", name))
    return transpose(out, [*range(len(out.shape) - 2), len(out.shape) - 1, len(out.shape) - 2])


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
    check_pair("triangular_solve", x, y, _DOUBLE, _DOUBLE + COMPLEX)
    attrs: dict[str, Any] = {"upper": upper, "transpose": transpose, "unitriangular": unitriangular}
    return ops.triangular_solve(x, y, _helper=named("triangular_solve", name), **attrs)


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
    for value, label in ((x, "x"), (y, "y")):
        if len(value.shape) < 2:
            raise invalid_argument(label, "two dimensions or more", list(value.shape), "lstsq")
    if x.shape[-2] != y.shape[-2]:
        raise ValueError(f"Invalid value for argument `y` of `lstsq`. Expected {x.shape[-2]} rows. Received: {y.shape[-2]}")
    if rcond is None:
        rcond = (1e-7 if x.dtype == VarType.FP32 else 1e-15) * max(x.shape[-2], x.shape[-1])
    solution, residuals, rank, values = ops.lstsq(x, y, rcond=rcond, driver=driver, _helper=named("lstsq", name))
    if static(values):  # a driver's outputs that it does not compute are empty, and made by no operator in Paddle
        values.stop_gradient = solution.stop_gradient or driver not in ("gelss", "gelsd")
        rank.stop_gradient = solution.stop_gradient or driver == "gels"
    return solution, residuals, rank, values


@placed("weight density name")
def histogram(
    input: Any, bins: int = 100, min: int = 0, max: int = 0, name: str | None = None, *, weight: Any = None, density: bool = False
) -> Any:
    """How many elements fall into each of equal parts of a range.

    Args:
        input: a tensor of numbers.
        bins: how many parts.
        min, max: the range; both 0: that of the elements.
        name: prefix of the output's name.
        weight: what each element counts, of the input's shape.
        density: whether the parts' areas add up to 1.
    Returns:
        [bins], int64; float32 with weights or of a density.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.histogram(paddle.to_tensor([1, 2, 1]), bins=4, min=0, max=3).tolist()
        [0, 2, 1, 0]

    Follows Paddle 2.6.
    """
    check(input, "X", "histogram", INTS + _DOUBLE)
    if bins < 1:
        raise invalid_argument("bins", "at least 1", bins, "histogram")
    if max < min:
        raise invalid_argument("max", f"at least min, which is {min}", max, "histogram")
    if weight is not None or density:
        return _shares(input, bins, min, max, weight, density)
    if SINCE_3 and static(input) and float in (type(min), type(max)):  # the operator that Programs hold knows whole numbers
        return _shares(input, bins, min, max, None, False).astype("int64")
    return search_ops.histogram(input, bins=bins, min=min, max=max, _helper=named("histogram", name))


def _shares(x: Any, bins: int, low: Any, high: Any, weight: Any, density: bool) -> Any:
    """A histogram in which elements weigh something, or whose area is 1."""
    from paddle_compat.tensor.creation import full_like, ones_like
    from paddle_compat.tensor.logic import logical_and
    from paddle_compat.tensor.search import where

    if weight is not None and list(weight.shape) != list(x.shape):
        raise invalid_argument("weight", f"the shape of the input, {list(x.shape)}", list(weight.shape), "histogram")
    x = x.detach()
    if low == high == 0 and static(x):
        low, high = (end.astype("float32") for end in (x.min(), x.max()))
        alike = (low == high).astype("float32")
        low, high = low - alike, high + alike
    else:
        if low == high == 0 and list(x.shape) != [0]:
            low, high = (float(v) for v in (x.min(), x.max()))
        if low == high:
            low, high = low - 1, high + 1
    flat = x.flatten().astype("float32")
    weights = ones_like(flat) if weight is None else weight.detach().flatten().astype("float32")
    inside = logical_and(flat >= low, flat <= high)
    part = ((flat - low) * float(bins) / (high - low)).astype("int64")
    last = full_like(part, bins - 1)
    part = where(inside, where(part < last, part, last), full_like(part, 0))
    out = bincount(part, where(inside, weights, full_like(weights, 0.0)), bins)
    return out / (out.sum() * ((high - low) / bins)) if density else out


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
    return search_ops.bincount(x, *given, minlength=_calls.whole_at_once(minlength, x), _helper=named("bincount", name))


__all__ = [
    "bincount", "bmm", "cdist", "cholesky", "cholesky_solve", "cross", "det", "dist", "dot", "eig", "eigh", "eigvals", "eigvalsh",
    "histogram", "inner", "inv", "inverse", "kron", "lstsq", "lu", "lu_unpack", "matmul", "matrix_power", "matrix_rank", "mm", "multi_dot",
    "mv", "norm", "outer", "p_norm", "qr", "slogdet", "solve", "svd", "t", "t_", "transpose", "transpose_", "triangular_solve",
]  # fmt: skip

__getattr__ = missing(__name__)
