"""Functions of one sparse Tensor: of its values, which stay where they are, and of where they are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import convert_dtype, is_float, torch_dtype
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.sparse import SparseCooTensor, SparseCsrTensor, SparseTensor, coo
from paddle_compat.core.tensor import wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.ops import sparse as ops
from paddle_compat.ops._update_parts import single
from paddle_compat.sparse import _layouts
from paddle_compat.sparse._arguments import in_program, of_coordinates, of_floats, recorded, scaled, sparse

# the top-level functions (`paddle.sin`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


_FLOATS, _TRUTHS = "[{}], dtype=float32", "[False, False]"


def _of_values(name: str, what: str, gives: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        if in_program(x):
            return scaled(x, factor, api) if factor else recorded(f"sparse_{api}", of_floats(x, api))
        found = sparse(x, "x", api)
        if not factor:
            return found._like(getattr(paddle, api)(found._values))
        whole = factor != -1 and not is_float(found.dtype)
        return found._like(paddle.scale(paddle.cast(found._values, "float32") if whole else found._values, factor))

    api, factor = name, ops.FACTORS.get(name)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{what} of the values that are there.

    Args:
        x (Tensor): sparse.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [0.25, 0.5], [3])
        >>> paddle.sparse.{name}(x).values().numpy(){".round(4)" if gives is not _TRUTHS else ""}
        array({gives})

    Follows Paddle 2.6.
    """
    return function


abs = _of_values("abs", "The absolute value", _FLOATS.format("0.25, 0.5 "))
asin = _of_values("asin", "The arc sine", _FLOATS.format("0.2527, 0.5236"))
asinh = _of_values("asinh", "The inverse hyperbolic sine", _FLOATS.format("0.2475, 0.4812"))
atan = _of_values("atan", "The arc tangent", _FLOATS.format("0.245 , 0.4636"))
atanh = _of_values("atanh", "The inverse hyperbolic tangent", _FLOATS.format("0.2554, 0.5493"))
deg2rad = _of_values("deg2rad", "Radians of the degrees", _FLOATS.format("0.0044, 0.0087"))
expm1 = _of_values("expm1", "e to the power less 1", _FLOATS.format("0.284 , 0.6487"))
isnan = _of_values("isnan", "Whether it is NaN", _TRUTHS)
log1p = _of_values("log1p", "The logarithm of 1 more", _FLOATS.format("0.2231, 0.4055"))
neg = _of_values("neg", "The negative", _FLOATS.format("-0.25, -0.5 "))
rad2deg = _of_values("rad2deg", "Degrees of the radians", _FLOATS.format("14.3239, 28.6479"))
sin = _of_values("sin", "The sine", _FLOATS.format("0.2474, 0.4794"))
sinh = _of_values("sinh", "The hyperbolic sine", _FLOATS.format("0.2526, 0.5211"))
sqrt = _of_values("sqrt", "The square root", _FLOATS.format("0.5   , 0.7071"))
square = _of_values("square", "The square", _FLOATS.format("0.0625, 0.25  "))
tan = _of_values("tan", "The tangent", _FLOATS.format("0.2553, 0.5463"))
tanh = _of_values("tanh", "The hyperbolic tangent", _FLOATS.format("0.2449, 0.4621"))


def pow(x: Any, factor: Any, name: str | None = None) -> Any:
    """Powers of the values that are there.

    Args:
        x (Tensor): sparse.
        factor (float|int): the exponent.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the same places.
    Raises:
        NotImplementedError: x is not sparse.
        ValueError: the exponent is no number.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [2.0, 3.0], [3])
        >>> paddle.sparse.pow(x, 2).values().tolist()
        [4.0, 9.0]

    Follows Paddle 2.6.
    """
    if isinstance(factor, str):
        raise invalid_argument("factor", "a number", factor, "pow")
    if in_program(x):
        return recorded("sparse_pow", of_floats(x, "pow"), factor=float(factor))
    found = sparse(x, "x", "pow")
    return found._like(paddle.pow(found._values, single(float(factor))))


def cast(x: Any, index_dtype: Any = None, value_dtype: Any = None, name: str | None = None) -> Any:
    """The same Tensor with other data types.

    Args:
        x (Tensor): sparse.
        index_dtype (str): of what says where values are; None: as it is.
        value_dtype (str): of the values; None: as it is.
        name (str): has no effect.
    Returns:
        Tensor: sparse.
    Raises:
        NotImplementedError: x is not sparse.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [2.0, 3.0], [3])
        >>> paddle.sparse.cast(x, "int32", "float64").values().numpy()
        array([2., 3.])

    Follows Paddle 2.6.
    """
    if in_program(x):
        kinds = {"index_dtype": index_dtype, "value_dtype": value_dtype}
        return recorded("sparse_cast", x, **{name: int(convert_dtype(kind)) for name, kind in kinds.items() if kind is not None})
    found = sparse(x, "x", "cast")
    out = found._like(found._values if value_dtype is None else paddle.cast(found._values, value_dtype))
    if index_dtype is not None:
        kind = torch_dtype(index_dtype)
        for slot in ("_indices",) if isinstance(out, SparseCooTensor) else ("_crows", "_cols"):
            setattr(out, slot, getattr(out, slot).to(kind))
    return out


def coalesce(x: Any, name: str | None = None) -> Any:
    """Places in order, once each, with the sums of their values; no gradient passes, as in the wheel.

    Args:
        x (Tensor): sparse, of the layout COO.
        name (str): has no effect.
    Returns:
        Tensor: sparse.
    Raises:
        NotImplementedError: x has another layout.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[1, 0, 1]], [1.0, 2.0, 3.0], [3])
        >>> paddle.sparse.coalesce(x).values().tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """
    if in_program(x):
        return recorded("sparse_coalesce", x)
    return _layouts.coalesce(of_coordinates(x, "x", "coalesce"))


def transpose(x: Any, perm: Any, name: str | None = None) -> Any:
    """The same values with the dimensions in another order.

    Args:
        x (Tensor): sparse.
        perm (list|tuple): which dimension of x each of the result is.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the same layout.
    Raises:
        NotImplementedError: x is not sparse.
        ValueError: perm names other dimensions, or brings one of a value among those with coordinates.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 2.0], [2, 3])
        >>> paddle.sparse.transpose(x, [1, 0]).indices().tolist()
        [[2, 0], [0, 1]]

    Follows Paddle 2.6.
    """
    found, rank = x if in_program(x) else sparse(x, "x", "transpose"), len(x.shape)
    if not isinstance(perm, (list, tuple)) or sorted(n + rank if n < 0 else n for n in perm) != list(range(rank)):
        raise invalid_argument("perm", f"the numbers of {rank} dimensions in some order", perm, "transpose")
    order = [n % rank for n in perm]
    if in_program(x):
        return recorded("sparse_transpose", x, perm=order)
    inner = max(found._values.ndim - 1, 0)
    outer = rank - inner
    if any(n >= outer for n in order[:outer]):
        raise invalid_argument("perm", f"the dimensions of each value ({inner}) behind those with coordinates", perm, "transpose")
    values = _layouts.values_of(found).permute(0, *[n - outer + 1 for n in order[outer:]])
    return _layouts.as_layout_of(found, _layouts.indices_of(found)[order[:outer]], values, [found._shape[n] for n in order])


@paddle3(input="x")
def reshape(x: Any, shape: Any, name: str | None = None) -> Any:
    """The same values where they lie in another shape.

    Args:
        x (Tensor): sparse.
        shape (list|tuple): the shape; 0 takes a size over, and one size may be -1, which follows from the others.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the same layout.
    Raises:
        NotImplementedError: x is not sparse.
        ValueError: the shape has another number of elements.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 2.0], [2, 3])
        >>> paddle.sparse.reshape(x, [6]).indices().tolist()
        [[2, 3]]

    Follows Paddle 2.6.
    """
    if isinstance(x, Variable):
        return recorded("sparse_reshape", x, shape=list(shape))
    found = sparse(x, "x", "reshape")
    if not isinstance(shape, (list, tuple)) or [n for n in shape if n < 0] not in ([], [-1]):
        raise invalid_argument("shape", "a list of sizes, of which one may be -1", shape, "reshape")
    sizes = ops.resolved(found._shape, shape)
    if isinstance(found, SparseCsrTensor) and len(sizes) not in (2, 3):
        raise invalid_argument("shape", "two or three dimensions, as x lies row by row", shape, "reshape")
    return _layouts.reshaped(found, sizes)


def sum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Sums along a dimension, or of all.

    Args:
        x (Tensor): sparse.
        axis (int|list|tuple): the dimension, of several the first; None: all. Of the layout CSR -1 or None.
        dtype (str): the data type of the sums; None: that of x, or int64 for whole numbers.
        keepdim (bool): whether the dimension stays, with size 1; that of a CSR matrix does in any case.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the same layout.
    Raises:
        NotImplementedError: x is not sparse, or lies row by row and axis is another than -1.
        ValueError: there is no such dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [2, 2]], [1.0, 2.0], [2, 3])
        >>> paddle.sparse.sum(x, 0).to_dense().tolist()
        [0.0, 0.0, 3.0]

    Follows Paddle 2.6.
    """
    axes = list(axis) if isinstance(axis, (list, tuple)) else [] if axis is None else [axis]
    if isinstance(x, Variable):
        return recorded("sparse_sum", x, axis=axes, dtype=-1 if dtype is None else int(convert_dtype(dtype)), keepdim=keepdim)
    found, rank = sparse(x, "x", "sum"), len(x.shape)
    values = _layouts.values_of(found)
    if dtype is not None:
        values = values.to(torch_dtype(dtype))
    elif not is_float(found.dtype) and not values.is_complex():
        values = values.long()
    if any(not -rank <= n < rank for n in axes):
        raise invalid_argument("axis", f"a number from {-rank} to {rank - 1}", axis, "sum")
    if isinstance(found, SparseCsrTensor):
        return _sum_of_rows(found, values, axes, keepdim)
    if not axes:
        total = values.sum()
        if keepdim:
            return coo(torch.zeros(rank, 1, dtype=torch.int64, device=values.device), wrapped(total.reshape(1)), [1] * rank)
        return coo(torch.zeros(1, dtype=torch.int64, device=values.device), wrapped(total), [1])
    indices, values, shape = ops.summed(_layouts.indices_of(found), values, found._shape, axes[0] % rank, keepdim)
    return coo(indices, wrapped(values), shape)


def _sum_of_rows(x: SparseCsrTensor, values: torch.Tensor, axes: list[int], keepdim: bool) -> Any:
    shape = x._shape
    if not axes:
        where = torch.zeros(len(shape), 1, dtype=torch.int64, device=values.device)
        return _layouts.as_rows(where if keepdim else where[-2:], values.sum().reshape(1), [1] * (len(shape) if keepdim else 2))
    if axes[0] != -1:
        raise UnimplementedError(f"Invalid value for argument `axis` of `sum`. Expected -1 or None, for a CSR Tensor. Received: {axes[0]}")
    rows, there = ops.different(ops.keys(ops.rows_of(x._crows, shape), shape[:-1]))
    sums = ops.added(values, there, len(rows))
    where = torch.cat([ops.places(rows, shape[:-1]), torch.zeros(1, len(rows), dtype=torch.int64, device=rows.device)])
    out = _layouts.as_rows(where, sums, [*shape[:-1], 1])
    if not keepdim and len(shape) == 3:  # of one matrix the dimension stays, as in the wheel
        out._shape = shape[:-1]
    return out


def slice(x: Any, axes: Any, starts: Any, ends: Any, name: str | None = None) -> Any:
    """A part of a sparse Tensor.

    Args:
        x (Tensor): sparse.
        axes (list|tuple): dimensions.
        starts (list|tuple): where the part begins along each of them.
        ends (list|tuple): where it ends.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the same layout.
    Raises:
        NotImplementedError: x is not sparse.
        ValueError: there is no such dimension, or the lists are not of the same length.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 2.0], [2, 3])
        >>> paddle.sparse.slice(x, [1], [1], [3]).to_dense().tolist()
        [[0.0, 1.0], [0.0, 0.0]]

    Follows Paddle 2.6.
    """
    if isinstance(x, Variable):
        return recorded("sparse_slice", x, axes=list(axes), starts=list(starts), ends=list(ends))
    found, rank = sparse(x, "x", "slice"), len(x.shape)
    axes, starts, ends = (each.tolist() if hasattr(each, "tolist") else list(each) for each in (axes, starts, ends))
    if not len(axes) == len(starts) == len(ends):
        raise invalid_argument("starts", f"as many as axes ({len(axes)}), and ends", (starts, ends), "slice")
    if any(not -rank <= n < rank for n in axes):
        raise invalid_argument("axes", f"numbers from {-rank} to {rank - 1}", axes, "slice")
    limits = ops.bounds(found._shape, axes, starts, ends)
    return _layouts.as_layout_of(found, *ops.part(_layouts.indices_of(found), _layouts.values_of(found), found._shape, limits))


def pca_lowrank(x: Any, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None) -> Any:
    """The principal components of a sparse matrix, nearly: its largest singular values and their vectors.

    Args:
        x (Tensor): sparse, [N, M]; it is computed with all its elements.
        q (int): how many; None: 6, or as many as there are.
        center (bool): whether the means of columns are taken off.
        niter (int): how often the estimate is improved.
        name (str): has no effect.
    Returns:
        tuple: Tensors [N, q], [q] and [M, q].
    Raises:
        ValueError: x is not sparse, or q or niter is no such number.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1, 2], [0, 1, 0]], [1.0, 2.0, 3.0], [3, 2])
        >>> [part.shape for part in paddle.sparse.pca_lowrank(x, q=2)]
        [[3, 2], [2], [2, 2]]

    Follows Paddle 2.6, which has it on GPUs only.
    """
    if not isinstance(x, SparseTensor):
        raise invalid_argument("x", "a sparse Tensor", x, "pca_lowrank")
    found = sparse(x, "x", "pca_lowrank")
    least = min(found._shape[-2:])
    q = min(6, *found._shape[-2:]) if q is None else q
    if not 0 <= q <= least:
        raise invalid_argument("q", f"a number from 0 to {least}", q, "pca_lowrank")
    if niter < 0:
        raise invalid_argument("niter", "a number from 0", niter, "pca_lowrank")
    return paddle.linalg.pca_lowrank(_layouts.to_dense(found), q, center, niter)


__all__ = [
    "abs", "asin", "asinh", "atan", "atanh", "cast", "coalesce", "deg2rad", "expm1", "isnan", "log1p", "neg", "pca_lowrank", "pow",
    "rad2deg", "reshape", "sin", "sinh", "slice", "sqrt", "square", "sum", "tan", "tanh", "transpose",
]  # fmt: skip

__getattr__ = missing(__name__)
