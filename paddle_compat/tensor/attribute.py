"""What a tensor is: its shape, its rank, the kind of its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.ops import creation
from paddle_compat.tensor._calls import ALL, BOOL, COMPLEX, FLOATS, NUMBERS, check, is_tensor
from paddle_compat.tensor.ops import cast, imag, real


@direct("input", "shape_kernel(input_)", str(not SINCE_3), shape_kernel=creation.shape.fn)
def shape(input: Any) -> Any:
    """The dimensions as an int32 vector; in static mode those of the run.

    Args:
        input: a tensor.
    Returns:
        [rank], int32; int64 in scripts for Paddle 3.
    Raises:
        TypeError: the input is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.shape(paddle.ones([2, 3])).tolist()
        [2, 3]

    Follows Paddle 2.6.
    """
    check(input, "input", "shape", BOOL + NUMBERS + COMPLEX, ALL)
    out = creation.shape(input, _helper="shape")
    if SINCE_3:
        out = cast(out, "int64")
    out.stop_gradient = True
    return out


def rank(input: Any) -> Any:
    """The number of dimensions, as a tensor.

    Args:
        input: a tensor.
    Returns:
        [], int32.
    Raises:
        TypeError: the input is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.rank(paddle.ones([2, 3])).item()
        2

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import assign

    if not isinstance(input, np.ndarray):  # whose dimensions are counted, too
        check(input, "input", "rank")
    return assign(np.array(len(input.shape), "int32"))


def _kind(x: Any, api: str, kinds: tuple[str, ...]) -> bool:
    if not is_tensor(x):
        raise type_error("x", "a tensor", x, api)
    return dtype_name(x.dtype) in kinds


@paddle3(input="x")
def is_complex(x: Any) -> bool:
    """Whether a tensor holds complex numbers.

    Args:
        x: a tensor.
    Returns:
        A bool.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_complex(paddle.ones([1]))
        False

    Follows Paddle 2.6.
    """
    return _kind(x, "is_complex", COMPLEX)


@paddle3(input="x")
def is_floating_point(x: Any) -> bool:
    """Whether a tensor holds floats.

    Args:
        x: a tensor.
    Returns:
        A bool.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_floating_point(paddle.ones([1]))
        True

    Follows Paddle 2.6.
    """
    return _kind(x, "is_floating_point", FLOATS)


def is_integer(x: Any) -> bool:
    """Whether a tensor holds whole numbers.

    Args:
        x: a tensor.
    Returns:
        A bool.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_integer(paddle.ones([1]))
        False

    Follows Paddle 2.6.
    """
    return _kind(x, "is_integer", ("int8", "uint8", "int16", "int32", "int64"))


__all__ = ["imag", "is_complex", "is_floating_point", "is_integer", "rank", "real", "shape"]

__getattr__ = missing(__name__)
