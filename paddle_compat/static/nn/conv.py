"""`paddle.static.nn`: convolutions that create their filters."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._windows import each, each_or_variables, is_channel_last, padding_of
from paddle_compat.nn.initializer import Normal
from paddle_compat.ops import conv as ops
from paddle_compat.static.nn._arguments import ALL_FLOATS, FLOATS, need_variable, runs_now, static_only


def _need_filters(attr: Any, name: str, api: str) -> None:
    assert attr is not False, f"Invalid value for argument `{name}` of `{api}`. Expected not False."


def _check(rank: int, api: str, arguments: dict[str, Any]) -> bool:
    """Refuse what none of the convolutions takes; whether the channels come last."""
    input, groups = arguments["input"], arguments["groups"]
    at_once = runs_now(input)
    need_variable(input, "input", api, ALL_FLOATS)
    _need_filters(arguments["param_attr"], "param_attr", api)
    if len(input.shape) != rank + 2:
        raise invalid_argument("input", f"a Variable of {rank + 2} dimensions", list(input.shape), api)
    if groups is not None and groups <= 0:
        raise invalid_argument("groups", "a number above 0", groups, api)
    if not isinstance(arguments["use_cudnn"], bool):
        raise invalid_argument("use_cudnn", "a bool", arguments["use_cudnn"], api)
    if at_once and groups is None and api in ("conv2d", "conv3d"):
        raise invalid_argument("groups", "a number, in eager mode", groups, api)
    return is_channel_last(arguments["data_format"], rank, api)


def _convolution(rank: int, api: str, arguments: dict[str, Any]) -> Variable:
    """`conv2d` and `conv3d`; the arguments are theirs."""
    last = _check(rank, api, arguments)
    input, filters, groups = arguments["input"], arguments["num_filters"], arguments["groups"]
    channels = input.shape[-1 if last else 1]
    if channels < 0:
        raise invalid_argument("input", "a known number of channels", list(input.shape), api)
    count = groups or 1
    if channels % count:
        raise invalid_argument("groups", f"a number that divides the {channels} channels of `input`", groups, api)
    if filters % count:
        raise invalid_argument("num_filters", f"a number that groups={count} divides", filters, api)
    depthwise = rank == 2 and channels == groups and filters % channels == 0 and not arguments["use_cudnn"]
    helper = LayerHelper(
        "depthwise_conv2d" if depthwise else api,
        **{k: arguments[k] for k in ("param_attr", "bias_attr", "act", "name")},
    )
    window = each(arguments["filter_size"], rank, "filter_size")
    paddings, algorithm = padding_of(arguments["padding"], rank, last, api)
    weight = helper.create_parameter(
        helper.param_attr,
        [filters, channels // count, *window],
        input.dtype,
        default_initializer=Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels))),
    )
    run = ops.conv3d if rank == 3 else ops.depthwise_conv2d if depthwise else ops.conv2d
    out = run(
        input,
        weight,
        strides=each(arguments["stride"], rank, "stride"),
        paddings=paddings,
        dilations=each(arguments["dilation"], rank, "dilation"),
        groups=count,
        padding_algorithm=algorithm,
        data_format=arguments["data_format"],
        _helper=helper,
    )
    dim = rank + 1 if last else 1
    return helper.append_activation(helper.append_bias_op(out, dim, dim + 1))


def _transposed(rank: int, api: str, arguments: dict[str, Any]) -> Variable:
    """`conv2d_transpose` and `conv3d_transpose`; the arguments are theirs."""
    last = _check(rank, api, arguments)
    input, filters, groups = arguments["input"], arguments["num_filters"], arguments["groups"]
    channels, sizes = (input.shape[-1], input.shape[1:-1]) if last else (input.shape[1], input.shape[2:])
    count = groups or 1
    if filters % count:
        raise invalid_argument("groups", f"a number that divides num_filters={filters}", groups, api)
    depthwise = rank == 2 and channels == groups == filters and not arguments["use_cudnn"]
    helper = LayerHelper(
        "depthwise_conv2d_transpose" if depthwise else api,
        **{k: arguments[k] for k in ("param_attr", "bias_attr", "act", "name")},
    )
    strides, dilations = each(arguments["stride"], rank, "stride"), each(arguments["dilation"], rank, "dilation")
    paddings, algorithm = padding_of(arguments["padding"], rank, last, api)
    size = arguments["output_size"]
    wanted = [] if size is None else each_or_variables(size, rank, "output_size")
    window = arguments["filter_size"]
    if window is not None:
        window = each(window, rank, "filter_size")
    elif not wanted:
        raise invalid_argument("filter_size", "a number, or an output_size", None, api)
    else:
        pads = paddings if len(paddings) == 2 * rank else [p for p in paddings for _ in range(2)]
        window = [
            (out - (n - 1) * s + sum(pads[2 * i : 2 * i + 2]) - 1) // d + 1
            for i, (out, n, s, d) in enumerate(zip(wanted, sizes, strides, dilations))
        ]
    weight = helper.create_parameter(helper.param_attr, [channels, filters // count, *window], input.dtype)
    run = ops.conv3d_transpose if rank == 3 else ops.depthwise_conv2d_transpose if depthwise else ops.conv2d_transpose
    out = run(
        input,
        weight,
        output_size=wanted,
        strides=strides,
        paddings=paddings,
        padding_algorithm=algorithm,
        dilations=dilations,
        groups=count,
        data_format="NHWC" if last else "NCHW",
        _helper=helper,
    )
    dim = rank + 1 if last else 1
    return helper.append_activation(helper.append_bias_op(out, dim, dim + 1))


def conv2d(
    input: Variable,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Convolve images.

    Args:
        input (Variable): [N, C, H, W], or [N, H, W, C] for "NHWC".
        num_filters (int): channels of the result, M.
        filter_size (int|list): height and width of the filters.
        stride (int|list): how far windows lie apart.
        padding (int|list|str): zeros around the image: a number, one a dimension, two a dimension, a pair for each
            dimension of `input`, "SAME" or "VALID".
        dilation (int|list): how far the points of a window lie apart.
        groups (int): parts that the channels divide into, each with filters of its own.
        param_attr (ParamAttr): of the filters [M, C / groups, height, width]; by default normal, with He's variance.
        bias_attr (ParamAttr): of the bias [M]; False for none.
        use_cudnn (bool): False names a depthwise convolution so in the Program.
        act (str): activation.
        name (str): prefix of the names.
        data_format (str): "NCHW" or "NHWC".
    Returns:
        Variable: [N, M, H', W'], or with the channels last.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: sizes, groups or padding do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> image = paddle.static.data("image", [None, 3, 32, 32])
        >>> paddle.static.nn.conv2d(image, num_filters=2, filter_size=3, act="relu").shape
        (-1, 2, 30, 30)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return _convolution(2, "conv2d", locals())


def conv3d(
    input: Variable,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Variable:
    """Convolve volumes.

    Args:
        input (Variable): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        num_filters (int): channels of the result, M.
        filter_size (int|list): depth, height and width of the filters.
        stride, padding, dilation, groups: as of `conv2d`, for three dimensions.
        param_attr (ParamAttr): of the filters [M, C / groups, depth, height, width].
        bias_attr (ParamAttr): of the bias [M]; False for none.
        use_cudnn (bool): kept.
        act (str): activation.
        name (str): prefix of the names.
        data_format (str): "NCDHW" or "NDHWC".
    Returns:
        Variable: [N, M, D', H', W'], or with the channels last.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: sizes, groups or padding do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> volume = paddle.static.data("volume", [None, 3, 12, 32, 32])
        >>> paddle.static.nn.conv3d(volume, num_filters=2, filter_size=3).shape
        (-1, 2, 10, 30, 30)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return _convolution(3, "conv3d", locals())


def conv2d_transpose(
    input: Variable,
    num_filters: int,
    output_size: Any = None,
    filter_size: Any = None,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Convolve images transposed: from small to large.

    Args:
        input (Variable): [N, C, H, W], or [N, H, W, C] for "NHWC".
        num_filters (int): channels of the result, M.
        output_size (int|list): height and width of the result; None: what the other arguments give.
        filter_size (int|list): height and width of the filters; None: what output_size calls for.
        padding, stride, dilation, groups: as of `conv2d`, for the convolution that this one transposes.
        param_attr (ParamAttr): of the filters [C, M / groups, height, width].
        bias_attr (ParamAttr): of the bias [M]; False for none.
        use_cudnn (bool): False names a depthwise convolution so in the Program.
        act (str): activation.
        name (str): prefix of the names.
        data_format (str): "NCHW" or "NHWC".
    Returns:
        Variable: [N, M, H', W'], or with the channels last.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: neither output_size nor filter_size is given, or sizes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> image = paddle.static.data("image", [None, 3, 32, 32])
        >>> paddle.static.nn.conv2d_transpose(image, num_filters=2, filter_size=3, stride=2).shape
        (-1, 2, 65, 65)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return _transposed(2, "conv2d_transpose", locals())


def conv3d_transpose(
    input: Variable,
    num_filters: int,
    output_size: Any = None,
    filter_size: Any = None,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Variable:
    """Convolve volumes transposed: from small to large.

    Args:
        input (Variable): [N, C, D, H, W], or [N, D, H, W, C] for "NDHWC".
        num_filters (int): channels of the result, M.
        output_size, filter_size, padding, stride, dilation, groups: as of `conv2d_transpose`, for three dimensions.
        param_attr (ParamAttr): of the filters [C, M / groups, depth, height, width].
        bias_attr (ParamAttr): of the bias [M]; False for none.
        use_cudnn (bool): kept.
        act (str): activation.
        name (str): prefix of the names.
        data_format (str): "NCDHW" or "NDHWC".
    Returns:
        Variable: [N, M, D', H', W'], or with the channels last.
    Raises:
        TypeError: `input` is no float Variable.
        ValueError: neither output_size nor filter_size is given, or sizes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> volume = paddle.static.data("volume", [None, 3, 12, 16, 16])
        >>> paddle.static.nn.conv3d_transpose(volume, num_filters=2, filter_size=3).shape
        (-1, 2, 14, 18, 18)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return _transposed(3, "conv3d_transpose", locals())


def deform_conv2d(
    x: Variable,
    offset: Variable,
    mask: Variable | None,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    deformable_groups: int = 1,
    im2col_step: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Variable:
    """Convolve images at points that are moved.

    Args:
        x (Variable): [N, C, H, W].
        offset (Variable): how far each point of each window moves, [N, 2 * deformable_groups * height * width, H', W'].
        mask (Variable): the points' weights, [N, deformable_groups * height * width, H', W']; None for none.
        num_filters (int): channels of the result, M.
        filter_size (int|list): height and width of the filters.
        stride, padding, dilation, groups: as of `conv2d`; padding in numbers only.
        deformable_groups (int): parts of the channels with offsets of their own.
        im2col_step (int): kept.
        weight_attr (ParamAttr): of the filters [M, C / groups, height, width].
        bias_attr (ParamAttr): of the bias [M]; False for none.
        name (str): prefix of the names.
    Returns:
        Variable: [N, M, H', W'].
    Raises:
        TypeError: x, offset or mask is no Variable.
        ValueError: groups do not divide the channels.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x, offset = paddle.static.data("x", [None, 3, 32, 32]), paddle.static.data("offset", [None, 18, 30, 30])
        >>> paddle.static.nn.deform_conv2d(x, offset, None, num_filters=2, filter_size=3).shape
        (-1, 2, 30, 30)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    api = "deform_conv2d"
    static_only(api)
    for argument, value in (("x", x), ("offset", offset), ("mask", mask)):
        if value is not None or argument != "mask":
            need_variable(value, argument, api, FLOATS)
    _need_filters(weight_attr, "weight_attr", api)
    channels, count = x.shape[1], groups or 1
    if channels % count:
        raise invalid_argument("groups", f"a number that divides the {channels} channels of `x`", groups, api)
    helper = LayerHelper("deformable_conv", param_attr=weight_attr, bias_attr=bias_attr, name=name)
    window = each(filter_size, 2, "filter_size")
    weight = helper.create_parameter(
        helper.param_attr,
        [num_filters, channels // count, *window],
        x.dtype,
        default_initializer=Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels))),
    )
    attrs: dict[str, Any] = {
        "strides": each(stride, 2, "stride"),
        "paddings": each(padding, 2, "padding"),
        "dilations": each(dilation, 2, "dilation"),
        "groups": count,
        "deformable_groups": deformable_groups,
        "im2col_step": im2col_step,
    }
    if mask is None:
        out = ops.deformable_conv_v1(x, offset, weight, _helper=helper, **attrs)
    else:
        out = ops.deformable_conv(x, offset, mask, weight, _helper=helper, **attrs)
    return helper.append_bias_op(out, 1, 2)


def row_conv(input: Variable, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Variable:
    """Every step together with the steps after it.

    Args:
        input (Variable): sequences, [N, D] with LoD or [N, T, D].
        future_context_size (int): how many steps after it.
        param_attr (ParamAttr): of the filter [future_context_size + 1, D].
        act (str): activation.
    Returns:
        Variable: of `input`'s shape.
    Raises:
        TypeError: `input` is no Variable of float32.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [9, 16], "float32", lod_level=1)
        >>> paddle.static.nn.row_conv(x, future_context_size=2).shape
        (9, 16)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(input)
    need_variable(input, "input", "row_conv", ("float32",))
    helper = LayerHelper("row_conv", param_attr=param_attr, act=act)
    weight = helper.create_parameter(helper.param_attr, [future_context_size + 1, input.shape[-1]], input.dtype)
    return helper.append_activation(ops.row_conv(input, weight, _helper=helper))
