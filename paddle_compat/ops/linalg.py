"""Matrices: products, decompositions, solvers, distances."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.ops._broadcast import broadcast_shapes, same_dtype
from paddle_compat.ops._checks import check_fits, check_rank, check_same_shape, fit
from paddle_compat.ops._eigenvectors import eigen
from paddle_compat.ops.reduction import extreme, nonzeros

Tensor = torch.Tensor
Shape = tuple[int, ...]
BOTH = ("X", "Y")


# ---- products


def _product(of: Callable[[Tensor, Tensor], Tensor], x: Tensor, y: Tensor) -> Tensor:
    """A product as PyTorch makes it; that of whole numbers on a GPU, for which it has no kernels there, comes from the CPU."""
    if x.is_complex() != y.is_complex():
        x, y = same_dtype(x, y)
    try:
        return of(x, y)
    except NotImplementedError:
        if not x.is_cuda:
            raise
        return of(x.cpu(), y.cpu()).to(x.device)


def _infer_mul(x: Meta, y: Meta, *, x_num_col_dims: int = 1, y_num_col_dims: int = 1, **attrs: Any) -> Meta:
    inner, rows = x.shape[x_num_col_dims:], y.shape[:y_num_col_dims]
    if len(x.shape) <= x_num_col_dims or len(y.shape) <= y_num_col_dims:
        dims, value = (x_num_col_dims, x) if len(x.shape) <= x_num_col_dims else (y_num_col_dims, y)
        raise invalid_argument("num_col_dims", f"fewer than the {len(value.shape)} dimensions of {list(value.shape)}", dims)
    if 0 in y.shape:
        raise invalid_argument("Y", "elements", f"shape {list(y.shape)}")
    if -1 not in inner + rows and math.prod(inner) != math.prod(rows):
        raise invalid_argument(
            "Y", f"{math.prod(inner)} rows, to fit X of shape {list(x.shape)}", f"shape {list(y.shape)}"
        )
    return Meta(x.shape[:x_num_col_dims] + y.shape[y_num_col_dims:], x.dtype)


def need_elements(x: Tensor) -> None:
    """Refuse a matrix without rows: Paddle's kernels do, before a mean over no rows makes every parameter NaN."""
    if not x.numel():
        received = f"Received: shape {list(x.shape)}"
        raise PreconditionNotMetError(f"Invalid value for argument `X` of a matrix product. Expected elements. {received}")


@op(inputs=BOTH, grad=BOTH, infer=_infer_mul)
def mul(
    x: Tensor,
    y: Tensor,
    *,
    x_num_col_dims: int = 1,
    y_num_col_dims: int = 1,
    scale_x: float = 1.0,
    scale_y: Sequence[float] = (1.0,),
    scale_out: float = 1.0,
    force_fp32_output: bool = False,
) -> Tensor:
    """The product of two tensors as matrices: their first dimensions are the rows, the rest the columns."""
    need_elements(x)
    if x.dim() == 2 and y.dim() == 2:
        return _product(torch.mm, x, y)
    left = x if x_num_col_dims == x.dim() - 1 else x.flatten(x_num_col_dims)
    right = y if y_num_col_dims == y.dim() - 1 == 1 else y.reshape(math.prod(y.shape[:y_num_col_dims]), -1)
    out = _product(torch.matmul, left, right)
    return out if y.dim() == y_num_col_dims + 1 else out.reshape(x.shape[:x_num_col_dims] + y.shape[y_num_col_dims:])


def _product_shape(x: Shape, y: Shape, transpose_x: bool, transpose_y: bool, checked: bool = True) -> Shape:
    """The shape of a (batched) matrix product; vectors lend a dimension that the result lacks."""
    left = (1, *x) if len(x) == 1 else (*x[:-2], x[-1], x[-2]) if transpose_x else x
    right = (*y, 1) if len(y) == 1 else (*y[:-2], y[-1], y[-2]) if transpose_y else y
    if checked and left[-1] != right[-2] and -1 not in (left[-1], right[-2]):
        raise invalid_argument("Y", f"a size of {left[-1]}, to fit X of shape {list(x)}", f"shape {list(y)}")
    batch = broadcast_shapes(left[:-2], right[:-2])
    rows = () if len(x) == 1 else (left[-2],)
    columns = () if len(y) == 1 else (right[-1],)
    return (*batch, *rows, *columns)


def _infer_matmul(
    x: Meta, y: Meta, *, transpose_X: bool = False, transpose_Y: bool = False, _rank1: bool = False, **attrs: Any
) -> Meta:
    shape = _product_shape(x.shape, y.shape, transpose_X, transpose_Y)
    return Meta(shape or ((1,) if _rank1 else ()), x.dtype)


def _turned(x: Tensor, turn: bool) -> Tensor:
    return x.mT if turn and x.dim() > 1 else x


@op(inputs=BOTH, grad=BOTH, infer=_infer_matmul)
def matmul(
    x: Tensor,
    y: Tensor,
    *,
    transpose_X: bool = False,
    transpose_Y: bool = False,
    alpha: float = 1.0,
    head_number: int = 1,
    Scale_x: float = 1.0,
    Scale_y: float = 1.0,
    Scale_out: float = 1.0,
    force_fp32_output: bool = False,
    fused_reshape_Out: Sequence[int] = (),
    fused_transpose_Out: Sequence[int] = (),
    _rank1: bool = False,
) -> Tensor:
    """alpha times the (batched) matrix product of x and y."""
    out = _product(torch.matmul, _turned(x, transpose_X), _turned(y, transpose_Y))
    if alpha != 1.0:
        out = out * alpha
    return out.reshape(1) if _rank1 and out.dim() == 0 else out


def _infer_matmul_v2(x: Meta, y: Meta, *, trans_x: bool = False, trans_y: bool = False) -> Meta:
    # Paddle 2 looks at the sizes that are added up when it runs: its own examples record networks for images of other sizes. Whole
    # numbers are Paddle 3's, which looks at once.
    whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return Meta(_product_shape(x.shape, y.shape, trans_x, trans_y, checked=whole), x.dtype)


@op(inputs=BOTH, grad=BOTH, infer=_infer_matmul_v2, lod=None)
def matmul_v2(x: Tensor, y: Tensor, *, trans_x: bool = False, trans_y: bool = False) -> Tensor:
    """The (batched) matrix product of x and y, either of them transposed before."""
    if trans_x:
        x = _turned(x, True)
    if trans_y:
        y = _turned(y, True)
    return _product(torch.matmul, x, y)


def _infer_bmm(x: Meta, y: Meta) -> Meta:
    check_rank("x", x, 3)
    check_fits("y", y, (x.shape[0], x.shape[2], -1))
    return Meta((max(x.shape[0], y.shape[0]), x.shape[1], y.shape[2]), x.dtype)


@op(inputs=BOTH, grad=BOTH, infer=_infer_bmm)
def bmm(x: Tensor, y: Tensor) -> Tensor:
    """The products of matrices in pairs."""
    return _product(torch.bmm, x, y)


def _infer_dot(x: Meta, y: Meta, *, _rank1: bool = False) -> Meta:
    check_same_shape("y", [x, y])
    if len(x.shape) > 2:
        raise invalid_argument("x", "1 or 2 dimensions", f"shape {list(x.shape)}", "dot")
    return Meta(x.shape[:-1] + ((1,) if _rank1 else ()), x.dtype)


@op(
    inputs=BOTH,
    grad=BOTH,
    infer=_infer_dot,
    lod=None,
)
def dot(x: Tensor, y: Tensor, *, _rank1: bool = False) -> Tensor:
    """The inner product of two vectors, or of each pair of rows (1.x keeps the last dimension)."""
    if x.dim() == 1 and x.shape == y.shape and x.dtype is y.dtype and x.dtype in (torch.float32, torch.float64) and not _rank1:
        return torch.dot(x, y)
    return (x * y).sum(-1, keepdim=_rank1, dtype=x.dtype)


def _infer_mv(x: Meta, vec: Meta) -> Meta:
    check_rank("vec", vec, 1)
    if not fit(x.shape[1:], vec.shape):
        raise invalid_argument("vec", f"{x.shape[1:]} elements, to fit x of shape {list(x.shape)}", f"shape {list(vec.shape)}")
    return Meta(x.shape[:1], x.dtype)


@op(inputs=("X", "Vec"), grad=("X", "Vec"), infer=_infer_mv)
def mv(x: Tensor, vec: Tensor) -> Tensor:
    """A matrix times a vector."""
    return torch.mv(x, vec)


def _infer_addmm(inputs: Meta, x: Meta, y: Meta, **attrs: Any) -> Meta:
    if not fit(x.shape[1:], y.shape[:1]):
        raise invalid_argument("y", f"{x.shape[1]} rows, to fit x of shape {list(x.shape)}", f"shape {list(y.shape)}")
    out = (x.shape[0], y.shape[1])
    broadcast_shapes(inputs.shape, out)
    return Meta(out, inputs.dtype)


@op(inputs=("Input", "X", "Y"), grad=("Input", "X", "Y"), infer=_infer_addmm)
def addmm(inputs: Tensor, x: Tensor, y: Tensor, *, Alpha: float = 1.0, Beta: float = 1.0) -> Tensor:
    """Beta * input + Alpha * (x times y)."""
    return torch.addmm(inputs, x, y, beta=Beta, alpha=Alpha)


def _infer_kron(x: Meta, y: Meta) -> Meta:
    rank = max(len(x.shape), len(y.shape))
    both = ((1,) * (rank - len(x.shape)) + tuple(x.shape), (1,) * (rank - len(y.shape)) + tuple(y.shape))
    return Meta(tuple(-1 if -1 in pair else pair[0] * pair[1] for pair in zip(*both)), torch.promote_types(x.dtype, y.dtype))


@op(inputs=BOTH, grad=BOTH, lod=None, infer=_infer_kron)
def kron(x: Tensor, y: Tensor) -> Tensor:
    """The Kronecker product."""
    return torch.kron(x.contiguous(), y.contiguous())


@op(inputs=BOTH, grad=BOTH)
def cross(x: Tensor, y: Tensor, *, dim: int = 9) -> Tensor:
    """The cross product along a dimension of size 3; 9 means the first such dimension."""
    if x.shape != y.shape:
        raise invalid_argument("y", f"the shape of x, {list(x.shape)}", list(y.shape), "cross")
    if dim == 9:
        if 3 not in x.shape:
            raise invalid_argument("x", "a dimension of size 3", f"shape {list(x.shape)}")
        dim = list(x.shape).index(3)
    return torch.linalg.cross(x, y, dim=dim)


def _infer_multi_dot(x: Sequence[Meta]) -> Meta:
    shapes = [(1, *m.shape) if not n and len(m.shape) == 1 else m.shape for n, m in enumerate(x)]
    shapes[-1] = (*shapes[-1], 1) if len(x[-1].shape) == 1 else shapes[-1]
    if len(x) < 2 or any(len(shape) != 2 for shape in shapes):
        raise invalid_argument("x", "two matrices at least; vectors first and last only", [list(m.shape) for m in x], "multi_dot")
    for left, right in itertools.pairwise(shapes):
        if left[1] != right[0] and -1 not in (left[1], right[0]):
            raise invalid_argument("x", "matrices that fit each other", [list(m.shape) for m in x], "multi_dot")
    ends = *(shapes[0][:1] if len(x[0].shape) == 2 else ()), *(shapes[-1][1:] if len(x[-1].shape) == 2 else ())
    return Meta(ends, x[0].dtype)


@op(inputs=("X*",), grad=("X",), infer=_infer_multi_dot)
def multi_dot(x: Sequence[Tensor]) -> Tensor:
    """The product of several matrices, in the cheapest order."""
    return torch.linalg.multi_dot(list(x))


def _infer_einsum(operands: Sequence[Meta], *, equation: str) -> Meta:
    sizes: dict[str, int] = {}
    left, _, right = equation.replace(" ", "").partition("->")
    batch: Shape = ()
    for term, operand in zip(left.split(","), operands):
        head, dots, tail = term.partition("...")
        cut = len(operand.shape) - len(tail)
        names, shape = head + tail, operand.shape[: len(head)] + operand.shape[cut:]
        if dots:
            batch = broadcast_shapes(batch, operand.shape[len(head) : cut])
        for letter, size in zip(names, shape):
            if -1 not in (size, sizes.get(letter, size)) and size != sizes.get(letter, size):
                raise invalid_argument("operands", f"equal sizes for {letter!r} of {equation!r}", [sizes[letter], size], "einsum")
            sizes[letter] = max(size, sizes.get(letter, size))
    if "->" not in equation:
        once = sorted(letter for letter in sizes if left.count(letter) == 1)
        right = ("..." if "..." in left else "") + "".join(once)
    head, dots, tail = right.partition("...")
    shape = tuple(sizes[c] for c in head) + (batch if dots else ()) + tuple(sizes[c] for c in tail)
    return Meta(shape, operands[0].dtype)


def _nothing(operands: Sequence[Meta], **attrs: Any) -> Meta:
    return Meta((), operands[0].dtype)


def _as_operands(operands: Sequence[Meta], **attrs: Any) -> list[Meta]:
    return [Meta(m.shape, m.dtype) for m in operands]


@op(
    inputs=("Operands*",),
    outputs=("Out", "InnerCache*~", "XShape*~"),
    grad=("Operands", "InnerCache"),
    infer=_infer_einsum,
    describe={"InnerCache": _nothing, "XShape": _as_operands},
    lod=None,
)
def einsum(operands: Sequence[Tensor], *, equation: str) -> Tensor:
    """Sums of products in Einstein's notation."""
    if len(operands) == 2 and operands[0].is_complex() and operands[1].dtype == operands[0].dtype.to_real():
        operands = [operands[0], operands[1].to(operands[0].dtype)]  # real numbers behind complex ones, which Paddle takes
    return torch.einsum(equation, *operands)


# ---- distances


def _infer_dist(x: Meta, y: Meta, **attrs: Any) -> Meta:
    return Meta((1,) if attrs.get("_rank1") else (), x.dtype)


@op(inputs=BOTH, grad=("X", "Y", "Out"), infer=_infer_dist, lod=None)
def dist(x: Tensor, y: Tensor, *, p: float = 2.0, _rank1: bool = False) -> Tensor:
    """The p-norm of x - y."""
    gap = (x - y).reshape(-1)
    if abs(p) == math.inf:
        out = extreme(gap.abs(), [0], False, largest=p > 0)
    elif p == 0:
        out = nonzeros(gap, [0], False)
    else:
        out = torch.linalg.vector_norm(gap, p)
    return out.reshape(1) if _rank1 else out


# ---- decompositions and solvers


def _infer_square(x: Meta, *others: Meta, **attrs: Any) -> Any:
    """Matrices whose sizes only a run tells are square."""
    return Meta(x.shape, x.dtype) if x.shape[-2:] == (-1, -1) else NotImplemented


def _infer_solve(x: Meta, y: Meta) -> Any:
    """Solutions for matrices of which only a run tells the sizes; y is vectors where its shape says so."""
    if -1 not in x.shape[-2:] + y.shape[-2:] or len(x.shape) < 2 or len(y.shape) < 2 or x.shape[:-1] == y.shape:
        return NotImplemented
    if not fit(x.shape[-2:-1], y.shape[-2:-1]):
        return NotImplemented
    return Meta((*broadcast_shapes(x.shape[:-2], y.shape[:-2]), x.shape[-2], y.shape[-1]), x.dtype)


def _infer_triangular(x: Meta, y: Meta, **attrs: Any) -> Any:
    """As `_infer_solved`."""
    return _infer_solved(y, x)


@op(inputs=("X",), grad=("Out",), lod=None, infer=_infer_square)
def cholesky(x: Tensor, *, upper: bool = False) -> Tensor:
    """The triangular factor of a positive definite matrix."""
    return torch.linalg.cholesky(x, upper=upper)


def _infer_solved(x: Meta, y: Meta, **attrs: Any) -> Any:
    """What cannot be tried out, as no trial has square matrices of unknown sizes; the others are."""
    if -1 not in x.shape[-2:] + y.shape[-2:] or len(x.shape) < 2 or len(y.shape) < 2 or not fit(x.shape[-2:-1], y.shape[-2:-1]):
        return NotImplemented
    return Meta((*broadcast_shapes(x.shape[:-2], y.shape[:-2]), *x.shape[-2:]), x.dtype)


@op(inputs=BOTH, grad=("X", "Y", "Out"), infer=_infer_solved)
def cholesky_solve(x: Tensor, y: Tensor, *, upper: bool = False) -> Tensor:
    """The solution of A z = x, where y is the Cholesky factor of A."""
    return torch.cholesky_solve(x, y.triu() if upper else y.tril(), upper)


def _infer_inverse(x: Meta) -> Meta:
    if len(x.shape) < 2 or -1 not in x.shape[-2:] and x.shape[-1] != x.shape[-2]:
        raise invalid_argument("x", "square matrices", f"shape {list(x.shape)}", "inverse")
    return Meta(x.shape, x.dtype)


@op(inputs=("Input",), outputs=("Output",), grad=("Output",), infer=_infer_inverse)
def inverse(x: Tensor) -> Tensor:
    """The inverse matrix."""
    return torch.linalg.inv(x)


@op(inputs=("Input",), grad=("Input", "Out"), infer=lambda x: Meta(x.shape[:-2], x.dtype))
def determinant(x: Tensor) -> Tensor:
    """The determinant."""
    return torch.linalg.det(x)


@op(inputs=("Input",), grad=("Input", "Out"), infer=lambda x: Meta((2, *x.shape[:-2]), x.dtype))
def slogdeterminant(x: Tensor) -> Tensor:
    """The determinant's sign and the logarithm of its absolute value, stacked."""
    return torch.stack(tuple(torch.linalg.slogdet(x)))


def _infer_eigen(x: Meta, values: torch.dtype, vectors: torch.dtype) -> Any:
    """As `_infer_solved`."""
    if len(x.shape) < 2 or -1 not in x.shape[-2:]:
        return NotImplemented
    return Meta(x.shape[:-1], values), Meta(x.shape, vectors)


@op(
    inputs=("X",),
    outputs=("Eigenvalues", "Eigenvectors"),
    grad=("Eigenvalues", "Eigenvectors", "Eigenvalues@GRAD", "Eigenvectors@GRAD"),
    infer=lambda x: _infer_eigen(x, x.dtype.to_complex(), x.dtype.to_complex()),
)
def eig(x: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of a matrix."""
    if x.requires_grad and torch.is_grad_enabled():
        return eigen(x)
    values, vectors = torch.linalg.eig(x)
    return values, vectors


@op(
    inputs=("X",),
    outputs=("Eigenvalues", "Eigenvectors"),
    grad=("Eigenvalues", "Eigenvectors", "Eigenvalues@GRAD", "Eigenvectors@GRAD"),
    infer=lambda x, **attrs: _infer_eigen(x, x.dtype.to_real(), x.dtype),
)
def eigh(x: Tensor, *, UPLO: str = "L") -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    if x.is_complex() and x.requires_grad and torch.is_grad_enabled():
        return eigen(x, UPLO)
    values, vectors = torch.linalg.eigh(x, UPLO)
    return values, vectors


def _infer_eigvals(x: Meta) -> Meta:
    if len(x.shape) < 2 or not fit(x.shape[-2:-1], x.shape[-1:]):
        raise invalid_argument("x", "square matrices", f"shape {list(x.shape)}", "eigvals")
    return Meta(x.shape[:-1], x.dtype.to_complex())


@op(inputs=("X",), infer=_infer_eigvals, lod=None)
def eigvals(x: Tensor) -> Tensor:
    """Eigenvalues of a matrix."""
    return torch.linalg.eigvals(x)


def _eigenvectors(x: Tensor, values: Tensor, *, UPLO: str = "L", is_test: bool = False) -> Tensor | None:
    return None if is_test else torch.linalg.eigh(x, UPLO).eigenvectors


@op(
    inputs=("X",),
    outputs=("Eigenvalues", "Eigenvectors~"),
    grad=("Eigenvectors",),
    derive={"Eigenvectors": _eigenvectors},
    infer=lambda x, **attrs: found if (found := _infer_eigen(x, x.dtype.to_real(), x.dtype)) is NotImplemented else found[0],
    lod=None,
)
def eigvalsh(x: Tensor, *, UPLO: str = "L", is_test: bool = False) -> Tensor:
    """Eigenvalues of a symmetric matrix."""
    return torch.linalg.eigvalsh(x, UPLO)


def _smaller_size(x: Meta) -> int:
    return -1 if -1 in x.shape[-2:] else min(x.shape[-2:])


def _infer_svd(x: Meta, *, full_matrices: bool = False) -> tuple[Meta, Meta, Meta]:
    *batch, rows, columns = x.shape
    rank = _smaller_size(x)
    left, right = (rows, columns) if full_matrices else (rank, rank)
    return Meta((*batch, rows, left), x.dtype), Meta((*batch, rank), x.dtype), Meta((*batch, right, columns), x.dtype)


def _infer_qr(x: Meta, *, mode: str = "reduced") -> tuple[Meta, Meta]:
    *batch, rows, columns = x.shape
    rank = rows if mode == "complete" else _smaller_size(x)
    return Meta((*batch, rows, rank) if mode != "r" else (0,), x.dtype), Meta((*batch, rank, columns), x.dtype)


@op(
    inputs=("X",), outputs=("U", "S", "VH"), grad=("X", "U", "S", "VH", "U@GRAD", "S@GRAD", "VH@GRAD"), infer=_infer_svd
)
def svd(x: Tensor, *, full_matrices: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The singular value decomposition."""
    u, s, vh = torch.linalg.svd(x, full_matrices)
    return u, s, vh


@op(inputs=("X",), outputs=("Q", "R"), grad=("X", "Q", "R", "Q@GRAD", "R@GRAD"), infer=_infer_qr)
def qr(x: Tensor, *, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """An orthogonal and an upper triangular factor."""
    q, r = torch.linalg.qr(x, mode)
    return q, r


def _infer_lu(x: Meta, *, pivots: bool = True) -> Any:
    if len(x.shape) < 2 or not pivots:
        return NotImplemented
    batch = x.shape[:-2]
    return x, Meta((*batch, _smaller_size(x)), torch.int32), Meta(batch or (1,), torch.int32)


@op(inputs=("X",), outputs=("Out", "Pivots", "Infos"), grad=("X", "Out", "Pivots"), infer=_infer_lu, lod=None)
def lu(x: Tensor, *, pivots: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The factors L and U in one matrix, the row exchanges (counted from 1), and error codes."""
    out, order, infos = torch.linalg.lu_factor_ex(x, pivot=pivots)
    return out, order, infos if SINCE_3 or x.dim() > 2 else infos.reshape(1)


@op(
    inputs=("X", "Pivots"),
    outputs=("Pmat", "L", "U"),
    grad=("X", "Pivots", "L", "U", "Pmat", "L@GRAD", "U@GRAD"),
    no_grad=("Pivots",),
)
def lu_unpack(
    x: Tensor, pivots: Tensor, *, unpack_ludata: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """The permutation and the factors from what `lu` gave."""
    p, lower, upper = torch.lu_unpack(x, pivots, unpack_ludata, unpack_pivots)
    nothing = torch.empty(0, device=x.device)  # what is not asked for has Paddle's own data type
    return p if unpack_pivots else nothing, *((lower, upper) if unpack_ludata else (nothing, nothing))


def _infer_lstsq(x: Meta, y: Meta, *, driver: str = "gels", **attrs: Any) -> tuple[Meta, ...]:
    batch, columns = x.shape[:-2], y.shape[-1]
    residuals = (*batch, columns) if (x.shape[-2] > x.shape[-1] or -1 in x.shape[-2:]) and not (SINCE_3 and driver == "gelsy") else (0,)
    values = (0,) if driver in ("gels", "gelsy") else (*batch, _smaller_size(x))
    shapes = (*batch, x.shape[-1], columns), residuals, batch, values
    return tuple(Meta(shape, torch.int32 if i == 2 else x.dtype) for i, shape in enumerate(shapes))


@op(inputs=("X", "Y"), outputs=("Solution", "Residuals?", "Rank", "SingularValues"), infer=_infer_lstsq)
def lstsq(x: Tensor, y: Tensor, *, rcond: float = 0.0, driver: str = "gels") -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The least-squares solution of x z = y, its residuals, the rank and the singular values of x."""
    found = torch.linalg.lstsq(x, y, rcond=rcond or None, driver=driver)
    over = x.shape[-2] > x.shape[-1]  # torch leaves them out for some drivers and ranks, Paddle does so since its version 3
    if SINCE_3 and over:
        over = driver == "gels" or driver != "gelsy" and bool((found.rank == x.shape[-1]).all())
    residuals = (x @ found.solution - y).square().sum(-2) if over else x.new_empty(0)
    solution = found.solution
    if solution.shape[:-2].numel() == 1:  # Paddle's solution of one system has no batch, whatever x has
        solution = solution.reshape(solution.shape[-2:])
    return solution, residuals, found.rank if SINCE_3 and driver == "gels" else found.rank.to(torch.int32), found.singular_values


@op(inputs=("X",), grad=("X", "Out"))
def matrix_power(x: Tensor, *, n: int) -> Tensor:
    """A square matrix multiplied n times with itself."""
    return torch.linalg.matrix_power(x, n)


def _infer_matrix_rank(x: Meta, tol_tensor: Meta | None = None, **attrs: Any) -> Meta:
    if len(x.shape) < 2:
        raise invalid_argument("x", "at least 2 dimensions", f"shape {list(x.shape)}", "matrix_rank")
    return Meta(x.shape[:-2], torch.int32)


@op(inputs=("X", "TolTensor?"), infer=_infer_matrix_rank, lod=None)
def matrix_rank(
    x: Tensor,
    tol_tensor: Tensor | None = None,
    *,
    tol: float = 0.0,
    use_default_tol: bool = True,
    hermitian: bool = False,
) -> Tensor:
    """How many singular values lie above the tolerance."""
    if 0 in x.shape:
        return torch.zeros(x.shape[:-2], dtype=torch.int32, device=x.device)
    values = torch.linalg.eigvalsh(x).abs() if hermitian else torch.linalg.svdvals(x)
    if tol_tensor is None and use_default_tol:
        limit = values.amax(-1, keepdim=True) * torch.finfo(x.dtype).eps * max(x.shape[-2:])
    else:
        limit = torch.as_tensor(tol, dtype=values.dtype, device=x.device).unsqueeze(-1) if tol_tensor is None else tol_tensor.unsqueeze(-1)
    return (values > limit).sum(-1, dtype=torch.int32)


@op(inputs=BOTH, grad=("X", "Y", "Out"), infer=_infer_solve)
def solve(x: Tensor, y: Tensor) -> Tensor:
    """The solution of x z = y; a vector y is one right-hand side."""
    return torch.linalg.solve(x, y) if y.dim() > 1 else torch.linalg.solve(x, y.unsqueeze(-1)).squeeze(-1)


@op(inputs=BOTH, grad=("X", "Y", "Out"), infer=_infer_triangular, lod=None)
def triangular_solve(
    x: Tensor, y: Tensor, *, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Tensor:
    """The solution of x z = y for a triangular x."""
    if transpose:
        x, upper = x.mT, not upper
    return torch.linalg.solve_triangular(x, y, upper=upper, unitriangular=unitriangular)
