"""Pooling turned back: maxima in the places that they came from."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.onward import let_through
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.nn.functional._windows import each
from paddle_compat.ops import pool as ops
from paddle_compat.ops.manipulation import squeeze2, unsqueeze2
from paddle_compat.tensor._shapes import parts

_POOL = {2: ops.pool2d, 3: ops.pool3d}
_WITH_INDEX = {2: ops.max_pool2d_with_index, 3: ops.max_pool3d_with_index}
_UNPOOL = {2: ops.unpool, 3: ops.unpool3d}



def _rows(x: Any) -> Any:
    """Sequences as images that are one pixel high."""
    return unsqueeze2(x, axes=[2], _helper="unsqueeze2")


def _flat(x: Any) -> Any:
    """The inverse of `_rows`, for one tensor or several."""
    if isinstance(x, tuple):
        return tuple(_flat(v) for v in x)
    out = squeeze2(x, axes=[2], _helper="squeeze")
    return let_through(out) if isinstance(x, Tensor) and x._open else out


def _unpool(x: Any, indices: Any, rank: int, args: tuple[Any, ...], data_format: str, name: str | None) -> Any:
    """Put largest elements back; `args` are kernel_size, stride, padding, output_size."""
    kernel_size, stride, padding, output_size = args
    api, first = f"max_unpool{rank}d", {1: "NCL", 2: "NCHW", 3: "NCDHW"}[rank]
    if data_format != first:
        raise invalid_argument("data_format", repr(first), data_format, api)
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    if list(indices.shape) != list(x.shape):
        raise invalid_argument("indices", f"the shape of x, {list(x.shape)}", list(indices.shape), api)
    kernel = each(kernel_size, rank, "kernel_size")
    strides = kernel if stride is None else each(stride, rank, "stride")
    pads = each(padding, rank, "padding")
    usual = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(x.shape[2:], strides, pads, kernel)]
    sizes = usual if output_size is None else list(output_size)[-rank:]
    if variables_of(sizes):
        sizes = parts(sizes)
    elif output_size is not None:
        near = [(n, least - s, least + s) for n, least, s in zip(sizes, usual, strides)]
        if len(output_size) not in (rank + 2, *(() if rank == 1 else (rank,))) or any(not low < n < high for n, low, high in near):
            expected = f"{rank + 2} sizes, in the end " + ", ".join(f"{low + 1} to {high - 1}" for _, low, high in near)
            raise invalid_argument("output_size", expected, output_size, api)
    attrs: dict[str, Any] = {"ksize": kernel, "strides": strides, "paddings": pads, "output_size": sizes}
    if rank == 1:
        attrs = {k: [0 if k == "paddings" else 1, *v] for k, v in attrs.items()}
        x, indices = _rows(x), _rows(indices)
    more: dict[str, Any] = {"data_format": "NCDHW"} if rank == 3 else {"data_format": "NCHW", "unpooling_type": "max"}
    layer = "unpool3d" if rank == 3 else "unpool"
    out = _UNPOOL[max(rank, 2)](x, indices, **attrs, **more, _helper=helper_for(layer, x, name))
    return _flat(out) if rank == 1 else out


def max_unpool1d(
    x: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCL",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put the largest elements of sequences back where they stood; zeros elsewhere.

    Args:
        x (Tensor): [N, C, L], from `max_pool1d`.
        indices (Tensor): where they stood, from `max_pool1d(return_mask=True)`.
        kernel_size, stride, padding: those of the pooling.
        data_format (str): "NCL".
        output_size (list): length of the result; None: what the windows give.
        name (str): kept.
    Returns:
        Tensor: [N, C, L'].
    Raises:
        ValueError: an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> F = paddle.nn.functional
        >>> F.max_unpool1d(*F.max_pool1d(paddle.rand([1, 3, 16]), 2, return_mask=True), kernel_size=2).shape
        [1, 3, 16]

    Follows Paddle 2.6.
    """
    return _unpool(x, indices, 1, (kernel_size, stride, padding, output_size), data_format, name)


def max_unpool2d(
    x: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCHW",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put the largest elements of images back where they stood; zeros elsewhere.

    Args:
        x (Tensor): [N, C, H, W], from `max_pool2d`.
        indices (Tensor): where they stood, from `max_pool2d(return_mask=True)`.
        kernel_size, stride, padding: those of the pooling.
        data_format (str): "NCHW".
        output_size (list): height and width of the result; None: what the windows give.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, H', W'].
    Raises:
        ValueError: an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> F = paddle.nn.functional
        >>> F.max_unpool2d(*F.max_pool2d(paddle.rand([1, 1, 6, 6]), 2, return_mask=True), kernel_size=2).shape
        [1, 1, 6, 6]

    Follows Paddle 2.6.
    """
    return _unpool(x, indices, 2, (kernel_size, stride, padding, output_size), data_format, name)


def max_unpool3d(
    x: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCDHW",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put the largest elements of volumes back where they stood; zeros elsewhere.

    Args:
        x (Tensor): [N, C, D, H, W], from `max_pool3d`.
        indices (Tensor): where they stood, from `max_pool3d(return_mask=True)`.
        kernel_size, stride, padding: those of the pooling.
        data_format (str): "NCDHW".
        output_size (list): depth, height and width of the result; None: what the windows give.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, D', H', W'].
    Raises:
        ValueError: an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> F = paddle.nn.functional
        >>> F.max_unpool3d(*F.max_pool3d(paddle.rand([1, 1, 4, 4, 6]), 2, return_mask=True), kernel_size=2).shape
        [1, 1, 4, 4, 6]

    Follows Paddle 2.6.
    """
    return _unpool(x, indices, 3, (kernel_size, stride, padding, output_size), data_format, name)
