"""`paddle.incubate.asp.utils`: masks that leave some of every few neighbouring weights, and checks of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, failed_assertion


class MaskAlgo(Enum):
    """Ways to choose the weights that stay; the values are the names of the functions."""

    MASK_1D = "get_mask_1d"
    MASK_2D_GREEDY = "get_mask_2d_greedy"
    MASK_2D_BEST = "get_mask_2d_best"


class CheckMethod(Enum):
    """Ways to check weights; the values are the names of the functions."""

    CHECK_1D = "check_mask_1d"
    CHECK_2D = "check_mask_2d"

    @staticmethod
    def get_checking_method(mask_algo: MaskAlgo) -> CheckMethod:
        """The check that goes with a way to choose."""
        if not isinstance(mask_algo, MaskAlgo):
            raise failed_assertion("mask_algo", "a MaskAlgo", mask_algo)
        return CheckMethod.CHECK_1D if mask_algo is MaskAlgo.MASK_1D else CheckMethod.CHECK_2D


def calculate_density(x: Any) -> float:
    """The share of an array's elements that are not zero.

    Args:
        x (numpy.ndarray): any shape.
    Returns:
        float: from 0 to 1.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> paddle.incubate.asp.calculate_density(np.array([[0, 1, 3, 0], [1, 1, 0, 1]]))
        0.625

    Follows Paddle 2.6.
    """
    values = np.asarray(x)
    return float(np.count_nonzero(values)) / values.size


def _padded(mat: Any, rows: int, columns: int) -> Any:
    """A matrix with zeros behind it, so that its sizes are multiples."""
    return np.pad(mat, ((0, -mat.shape[0] % rows), (0, -mat.shape[1] % columns)))


def _reshape_1d(mat: Any, m: int) -> tuple[Any, tuple[int, ...]]:
    """Groups of m neighbours of a row, one group in each row, and the shape of the matrix with zeros behind it."""
    whole = _padded(mat, 1, m)
    return whole.reshape(-1, m), whole.shape


def _reshape_2d(mat: Any, m: int) -> tuple[Any, tuple[int, ...]]:
    """Blocks of m x m, one block in each row, and the shape of the matrix with zeros behind it."""
    whole = _padded(mat, m, m)
    return _blocks(whole, m).reshape(-1, m * m), whole.shape


def _blocks(whole: Any, m: int) -> Any:
    """The blocks of a matrix: [.., .., m, m], views of it."""
    rows, columns = whole.shape
    return whole.reshape(rows // m, m, columns // m, m).transpose(0, 2, 1, 3)


def check_mask_1d(mat: Any, n: int, m: int) -> bool:
    """Whether of every m neighbours of a row n are zeros."""
    matrix = mat.reshape(1, -1) if mat.ndim <= 1 else mat
    groups, _ = _reshape_1d(matrix, m)
    return bool(((groups != 0).sum(axis=1) <= m - n).all())


def get_mask_1d(mat: Any, n: int, m: int) -> Any:
    """A mask without the n smallest of every m neighbours of a row."""
    groups, shape = _reshape_1d(mat, m)
    mask = np.ones_like(groups)
    np.put_along_axis(mask, np.argsort(np.abs(groups), axis=1)[:, :n], 0, axis=1)
    return mask.reshape(shape)[: mat.shape[0], : mat.shape[1]]


def check_mask_2d(mat: Any, n: int, m: int) -> bool:
    """Whether in every block of m x m each row, or each column, has n zeros; one of the two is enough, as in Paddle."""
    blocks = _blocks(_padded(mat, m, m), m) != 0
    rows, columns = ((blocks.sum(axis=axis) <= m - n).all(axis=-1) for axis in (-1, -2))
    return bool((rows | columns).all())


def get_mask_2d_greedy(mat: Any, n: int, m: int) -> Any:
    """A mask that takes the largest of each block as long as no row and no column has n of them."""
    whole = _padded(mat, m, m)
    mask = np.zeros(whole.shape)
    for block, chosen in zip(_blocks(np.abs(whole), m).reshape(-1, m * m), _places(mask, m)):
        rows, columns = np.zeros(m, int), np.zeros(m, int)
        for place in np.argsort(block)[::-1]:
            row, column = divmod(int(place), m)
            if rows[row] < n and columns[column] < n:
                chosen[row, column] = 1.0
                rows[row] += 1
                columns[column] += 1
    return mask[: mat.shape[0], : mat.shape[1]]


def _places(mask: Any, m: int) -> Any:
    """The blocks of a mask, to be filled."""
    for row in range(0, mask.shape[0], m):
        for column in range(0, mask.shape[1], m):
            yield mask[row : row + m, column : column + m]


@cache
def _compute_valid_2d_patterns(n: int, m: int) -> Any:
    """Every block of m x m with n ones in each row and no more in a column."""
    rows = [[float(place in ones) for place in range(m)] for ones in itertools.combinations(range(m), n)]
    found = [pattern for pattern in itertools.product(rows, repeat=m) if max(map(sum, zip(*pattern))) <= n]
    return np.asarray(found)


def get_mask_2d_best(mat: Any, n: int, m: int) -> Any:
    """A mask with the pattern for each block that leaves the largest sum."""
    patterns = _compute_valid_2d_patterns(n, m)
    whole = _padded(mat, m, m)
    blocks = _blocks(whole, m)
    best = np.argmax(blocks.reshape(-1, m * m) @ patterns.reshape(-1, m * m).T, axis=1)
    mask = patterns[best].reshape(blocks.shape).transpose(0, 2, 1, 3).reshape(whole.shape)
    return mask[: mat.shape[0], : mat.shape[1]]


def _as_matrix(tensor: Any, api: str) -> tuple[Any, Callable[[Any], Any]]:
    """A tensor as a matrix whose rows are looked at, and what gives a matrix the tensor's shape again."""
    shape = tensor.shape
    if len(shape) == 1:
        return tensor.reshape(1, -1), lambda mask: mask.reshape(shape)
    if len(shape) == 2:
        return tensor, lambda mask: mask
    if len(shape) == 3:
        return tensor.reshape(shape[0] * shape[1], shape[2]), lambda mask: mask.reshape(shape)
    if len(shape) == 4:  # [height, width, in, out]: what is neighbouring lies along `in`
        turned = tensor.transpose([0, 1, 3, 2])
        return turned.reshape(-1, shape[2]), lambda mask: mask.reshape(turned.shape).transpose([0, 1, 3, 2])
    raise InvalidArgumentError(f"Invalid value for argument `tensor` of `{api}`. Expected 4 dimensions at most. Received: {len(shape)}")


def create_mask(tensor: Any, func_name: MaskAlgo = MaskAlgo.MASK_1D, n: int = 2, m: int = 4) -> Any:
    """The mask of a tensor of up to four dimensions, of which [height, width, in, out] are a convolution's."""
    if not isinstance(func_name, MaskAlgo):
        raise failed_assertion("func_name", "a MaskAlgo", func_name, "create_mask")
    matrix, back = _as_matrix(tensor, "create_mask")
    return back(globals()[func_name.value](matrix, n, m)).astype(tensor.dtype)


def check_sparsity(tensor: Any, func_name: CheckMethod = CheckMethod.CHECK_1D, n: int = 2, m: int = 4) -> bool:
    """Whether a tensor of up to four dimensions has the zeros that a mask leaves."""
    if not isinstance(func_name, CheckMethod):
        raise failed_assertion("func_name", "a CheckMethod", func_name, "check_sparsity")
    matrix, _ = _as_matrix(tensor, "check_sparsity")
    found: bool = globals()[func_name.value](matrix, n, m)
    return found


__getattr__ = missing(__name__)
