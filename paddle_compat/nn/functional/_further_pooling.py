"""`paddle.nn.functional`: poolings that came with Paddle 3: by a norm, and into windows of changing size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import paddle
from paddle_compat.nn.functional._windows import each
from paddle_compat.nn.functional.pooling import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d
from paddle_compat.ops._spatial import same_padding


def _lp(x: Any, norm_type: float, kernel: list[int], pools: tuple[Any, Any], api: str, **window: Any) -> Any:
    """The norm of each window: the mean of powers, times their number."""
    if norm_type == 0:
        raise invalid_argument("norm_type", "a number other than 0", norm_type, api)
    if math.isinf(norm_type):
        return pools[1](x, **window)
    powers = paddle.pow(x, norm_type)
    rank, padding, layout = len(kernel), window["padding"], window.get("data_format", "NCL")
    sizes = x.shape[1:-1] if layout[-1] == "C" else x.shape[2:]
    same = padding == "SAME" and -1 not in sizes
    narrow = isinstance(padding, int) and any(-1 < size < width for size, width in zip(sizes, kernel))
    if window["ceil_mode"] or same or narrow:  # a mean would count what of a window lies within: zeros make all of them whole
        strides = kernel if window["stride"] is None else each(window["stride"], rank, "stride")
        pads: list[int] = []
        for size, width, stride, edge in zip(sizes, kernel, strides, [0] * rank if same else each(padding, rank, "padding")):
            before, behind = same_padding(size, width, stride) if same else (edge, edge + (stride - 1 if window["ceil_mode"] else 0))
            pads = [before, behind + max(width - size - before - behind, 0) * (size != -1), *pads]
        powers = paddle.nn.functional.pad(powers, pads, data_format=layout)
        window.update(padding=0, ceil_mode=False)
    means = pools[0](powers, exclusive=False, **window)
    return paddle.pow(means * math.prod(kernel), 1.0 / norm_type)


@paddle3(input="x")
def lp_pool1d(
    x: Any,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """The p-norm of each window of sequences, without absolute values: (sum of x^p)^(1/p).

    Args:
        x (Tensor): [N, C, L], or [N, L, C] for "NLC".
        norm_type (float): p; infinity gives the largest element.
        kernel_size (int|list): width of the windows.
        stride (int|list): how far they lie apart; None: kernel_size.
        padding (int|list|str): zeros at both ends.
        ceil_mode (bool): whether a window that reaches beyond the end counts.
        data_format (str): "NCL" or "NLC".
        name (str): kept.
    Returns:
        Tensor: one number for each window.
    Raises:
        ValueError: norm_type is 0, or x or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.lp_pool1d(paddle.to_tensor([[[3.0, 4.0, 6.0, 8.0]]]), 2, 2).tolist()
        [[[5.0, 10.0]]]

    Follows Paddle 3.3.
    """
    if data_format not in ("NCL", "NLC"):
        raise invalid_argument("data_format", "'NCL' or 'NLC'", data_format, "lp_pool1d")
    if data_format == "NLC":
        x = paddle.transpose(x, [0, 2, 1])
    window = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode}
    out = _lp(x, norm_type, each(kernel_size, 1, "kernel_size"), (avg_pool1d, max_pool1d), "lp_pool1d", **window)
    return paddle.transpose(out, [0, 2, 1]) if data_format == "NLC" else out


@paddle3(input="x")
def lp_pool2d(
    x: Any,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The p-norm of each window of images, without absolute values: (sum of x^p)^(1/p).

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        norm_type (float): p; infinity gives the largest element.
        kernel_size (int|list): height and width of the windows.
        stride (int|list): how far they lie apart; None: kernel_size.
        padding (int|list|str): zeros around the image.
        ceil_mode (bool): whether windows that reach beyond the end count.
        data_format (str): "NCHW" or "NHWC".
        name (str): kept.
    Returns:
        Tensor: one number for each window.
    Raises:
        ValueError: norm_type is 0, or x or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.lp_pool2d(paddle.ones([1, 1, 4, 4]), 2, 2).tolist()
        [[[[2.0, 2.0], [2.0, 2.0]]]]

    Follows Paddle 3.3.
    """
    window = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode, "data_format": data_format}
    return _lp(x, norm_type, each(kernel_size, 2, "kernel_size"), (avg_pool2d, max_pool2d), "lp_pool2d", **window)


def fractional_max_pool2d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False, name: str | None = None
) -> Any:
    """The largest elements of windows whose sizes differ by chance, so that the result has the size asked for.

    Args:
        x (Tensor): [N, C, H, W].
        output_size (int|list): height and width; None for that of x.
        kernel_size (int|list): height and width of windows that may overlap; None: they lie side by side.
        random_u (float): the number between 0 and 1 that decides where they lie; None: a random one.
        return_mask (bool): also return where the largest elements stand.
        name (str): kept.
    Returns:
        Tensor: of that height and width, and the positions if asked for.
    Raises:
        ValueError: x, output_size, kernel_size or random_u does not fit.
        UnsupportedError: a Program would have to draw random_u.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.reshape(paddle.arange(16.0), [1, 1, 4, 4])
        >>> paddle.nn.functional.fractional_max_pool2d(x, 2, random_u=0.5).flatten().tolist()
        [5.0, 7.0, 13.0, 15.0]

    Follows Paddle 3.3.
    """
    return _fractional(x, 2, output_size, kernel_size, random_u, return_mask)


def fractional_max_pool3d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False, name: str | None = None
) -> Any:
    """The largest elements of windows whose sizes differ by chance, so that the result has the size asked for.

    Args:
        x (Tensor): [N, C, D, H, W].
        output_size (int|list): depth, height and width; None for that of x.
        kernel_size (int|list): those of windows that may overlap; None: they lie side by side.
        random_u (float): the number between 0 and 1 that decides where they lie; None: a random one.
        return_mask (bool): also return where the largest elements stand.
        name (str): kept.
    Returns:
        Tensor: of that size, and the positions if asked for.
    Raises:
        ValueError: x, output_size, kernel_size or random_u does not fit.
        UnsupportedError: a Program would have to draw random_u.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.fractional_max_pool3d(paddle.rand([1, 3, 8, 8, 8]), 3).shape
        [1, 3, 3, 3, 3]

    Follows Paddle 3.3.
    """
    return _fractional(x, 3, output_size, kernel_size, random_u, return_mask)


def _places(size: int, wanted: int, kernel: int, u: float) -> np.ndarray:
    """Which elements each window along a dimension sees, one row a window; the last is repeated in shorter ones."""
    if kernel:
        step = np.float32(size - kernel) / np.float32(max(wanted - 1, 1))
        shift = np.float32(u)
    else:
        step, base = np.float32(size) / np.float32(wanted), size // wanted
        shift = np.float32(u) * min((base + 2) / step - 1, (size + 1 - base) / step - (wanted - 1))
    first = [int(np.float32(i + shift) * step) - int(shift * step) for i in range(wanted + 1)]
    spans = [(max(first[i], 0), min(first[i] + kernel if kernel else first[i + 1], size)) for i in range(wanted)]
    longest = max(end - start for start, end in spans)
    return np.array([[min(start + i, end - 1) for i in range(longest)] for start, end in spans])


def _fractional(x: Any, rank: int, output_size: Any, kernel_size: Any, random_u: float | None, return_mask: bool) -> Any:
    api = f"fractional_max_pool{rank}d"
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    sizes = [int(size) for size in x.shape[2:]]
    given = [output_size] * rank if output_size is None or isinstance(output_size, int) else list(output_size)
    wanted = [size if want is None else int(want) for want, size in zip(given, sizes)]
    kernels = [0] * rank if kernel_size is None else each(kernel_size, rank, "kernel_size")
    if any(want > size or kernel and want - 1 + kernel > size for want, size, kernel in zip(wanted, sizes, kernels)):
        raise invalid_argument("output_size", f"windows within {sizes}", output_size, api)
    if random_u is None:
        if not isinstance(x, Tensor):
            raise UnsupportedError(f"paddle.nn.functional.{api}", "random_u=None in a Program", "a number for random_u")
        random_u = float(paddle.uniform([1], min=0.01, max=0.99))
    if not 0 < random_u < 1:
        raise invalid_argument("random_u", "a number between 0 and 1", random_u, api)
    places = [_places(*each_of, random_u) for each_of in zip(sizes, wanted, kernels)]
    flat = np.zeros((1,) * (2 * rank), "int64")
    seen = x
    for axis, rows in enumerate(places):  # [N, C, window of the 1st dimension, element, window of the 2nd, element, ...]
        picked = paddle.index_select(seen, paddle.to_tensor(rows.reshape(-1)), axis=2 + 2 * axis)
        seen = paddle.reshape(picked, [*picked.shape[: 2 + 2 * axis], *rows.shape, *picked.shape[3 + 2 * axis :]])
        shape = [1] * (2 * rank)
        shape[2 * axis : 2 * axis + 2] = rows.shape
        flat = flat * sizes[axis] + rows.reshape(shape)
    order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    flat = flat.transpose(order).reshape([*wanted, -1])
    seen = paddle.reshape(paddle.transpose(seen, [0, 1, *(2 + at for at in order)]), [*x.shape[:2], *wanted, flat.shape[-1]])
    best = paddle.argmax(seen, axis=-1, keepdim=True)
    out = paddle.squeeze(paddle.take_along_axis(seen, best, axis=-1), [-1])
    if not return_mask:
        return out
    table = paddle.expand(paddle.to_tensor(flat.astype("int32")), seen.shape)
    return out, paddle.squeeze(paddle.take_along_axis(table, best, axis=-1), [-1])
