"""`paddle.nn.functional`: convolutions with given filters."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.direct import direct
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import check_recorded, helper_for, paddle
from paddle_compat.nn.functional._windows import each, each_or_variables, is_channel_last, padding_of
from paddle_compat.ops import conv as ops
from paddle_compat.ops.elementwise import elementwise_add
from paddle_compat.ops.manipulation import reshape2, squeeze2, unsqueeze2


def _check(x: Any, weight: Any, rank: int, groups: int, channel_last: bool, transposed: bool, api: str) -> int:
    """The number of input channels; ValueError where shapes or groups do not fit."""
    check_recorded(api, x=x)
    if len(x.shape) != rank + 2:
        raise invalid_argument("x", f"{rank + 2} dimensions", list(x.shape), api)
    channels = x.shape[-1 if channel_last else 1]
    open_ = channels == -1 or -1 in weight.shape  # which a Program of Paddle 3 records, and whose run tells what does not fit
    if channels < (0 if transposed else -1):
        raise invalid_argument("x", "a known number of channels", list(x.shape), api)
    if groups <= 0:
        raise invalid_argument("groups", "a number above 0", groups, api)
    into = weight.shape[0] if transposed else weight.shape[1] * groups
    if open_ and not transposed:
        return channels
    if channels != into:
        raise invalid_argument("x", f"{into} channels, as weight has {list(weight.shape)} and groups={groups}", list(x.shape), api)
    if transposed and channels % groups:
        raise invalid_argument("x", f"a number of channels that groups={groups} divides", list(x.shape), api)
    if not transposed and weight.shape[0] % groups:
        raise invalid_argument("weight", f"a number of filters that groups={groups} divides", list(weight.shape), api)
    return channels


def _biased(out: Any, bias: Any, rank: int, channel_last: bool, helper: Any) -> Any:
    """Add the bias along the channels, as a tensor of `out`'s number of dimensions unless they are last."""
    if bias is None:
        return out
    if not channel_last:
        bias = reshape2(bias, shape=[1, bias.shape[0], *[1] * rank], _helper="reshape2")
    return elementwise_add(out, bias, axis=-1, _helper=helper)


def _along(out: Any, bias: Any, axis: int) -> Any:
    """Add the bias along a dimension; recorded, the result is named after the operator alone."""
    if isinstance(out, Tensor) or mode.in_dygraph_mode():
        return elementwise_add(out, bias, axis=axis)
    helper = helper_for("elementwise_add", out)
    assert helper is not None
    result = helper.create_variable(name=helper.name, dtype=out.dtype, persistable=False)
    return elementwise_add(out, bias, axis=axis, _helper=helper, _outputs={"Out": result})


@paddle3(input="x")
def conv1d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """Convolve sequences.

    Args:
        x (Tensor): [N, C, L], or [N, L, C] for "NLC".
        weight (Tensor): [M, C / groups, size].
        bias (Tensor): [M].
        stride (int|list): how far windows lie apart.
        padding (int|list|str): zeros at the ends: a number, two numbers, "SAME" or "VALID".
        dilation (int|list): how far the points of a window lie apart.
        groups (int): parts that the channels divide into, each with filters of its own.
        data_format (str): "NCL" or "NLC".
        name (str): kept.
    Returns:
        Tensor: [N, M, L'], or with the channels last.
    Raises:
        ValueError: shapes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv1d(paddle.rand([1, 2, 8]), paddle.rand([3, 2, 3])).shape
        [1, 3, 6]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 1, "conv1d")
    _check(x, weight, 1, groups, last, False, "conv1d")
    paddings, algorithm = padding_of(padding, 1, last, "conv1d")
    # a sequence is an image that is one pixel high
    axis = -3 if last else -2
    steps = [[1, *each(stride, 1, "stride")], [1, *_dilations(dilation, 1, "conv1d")]]
    filters = unsqueeze2(weight if _eager(weight) else paddle.assign(weight), axes=[-2], _helper="unsqueeze2")
    image = unsqueeze2(x, axes=[axis], _helper="unsqueeze2")
    out = ops.conv2d(
        image,
        filters,
        strides=steps[0],
        paddings=[0] * len(paddings) + paddings,
        dilations=steps[1],
        groups=groups,
        padding_algorithm=algorithm,
        data_format="NHWC" if last else "NCHW",
        _helper=helper_for("conv2d", x),
    )
    if bias is not None:
        out = _along(out, bias, -1 if last else 1)
    return squeeze2(out, axes=[axis], _helper="squeeze")


def _eager(x: Any) -> bool:
    return isinstance(x, Tensor) or mode.in_dygraph_mode()


@direct(
    "x weight bias?",
    "convolve(x_, weight_, bias_, stride, padding, dilation, groups)",
    "data_format == 'NCHW' and type(padding) is int and type(stride) is int and type(dilation) is int and type(groups) is int "
    "and padding >= 0 and x_.dim() == weight_.dim() == 4 and (bias is None or bias_.dim() == 1) and x_.dtype in FLOATS",
    convolve=ops.convolve,
)
@paddle3(input="x")
def conv2d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Convolve images.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        weight (Tensor): [M, C / groups, height, width].
        bias (Tensor): [M].
        stride, dilation, groups: as of `conv1d`, for two dimensions.
        padding (int|list|str): zeros around the image: a number, one a dimension, two a dimension, a pair for each
            dimension of x, "SAME" or "VALID".
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [N, M, H', W'], or with the channels last.
    Raises:
        ValueError: shapes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv2d(paddle.rand([2, 3, 8, 8]), paddle.rand([6, 3, 3, 3])).shape
        [2, 6, 6, 6]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 2, "conv2d")
    channels = _check(x, weight, 2, groups, last, False, "conv2d")
    paddings, algorithm = padding_of(padding, 2, last, "conv2d")
    depthwise = channels == groups and channels != 1 and weight.shape[0] % channels == 0
    run, layer = (ops.depthwise_conv2d, "depthwise_conv2d") if depthwise else (ops.conv2d, "conv2d")
    helper = helper_for(layer, x, name)
    out = run(
        x,
        weight,
        strides=each(stride, 2, "stride"),
        paddings=paddings,
        dilations=_dilations(dilation, 2, "conv2d"),
        groups=groups,
        padding_algorithm=algorithm,
        data_format=data_format,
        _helper=helper,
    )
    return _biased(out, bias, 2, last, helper)


@paddle3(input="x")
def conv3d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    """Convolve volumes.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        weight (Tensor): [M, C / groups, depth, height, width].
        bias (Tensor): [M].
        stride, padding, dilation, groups: as of `conv2d`, for three dimensions.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [N, M, D', H', W'], or with the channels last.
    Raises:
        ValueError: shapes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv3d(paddle.rand([2, 3, 8, 8, 8]), paddle.rand([6, 3, 3, 3, 3])).shape
        [2, 6, 6, 6, 6]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 3, "conv3d")
    _check(x, weight, 3, groups, last, False, "conv3d")
    paddings, algorithm = padding_of(padding, 3, last, "conv3d")
    helper = helper_for("conv3d", x, name)
    out = ops.conv3d(
        x,
        weight,
        strides=each(stride, 3, "stride"),
        paddings=paddings,
        dilations=_dilations(dilation, 3, "conv3d"),
        groups=groups,
        padding_algorithm=algorithm,
        data_format=data_format,
        _helper=helper,
    )
    return _biased(out, bias, 3, last, helper)


def _dilations(dilation: Any, rank: int, api: str) -> list[int]:
    """How far the points of a window lie apart in each dimension; ValueError unless they do."""
    apart = each(dilation, rank, "dilation")
    if min(apart) <= 0:
        raise invalid_argument("dilation", "numbers above 0", dilation, api)
    return apart


def _sizes(output_padding: Any, output_size: Any, steps: tuple[Any, Any], rank: int, api: str) -> dict[str, Any]:
    """The attributes that settle how large a transposed convolution's output is; `steps` are its stride and dilation."""
    if output_size is None:
        extra = each(output_padding, rank, "output_padding")
        bounds = [max(pair) for pair in zip(each(steps[0], rank, "stride"), _dilations(steps[1], rank, api))]
        if any(extra) and any(more >= bound for more, bound in zip(extra, bounds)):
            raise invalid_argument("output_padding", f"numbers below the larger one of stride and dilation, {bounds}", extra, api)
        return {"output_padding": extra if any(extra) else [], "output_size": []}
    if output_padding != 0:
        raise invalid_argument("output_padding", "0, as output_size is given", output_padding, api)
    if isinstance(output_size, (list, tuple)) and len(output_size) == rank + 2:
        raise invalid_argument("output_size", f"an int or {rank} ints", output_size, api)
    return {"output_padding": [], "output_size": each_or_variables(output_size, rank, "output_size")}


def conv1d_transpose(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
    output_size: Any = None,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """Convolve sequences transposed: from short to long.

    Args:
        x (Tensor): [N, C, L], or [N, L, C] for "NLC".
        weight (Tensor): [C, M / groups, size].
        bias (Tensor): [M].
        stride, padding, groups, dilation: as of `conv1d`, for the convolution that this one transposes.
        output_padding (int|list): how much longer the result is at its end.
        output_size (int|list): its length; None: what the other arguments give.
        data_format (str): "NCL" or "NLC".
        name (str): kept.
    Returns:
        Tensor: [N, M, L'], or with the channels last.
    Raises:
        ValueError: shapes, sizes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv1d_transpose(paddle.rand([1, 2, 4]), paddle.rand([2, 1, 2]), stride=2).shape
        [1, 1, 8]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 1, "conv1d_transpose")
    channels = _check(x, weight, 1, groups, last, True, "conv1d_transpose")
    paddings, algorithm = padding_of(padding, 1, last, "conv1d_transpose")
    sizes = _sizes(output_padding, output_size, (stride, dilation), 1, "conv1d_transpose")
    sizes = {k: v and [*v, 0 if k == "output_padding" else 1] for k, v in sizes.items()}
    axis = 2 if last else -1
    image = unsqueeze2(x, axes=[axis], _helper="unsqueeze2")
    filters = unsqueeze2(weight, axes=[-1], _helper="unsqueeze2")
    depthwise = channels == groups and channels != 1 and weight.shape[1] == 1
    run = ops.depthwise_conv2d_transpose if depthwise else ops.conv2d_transpose
    out = run(
        image,
        filters,
        strides=[each(stride, 1, "stride")[0], 1],
        paddings=paddings + [0] * len(paddings),
        dilations=[_dilations(dilation, 1, "conv1d_transpose")[0], 1],
        groups=groups,
        padding_algorithm=algorithm,
        data_format="NHWC" if last else "NCHW",
        **sizes,
        _helper=helper_for("depthwise_conv2d_transpose" if depthwise else "conv2d_transpose", x),
    )
    if bias is not None:
        out = _along(out, bias, -1 if last else 1)
    return squeeze2(out, axes=[axis], _helper="squeeze")


def conv2d_transpose(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_size: Any = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Convolve images transposed: from small to large.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        weight (Tensor): [C, M / groups, height, width].
        bias (Tensor): [M].
        stride, padding, dilation, groups: as of `conv2d`, for the convolution that this one transposes.
        output_padding (int|list): how much larger the result is below and on the right.
        output_size (int|list): height and width of the result; None: what the other arguments give.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [N, M, H', W'], or with the channels last.
    Raises:
        ValueError: shapes, sizes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv2d_transpose(paddle.rand([2, 3, 8, 8]), paddle.rand([3, 6, 3, 3])).shape
        [2, 6, 10, 10]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 2, "conv2d_transpose")
    channels = _check(x, weight, 2, groups, last, True, "conv2d_transpose")
    paddings, algorithm = padding_of(padding, 2, last, "conv2d_transpose")
    depthwise = channels == groups and channels != 1 and weight.shape[1] == 1
    run = ops.depthwise_conv2d_transpose if depthwise else ops.conv2d_transpose
    helper = helper_for("depthwise_conv2d_transpose" if depthwise else "conv2d_transpose", x, name)
    out = run(
        x,
        weight,
        strides=each(stride, 2, "stride"),
        paddings=paddings,
        dilations=_dilations(dilation, 2, "conv2d_transpose"),
        groups=groups,
        padding_algorithm=algorithm,
        data_format=data_format,
        **_sizes(output_padding, output_size, (stride, dilation), 2, "conv2d_transpose"),
        _helper=helper,
    )
    return _biased(out, bias, 2, last, helper)


def conv3d_transpose(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
    output_size: Any = None,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    """Convolve volumes transposed: from small to large.

    Args:
        x (Tensor): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        weight (Tensor): [C, M / groups, depth, height, width].
        bias (Tensor): [M].
        stride, padding, output_padding, groups, dilation, output_size: as of `conv2d_transpose`, for three dimensions.
        data_format (str): "NCDHW" or "NDHWC".
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [N, M, D', H', W'], or with the channels last.
    Raises:
        ValueError: shapes, sizes, groups or data_format do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.conv3d_transpose(paddle.rand([2, 3, 4, 4, 4]), paddle.rand([3, 6, 3, 3, 3])).shape
        [2, 6, 6, 6, 6]

    Follows Paddle 2.6.
    """
    last = is_channel_last(data_format, 3, "conv3d_transpose")
    _check(x, weight, 3, groups, last, True, "conv3d_transpose")
    paddings, algorithm = padding_of(padding, 3, last, "conv3d_transpose")
    out = ops.conv3d_transpose(
        x,
        weight,
        strides=each(stride, 3, "stride"),
        paddings=paddings,
        dilations=_dilations(dilation, 3, "conv3d_transpose"),
        groups=groups,
        padding_algorithm=algorithm,
        data_format="NHWC" if last else "NCHW",
        **_sizes(output_padding, output_size, (stride, dilation), 3, "conv3d_transpose"),
        _helper=helper_for("conv3d_transpose", x, name),
    )
    return out if bias is None else _along(out, bias, -1 if last else 1)


__getattr__ = missing(__name__)
