"""Triangles and diagonals of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import arrangement, creation, manipulation
from paddle_compat.tensor._calls import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    check,
    ended,
    helper_of,
    named,
    need,
    plain,
    static,
)
from paddle_compat.tensor._in_place import in_place


def _triangle(api: str, x: Any, diagonal: int, name: str | None) -> Any:
    check(x, "x", api, BOOL + NUMBERS + COMPLEX)
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected two dimensions or more. Received: shape {list(x.shape)}")
    if isinstance(diagonal, Tensor):
        diagonal = int(diagonal)
    need(diagonal, "diagonal", api, int)
    attrs: dict[str, Any] = {"diagonal": diagonal, "lower": api == "tril"}
    if not static(x):
        return arrangement.tril_triu(x, **attrs)
    helper = helper_of(api, name)
    out = helper.create_variable(name=helper.name, dtype=x.dtype, persistable=False)
    return arrangement.tril_triu(x, _helper=helper, _outputs={"Out": out}, **attrs)


@direct("x", "torch.tril(x_, diagonal)", "type(diagonal) is int and x_.dim() > 1 and x_.dtype in NUMERIC", kind="x_.dtype")
@paddle3(input="x", out=True)
def tril(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The lower triangle of each matrix, zeros above.

    Args:
        x: [..., N, M].
        diagonal: the last diagonal kept, an int or, in eager mode, a tensor; 0 is the main one.
        name: the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tril(paddle.ones([2, 2])).tolist()
        [[1.0, 0.0], [1.0, 1.0]]

    Follows Paddle 2.6.
    """
    return _triangle("tril", x, diagonal, name)


@direct("x", "torch.triu(x_, diagonal)", "type(diagonal) is int and x_.dim() > 1 and x_.dtype in NUMERIC", kind="x_.dtype")
@paddle3(input="x", out=True)
def triu(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The upper triangle of each matrix, zeros below.

    Args:
        x: [..., N, M].
        diagonal: the first diagonal kept, an int or, in eager mode, a tensor; 0 is the main one.
        name: the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.triu(paddle.ones([2, 2])).tolist()
        [[1.0, 1.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """
    return _triangle("triu", x, diagonal, name)


def _numbers(*values: Any) -> Any:
    """Python's numbers for numpy's and those of Tensors, in eager mode."""
    return values if static() else tuple(map(plain, values))


def tril_indices(row: int, col: int | None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the lower triangle of a matrix.

    Args:
        row, col: the matrix's size; col None: as many as rows, as in Paddle 3.
        offset: the last diagonal.
        dtype: int32 or int64.
    Returns:
        [2, N].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]

    Follows Paddle 2.6.
    """
    row, col, offset = _numbers(row, row if col is None else col, offset)
    for value, label in ((row, "row"), (col, "col"), (offset, "offset")):
        need(value, label, "tril_indices", int)
        if value < 0 and (label == "col" or (SINCE_3 and label == "row")):
            raise type_error(label, "0 or more", value, "tril_indices")
    attrs: dict[str, Any] = {"rows": max(row, 0), "cols": col, "offset": offset, "dtype": int(convert_dtype(dtype))}
    out = creation.tril_indices(_helper="tril_indices", **attrs)
    out.stop_gradient = True
    return out


def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the upper triangle of a matrix.

    Args:
        row, col: the matrix's size; col None: as many as rows.
        offset: the first diagonal.
        dtype: int32 or int64.
    Returns:
        [2, N].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.triu_indices(2).tolist()
        [[0, 0, 1], [0, 1, 1]]

    Follows Paddle 2.6.
    """
    row, col, offset = _numbers(row, col, offset)
    columns = row if col is None else col
    for value, label in ((row, "row"), (columns, "col"), (offset, "offset")):
        need(value, label, "triu_indices", int)
    attrs: dict[str, Any] = {"row": row, "col": columns, "offset": offset, "dtype": int(convert_dtype(dtype))}
    out = creation.triu_indices(_helper="triu_indices", **attrs)
    out.stop_gradient = True
    return out


@direct(
    "x", "torch.diag(x_, offset)", "padding_value == 0 and type(offset) is int and x_.dtype in NUMERIC and 0 < x_.dim() < 3"
)
def diag(x: Any, offset: int = 0, padding_value: float = 0, name: str | None = None) -> Any:
    """A square matrix with that diagonal, or the diagonal of a matrix.

    Args:
        x: a vector or a matrix.
        offset: which diagonal; 0 is the main one.
        padding_value: what fills the rest of the matrix.
        name: prefix of the output's name.
    Returns:
        A matrix, or a vector.
    Raises:
        ValueError: x has other dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diag(paddle.to_tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]

    Follows Paddle 2.6.
    """
    check(x, "x", "diag_v2", NUMBERS, NUMBERS + COMPLEX)
    if not x.shape and (SINCE_3 or not static(x)):
        x = x.reshape([1])
    if len(x.shape) not in (1, 2):
        raise ValueError(f"Invalid value for argument `x` of `diag`. Expected one or two dimensions. Received: shape {list(x.shape)}")
    attrs: dict[str, Any] = {"offset": offset, "padding_value": float(padding_value)}
    out = arrangement.diag_v2(x, _helper=named("diag_v2", name), **attrs)
    return ended(out) if static(x) else out


def diagflat(x: Any, offset: int = 0, name: str | None = None) -> Any:
    """A square matrix with all elements of x on a diagonal.

    Args:
        x: a tensor.
        offset: which diagonal.
        name: prefix of the output's name.
    Returns:
        A matrix.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diagflat(paddle.to_tensor([[1, 2]])).tolist()
        [[1, 0], [0, 2]]

    Follows Paddle 2.6.
    """
    check(x, "x", "diagflat", INTS + FLOATS, NUMBERS + COMPLEX)
    offset = plain(offset)
    need(offset, "offset", "diagflat", int)
    if not static(x):
        flat = x if len(x.shape) == 1 else manipulation.flatten_contiguous_range(x, start_axis=0, stop_axis=-1)
        return arrangement.diag_v2(flat, offset=offset)
    helper = helper_of("diagflat", name)
    # Paddle makes all three variables first, whether it needs them or not
    flat, shape, out = (helper.create_variable_for_type_inference(x.dtype) for _ in range(3))
    if len(x.shape) != 1:
        outputs = {"Out": flat, "XShape": shape}
        manipulation.flatten_contiguous_range(x, start_axis=0, stop_axis=-1, _helper=helper, _outputs=outputs)
        ended(flat)
    else:
        flat = x
    arrangement.diag_v2(flat, offset=offset, padding_value=0.0, _helper=helper, _outputs={"Out": out})
    return ended(out)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Square matrices whose diagonals are the last dimension of the input.

    Args:
        input: [..., N].
        offset: which diagonal.
        dim1, dim2: the dimensions of the matrices in the output.
    Returns:
        [..., N, N].
    Raises:
        TypeError: the input is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diag_embed(paddle.to_tensor([[1.0, 2.0]])).tolist()
        [[[1.0, 0.0], [0.0, 2.0]]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import assign

    if isinstance(input, np.ndarray):
        input = assign(input)
    check(input, "Input", "diag_embed", INTS + ("float16", "float32", "float64"))
    rank = len(input.shape) + 1
    if rank == 1:
        raise failed_assertion("Input", "one dimension or more", list(input.shape), "diag_embed")
    for label, given in (("dim1", dim1), ("dim2", dim2)):
        if not -rank <= given < rank:
            raise failed_assertion(label, f"{-rank} to {rank - 1}", given, "diag_embed")
    if dim1 % rank == dim2 % rank:
        raise failed_assertion("dim2", "another dimension than dim1", dim2, "diag_embed")
    out = arrangement.diag_embed(input, offset=offset, dim1=dim1, dim2=dim2, _helper="diag_embed")
    return ended(out) if static(input) else out


tril_, triu_ = map(in_place, (tril, triu))


__all__ = [
    "diag", "diag_embed", "diagflat", "tril", "tril_", "tril_indices", "triu", "triu_", "triu_indices",
]  # fmt: skip
