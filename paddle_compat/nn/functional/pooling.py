"""`paddle.nn.functional`: pooling."""

from __future__ import annotations

from typing import Any

from torch.nn.functional import adaptive_avg_pool2d as adaptive_average
from torch.nn.functional import avg_pool2d as average

from paddle_compat._missing import missing
from paddle_compat.core._kernel_attributes import choose
from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.direct import direct
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import check_recorded, helper_for, refuse_whole
from paddle_compat.nn.functional._unpooling import _flat, _rows, max_unpool1d, max_unpool2d, max_unpool3d  # noqa: F401  # their place in Paddle
from paddle_compat.nn.functional._windows import each, is_channel_last, padding_of
from paddle_compat.ops import pool as ops
from paddle_compat.tensor._shapes import parts

_POOL = {2: ops.pool2d, 3: ops.pool3d}
_WITH_INDEX = {2: ops.max_pool2d_with_index, 3: ops.max_pool3d_with_index}
_UNPOOL = {2: ops.unpool, 3: ops.unpool3d}


def _pooled(kind: str, x: Any, rank: int, name: str | None = None, masked: bool = False, **attrs: Any) -> Any:
    layer = f"pool{rank}d"
    full: dict[str, Any] = {"global_pooling": False, "ceil_mode": False, "exclusive": True, "adaptive": False}
    full.update(attrs)
    full.setdefault("strides", [1] * rank)
    full.setdefault("paddings", [0] * rank)
    full.setdefault("padding_algorithm", "EXPLICIT")
    helper = helper_for(layer, x, name)
    out = choose(_POOL[rank](x, pooling_type=kind, **full, _helper=helper), use_cudnn=not full.get("adaptive"))
    if masked and helper is not None:
        # the real functions make a variable for the positions even where no operator writes it
        helper.create_variable_for_type_inference("int32", stop_gradient=x.stop_gradient)
    return out


def _max_with_mask(x: Any, rank: int, name: str | None = None, **attrs: Any) -> Any:
    layer = f"max_pool{rank}d_with_index"
    return _WITH_INDEX[rank](x, global_pooling=False, **attrs, _helper=helper_for(layer, x, name))


def _window(x: Any, rank: int, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, data_format: str, api: str) -> dict[str, Any]:
    """The attributes that say where the windows lie."""
    check_recorded(api, x=x)
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    last = is_channel_last(data_format, rank, api)
    kernel = each(kernel_size, rank, "kernel_size")
    paddings, algorithm = padding_of(padding, rank, last, api)
    if ceil_mode and algorithm == "VALID":
        raise invalid_argument("ceil_mode", "False, as padding is 'VALID'", ceil_mode, api)
    return {
        "ksize": kernel,
        "strides": kernel if stride is None else each(stride, rank, "stride"),
        "paddings": paddings,
        "padding_algorithm": algorithm,
    }


def _beside(window: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a window over a sequence, for images that are one pixel high."""
    pads = window["paddings"]
    return {
        "ksize": [1, *window["ksize"]],
        "strides": [1, *window["strides"]],
        "paddings": [0] * len(pads) + pads,
        "padding_algorithm": window["padding_algorithm"],
    }


def _plain(window: dict[str, Any], ceil_mode: bool, api: str) -> dict[str, Any]:
    """The attributes that pooling with indices has: even paddings only. Paddle pads nothing there for "SAME" and "VALID"."""
    del window["padding_algorithm"]
    if ceil_mode and SINCE_3:  # 2.6 does not look at it
        window["_last"] = "partial"
    if len(window["paddings"]) != len(window["ksize"]):
        raise invalid_argument("return_mask", "False for this padding", True, api)
    return window


def _max_pool(x: Any, rank: int, args: tuple[Any, ...], return_mask: bool, data_format: str, name: str | None) -> Any:
    api = f"max_pool{rank}d"
    kernel_size, stride, padding, ceil_mode = args
    refuse_whole(x, api)
    window = _window(x, rank, kernel_size, stride, padding, ceil_mode, data_format, api)
    if not return_mask:
        extra = {"exclusive": False, "masked": True} if rank == 3 else {}
        return _pooled("max", x, rank, name, ceil_mode=ceil_mode, data_format=data_format, **window, **extra)
    if data_format[-1] == "C":
        raise invalid_argument("data_format", "the channels at dimension 1, as return_mask is True", data_format, api)
    return _max_with_mask(x, rank, name, adaptive=False, **_plain(window, ceil_mode, api))


def _averaged(x: Any, rank: int, args: tuple[Any, ...], divisor: float | None, data_format: str, name: str | None) -> Any:
    kernel_size, stride, padding, ceil_mode, exclusive = args
    window = _window(x, rank, kernel_size, stride, padding, ceil_mode, data_format, f"avg_pool{rank}d")
    out = _pooled("avg", x, rank, name, ceil_mode=ceil_mode, exclusive=exclusive, data_format=data_format, **window)
    if divisor is None:
        return out
    count = 1
    for size in window["ksize"]:
        count *= size
    return out * count / divisor


@direct(
    "x",
    "max_of_windows(x_.unsqueeze(2), [1, kernel_size], [1, kernel_size if stride is None else stride], [0, padding]).squeeze(2)",
    "not return_mask and not ceil_mode and type(kernel_size) is int and type(padding) is int "
    "and (stride is None or type(stride) is int) and x_.dim() == 3 and x_.dtype in FLOATS",
    max_of_windows=ops.max_of_windows,
)
def max_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The largest element of each window of sequences.

    Args:
        x (Tensor): [N, C, L].
        kernel_size (int|list): width of the windows.
        stride (int|list): how far they lie apart; None: their width.
        padding (int|list|str): how far they reach over the ends.
        return_mask (bool): also return where the largest elements stand.
        ceil_mode (bool): an incomplete window at the end counts.
        name (str): kept.
    Returns:
        Tensor: [N, C, L'], and the positions if asked for.
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.max_pool1d(paddle.rand([1, 3, 32]), kernel_size=2).shape
        [1, 3, 16]

    Follows Paddle 2.6.
    """
    refuse_whole(x, "max_pool1d")
    window = _beside(_window(x, 1, kernel_size, stride, padding, ceil_mode, "NCL", "max_pool1d"))
    if return_mask:
        return _flat(_max_with_mask(_rows(x), 2, adaptive=False, **_plain(window, ceil_mode, "max_pool1d")))
    return _flat(_pooled("max", _rows(x), 2, masked=True, ceil_mode=ceil_mode, data_format="NCHW", **window))


@direct(
    "x",
    "average(x_.unsqueeze(2), [1, kernel_size], [1, kernel_size if stride is None else stride], [0, padding], False, not exclusive)"
    ".squeeze(2)",
    "not ceil_mode and type(kernel_size) is int and type(padding) is int and (stride is None or type(stride) is int) "
    "and x_.dim() == 3 and x_.dtype in FLOATS",
    average=average,
)
def avg_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The mean of each window of sequences.

    Args:
        x (Tensor): [N, C, L].
        kernel_size, stride, padding, ceil_mode: as of `max_pool1d`.
        exclusive (bool): whether the padding does not count.
        name (str): kept.
    Returns:
        Tensor: [N, C, L'].
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.avg_pool1d(paddle.rand([1, 3, 32]), kernel_size=2).shape
        [1, 3, 16]

    Follows Paddle 2.6.
    """
    window = _beside(_window(x, 1, kernel_size, stride, padding, ceil_mode, "NCL", "avg_pool1d"))
    out = _pooled("avg", _rows(x), 2, ceil_mode=ceil_mode, exclusive=exclusive, data_format="NCHW", **window)
    return _flat(out)


@direct(
    "x",
    "max_of_windows(x_, [kernel_size] * 2, [kernel_size if stride is None else stride] * 2, [padding] * 2)",
    "data_format == 'NCHW' and not return_mask and not ceil_mode and type(kernel_size) is int and type(padding) is int "
    "and (stride is None or type(stride) is int) and x_.dim() == 4 and x_.dtype in FLOATS",
    max_of_windows=ops.max_of_windows,
)
def max_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The largest element of each window of images.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        kernel_size, stride, padding, return_mask, ceil_mode: as of `max_pool1d`, for two dimensions.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, H', W'] (or with the channels last), and the positions if asked for.
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.max_pool2d(paddle.rand([1, 3, 32, 32]), kernel_size=2).shape
        [1, 3, 16, 16]

    Follows Paddle 2.6.
    """
    return _max_pool(x, 2, (kernel_size, stride, padding, ceil_mode), return_mask, data_format, name)


@direct(
    "x",
    "max_of_windows(x_, [kernel_size] * 3, [kernel_size if stride is None else stride] * 3, [padding] * 3)",
    "data_format == 'NCDHW' and not return_mask and not ceil_mode and type(kernel_size) is int and type(padding) is int "
    "and (stride is None or type(stride) is int) and x_.dim() == 5 and x_.dtype in FLOATS",
    max_of_windows=ops.max_of_windows,
)
def max_pool3d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    """The largest element of each window of volumes.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        kernel_size, stride, padding, return_mask, ceil_mode: as of `max_pool1d`, for three dimensions.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, D', H', W'] (or with the channels last), and the positions if asked for.
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.max_pool3d(paddle.rand([1, 3, 8, 8, 8]), kernel_size=2).shape
        [1, 3, 4, 4, 4]

    Follows Paddle 2.6.
    """
    return _max_pool(x, 3, (kernel_size, stride, padding, ceil_mode), return_mask, data_format, name)


@direct(
    "x",
    "average(x_, kernel_size, stride, padding, False, not exclusive)",
    "data_format == 'NCHW' and divisor_override is None and not ceil_mode and type(kernel_size) is int and type(padding) is int "
    "and (stride is None or type(stride) is int) and x_.dim() == 4 and x_.dtype in FLOATS",
    average=average,
)
def avg_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The mean of each window of images.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        kernel_size, stride, padding, ceil_mode, exclusive: as of `avg_pool1d`, for two dimensions.
        divisor_override (float): what the sum is divided by, instead of the number of elements.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, H', W'], or with the channels last.
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.avg_pool2d(paddle.rand([1, 3, 32, 32]), kernel_size=2).shape
        [1, 3, 16, 16]

    Follows Paddle 2.6.
    """
    return _averaged(x, 2, (kernel_size, stride, padding, ceil_mode, exclusive), divisor_override, data_format, name)


def avg_pool3d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    """The mean of each window of volumes.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        kernel_size, stride, padding, ceil_mode, exclusive: as of `avg_pool1d`, for three dimensions.
        divisor_override (float): what the sum is divided by, instead of the number of elements.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, D', H', W'], or with the channels last.
    Raises:
        ValueError: x or an argument does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.avg_pool3d(paddle.rand([1, 3, 8, 8, 8]), kernel_size=2).shape
        [1, 3, 4, 4, 4]

    Follows Paddle 2.6.
    """
    return _averaged(x, 3, (kernel_size, stride, padding, ceil_mode, exclusive), divisor_override, data_format, name)


def _adaptive_size(x: Any, output_size: Any, rank: int, data_format: str, api: str) -> list[int]:
    """One size a dimension, None being that of x."""
    check_recorded(api, x=x)
    sizes = list(x.shape[1:-1] if is_channel_last(data_format, rank, api) else x.shape[2:])
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    if isinstance(output_size, Variable):
        listed: Any = output_size
        wanted = [listed[i] for i in range(rank)]
    else:
        if isinstance(output_size, float):
            raise invalid_argument("output_size", f"an int or {rank} ints", output_size, api)
        wanted = [output_size] * rank if output_size is None or isinstance(output_size, int) else list(output_size)
    if len(wanted) != rank:
        raise invalid_argument("output_size", f"an int or {rank} ints", output_size, api)
    settled = [size if want is None else want for want, size in zip(wanted, sizes)]
    return parts(settled) if variables_of(settled) else [int(size) for size in settled]


@paddle3(input="x")
@direct(
    "x",
    "adaptive_average(x_.unsqueeze(2), [1, output_size]).squeeze(2)",
    "type(output_size) is int and output_size > 0 and x_.dim() == 3 and x_.dtype in FLOATS",
    adaptive_average=adaptive_average,
)
def adaptive_avg_pool1d(x: Any, output_size: Any, name: str | None = None) -> Any:
    """The means of so many windows that the result has the length asked for.

    Args:
        x (Tensor): [N, C, L].
        output_size (int): the length.
        name (str): kept.
    Returns:
        Tensor: [N, C, output_size].
    Raises:
        ValueError: x has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_avg_pool1d(paddle.rand([1, 3, 32]), 16).shape
        [1, 3, 16]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 1, "NCL", "adaptive_avg_pool1d")
    return _flat(_pooled("avg", _rows(x), 2, ksize=[1, *size], adaptive=True, data_format="NCHW"))


@direct(
    "x",
    "adaptive_average(x_, output_size)",
    "data_format == 'NCHW' and type(output_size) is int and output_size > 0 and x_.dim() == 4 and x_.dtype in FLOATS",
    adaptive_average=adaptive_average,
)
@paddle3(input="x")
def adaptive_avg_pool2d(x: Any, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """The means of so many windows that the result has the size asked for.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        output_size (int|list): height and width; None for that of x.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: of that height and width.
    Raises:
        ValueError: x or output_size has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_avg_pool2d(paddle.rand([1, 3, 32, 32]), [3, 3]).shape
        [1, 3, 3, 3]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 2, data_format, "adaptive_avg_pool2d")
    return _pooled("avg", x, 2, name, ksize=size, adaptive=True, data_format=data_format)


@paddle3(input="x")
def adaptive_avg_pool3d(x: Any, output_size: Any, data_format: str = "NCDHW", name: str | None = None) -> Any:
    """The means of so many windows that the result has the size asked for.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        output_size (int|list): depth, height and width; None for that of x.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: of that size.
    Raises:
        ValueError: x or output_size has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_avg_pool3d(paddle.rand([1, 3, 8, 8, 8]), 4).shape
        [1, 3, 4, 4, 4]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 3, data_format, "adaptive_avg_pool3d")
    return _pooled("avg", x, 3, name, ksize=size, adaptive=True, data_format=data_format)


def _adaptive_max(x: Any, rank: int, size: list[int], name: str | None = None) -> Any:
    return _max_with_mask(x, rank, name, ksize=size, adaptive=True, strides=[1] * rank, paddings=[0] * rank)


@paddle3(input="x", return_indices="return_mask")
def adaptive_max_pool1d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """The largest elements of so many windows that the result has the length asked for.

    Args:
        x (Tensor): [N, C, L].
        output_size (int): the length.
        return_mask (bool): also return where the largest elements stand.
        name (str): kept.
    Returns:
        Tensor: [N, C, output_size], and the positions if asked for.
    Raises:
        ValueError: x has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_max_pool1d(paddle.rand([1, 3, 32]), 16).shape
        [1, 3, 16]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 1, "NCL", "adaptive_max_pool1d")
    out, mask = _adaptive_max(_rows(x), 2, [1, *size])
    return _flat((out, mask)) if return_mask else _flat(out)


@paddle3(input="x", return_indices="return_mask")
def adaptive_max_pool2d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """The largest elements of so many windows that the result has the size asked for.

    Args:
        x (Tensor): [N, C, H, W].
        output_size (int|list): height and width; None for that of x.
        return_mask (bool): also return where the largest elements stand.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of that height and width, and the positions if asked for.
    Raises:
        ValueError: x or output_size has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_max_pool2d(paddle.rand([1, 3, 32, 32]), [3, 3]).shape
        [1, 3, 3, 3]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 2, "NCHW", "adaptive_max_pool2d")
    out, mask = _adaptive_max(x, 2, size, name)
    return (out, mask) if return_mask else out


@paddle3(input="x", return_indices="return_mask")
def adaptive_max_pool3d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """The largest elements of so many windows that the result has the size asked for.

    Args:
        x (Tensor): [N, C, D, H, W].
        output_size (int|list): depth, height and width; None for that of x.
        return_mask (bool): also return where the largest elements stand.
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: of that size, and the positions if asked for.
    Raises:
        ValueError: x or output_size has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.adaptive_max_pool3d(paddle.rand([1, 3, 8, 8, 8]), 4).shape
        [1, 3, 4, 4, 4]

    Follows Paddle 2.6.
    """
    size = _adaptive_size(x, output_size, 3, "NCDHW", "adaptive_max_pool3d")
    out, mask = _adaptive_max(x, 3, size, name)
    return (out, mask) if return_mask else out


__getattr__ = missing(__name__)
