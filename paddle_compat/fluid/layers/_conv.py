"""`fluid.layers.nn`: convolutions."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core._kernel_attributes import choose
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import NormalInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import as_list, layer, run
from paddle_compat.fluid.layers._windows import channels_last, margins


def _fan_in_normal(kernel: list[int], channels: int) -> NormalInitializer:
    """How the filters of a convolution start."""
    return NormalInitializer(0.0, math.sqrt(2.0 / (math.prod(kernel) * channels)), 0)


def _channels(input: Variable, last: bool, groups: int | None, api: str) -> int:
    found = input.shape[-1] if last else input.shape[1]
    if found < 0:
        raise ValueError(
            f"Invalid shape of argument `input` of `{api}`. Expected a known number of channels. "
            f"Received: {list(input.shape)}"
        )
    if groups is not None and (groups <= 0 or found % groups):
        raise ValueError(f"Invalid value for argument `groups` of `{api}`. Expected a divisor of {found} channels. Received: {groups}")
    return found


def _convolve(
    spatial: int, helper: LayerHelper, input: Variable, num_filters: int, filter_size: Any, stride: Any, padding: Any, dilation: Any,
    groups: int | None, use_cudnn: bool, data_format: str,
) -> Variable:  # fmt: skip
    api = f"conv{spatial}d"
    if not isinstance(use_cudnn, bool):
        raise ValueError(f"Invalid value for argument `use_cudnn` of `{api}`. Expected a bool. Received: {use_cudnn!r}")
    last = channels_last(data_format, spatial, api)
    channels = _channels(input, last, groups, api)
    kernel = as_list(filter_size, spatial, "filter_size")
    strides, dilations = as_list(stride, spatial, "stride"), as_list(dilation, spatial, "dilation")
    paddings, algorithm = margins(padding, spatial, last, api)
    filters = helper.create_parameter(
        helper.param_attr, [num_filters, channels // (groups or 1), *kernel], input.dtype,
        default_initializer=_fan_in_normal(kernel, channels),
    )
    out = run(
        helper.layer_type, input, filters, helper=helper, strides=strides, paddings=paddings, padding_algorithm=algorithm,
        dilations=dilations, groups=groups or 1, data_format=data_format,
    )  # fmt: skip
    choose(out, use_cudnn=helper.kwargs["use_cudnn"])
    start = spatial + 1 if last else 1
    return helper.append_activation(helper.append_bias_op(out, dim_start=start, dim_end=start + 1))


@layer
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
    """Convolution of images.

    Args:
        input: [N, C, H, W] or [N, H, W, C], floating.
        num_filters: channels of the result.
        filter_size, stride, dilation: an int, or one for height and one for width.
        padding: "SAME", "VALID", an int, one for height and width, four for top, bottom, left, right, or a pair for every dimension.
        groups: how many groups of channels do not see each other.
        param_attr: ParamAttr of the filters, [num_filters, C / groups, height, width].
        bias_attr: ParamAttr of the bias, or False for none.
        use_cudnn: False makes the depthwise operator when there are as many groups as channels.
        act: an activation.
        name: the layer's name.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable.
    Raises:
        ValueError: sizes do not fit, or data_format is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.conv2d(fluid.data("x", [None, 3, 32, 32]), num_filters=2, filter_size=3, act="relu").shape
        (-1, 2, 30, 30)

    Follows Paddle 1.8.
    """
    last = channels_last(data_format, 2, "conv2d")
    channels = input.shape[3] if last else input.shape[1]
    depthwise = channels == groups and num_filters % channels == 0 and not use_cudnn
    type_ = "depthwise_conv2d" if depthwise else "conv2d"
    helper = LayerHelper(type_, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name, use_cudnn=use_cudnn)
    return _convolve(
        2, helper, input, num_filters, filter_size, stride, padding, dilation, groups, use_cudnn, data_format
    )


@layer
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
    """Convolution of volumes.

    Args:
        input: [N, C, D, H, W] or [N, D, H, W, C], floating.
        num_filters: channels of the result.
        filter_size, stride, dilation: an int, or one for each of depth, height and width.
        padding: "SAME", "VALID", an int, one or two ints for each of depth, height and width, or a pair for every dimension.
        groups: how many groups of channels do not see each other.
        param_attr: ParamAttr of the filters, [num_filters, C / groups, depth, height, width].
        bias_attr: ParamAttr of the bias, or False for none.
        use_cudnn: kept.
        act: an activation.
        name: the layer's name.
        data_format: "NCDHW" or "NDHWC".
    Returns:
        Variable.
    Raises:
        ValueError: sizes do not fit, or data_format is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.conv3d(fluid.data("x", [None, 3, 12, 32, 32]), num_filters=2, filter_size=3).shape
        (-1, 2, 10, 30, 30)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("conv3d", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name, use_cudnn=use_cudnn)
    return _convolve(
        3, helper, input, num_filters, filter_size, stride, padding, dilation, groups, use_cudnn, data_format
    )


def _transposed(
    spatial: int, helper: LayerHelper, input: Variable, num_filters: int, output_size: Any, filter_size: Any, padding: Any, stride: Any,
    dilation: Any, groups: int | None, use_cudnn: bool, data_format: str,
) -> Variable:  # fmt: skip
    api = f"conv{spatial}d_transpose"
    if not isinstance(use_cudnn, bool):
        raise ValueError(f"Invalid value for argument `use_cudnn` of `{api}`. Expected a bool. Received: {use_cudnn!r}")
    last = channels_last(data_format, spatial, api)
    if groups is not None and groups <= 0:
        raise ValueError(f"Invalid value for argument `groups` of `{api}`. Expected a number above 0. Received: {groups}")
    channels = _channels(input, last, None, api)
    strides, dilations = as_list(stride, spatial, "stride"), as_list(dilation, spatial, "dilation")
    paddings, algorithm = margins(padding, spatial, last, api)
    wanted = [] if output_size is None else as_list(output_size, spatial, "output_size")
    if filter_size is None:
        if not wanted:
            raise ValueError(
                f"Invalid value for argument `filter_size` of `{api}`. Expected sizes, when `output_size` is None. "
                "Received: None"
            )
        before, after = (paddings[::2], paddings[1::2]) if len(paddings) == 2 * spatial else (paddings, paddings)
        sizes = input.shape[1:-1] if last else input.shape[2:]
        kernel = [
            (wanted[i] - (sizes[i] - 1) * strides[i] + before[i] + after[i] - 1) // dilations[i] + 1 for i in range(spatial)
        ]
    else:
        kernel = as_list(filter_size, spatial, "filter_size")
    filters = helper.create_parameter(helper.param_attr, [channels, num_filters // (groups or 1), *kernel], input.dtype)
    out = run(
        helper.layer_type, input, filters, helper=helper, output_size=wanted, strides=strides, paddings=paddings,
        padding_algorithm=algorithm, dilations=dilations, groups=groups or 1, data_format="NHWC" if last else "NCHW",
    )  # fmt: skip
    choose(out, use_cudnn=helper.kwargs["use_cudnn"])
    start = spatial + 1 if last else 1
    return helper.append_activation(helper.append_bias_op(out, dim_start=start, dim_end=start + 1))


@layer
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
    """The transpose of a convolution of images.

    Args:
        input: [N, C, H, W] or [N, H, W, C], floating.
        num_filters: channels of the result.
        output_size: height and width of the result, where several are possible; needed when filter_size is None.
        filter_size: an int, or height and width; None: from output_size.
        padding: as in conv2d; it makes the result smaller.
        stride, dilation: an int, or one for height and one for width.
        groups: how many groups of channels do not see each other.
        param_attr: ParamAttr of the filters, [C, num_filters / groups, height, width].
        bias_attr: ParamAttr of the bias, or False for none.
        use_cudnn: False makes the depthwise operator when there are as many groups as channels and filters.
        act: an activation.
        name: the layer's name.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable.
    Raises:
        ValueError: sizes do not fit, or data_format is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.conv2d_transpose(fluid.data("x", [None, 3, 16, 16]), num_filters=2, filter_size=2, stride=2).shape
        (-1, 2, 32, 32)

    Follows Paddle 1.8.
    """
    last = channels_last(data_format, 2, "conv2d_transpose")
    channels = input.shape[3] if last else input.shape[1]
    depthwise = channels == groups == num_filters and not use_cudnn
    type_ = "depthwise_conv2d_transpose" if depthwise else "conv2d_transpose"
    helper = LayerHelper(type_, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name, use_cudnn=use_cudnn)
    return _transposed(
        2, helper, input, num_filters, output_size, filter_size, padding, stride, dilation, groups, use_cudnn, data_format
    )


@layer
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
    """The transpose of a convolution of volumes.

    Args:
        input: [N, C, D, H, W] or [N, D, H, W, C], floating.
        num_filters: channels of the result.
        output_size: depth, height and width of the result, where several are possible; needed when filter_size is None.
        filter_size: an int, or depth, height and width; None: from output_size.
        padding: as in conv3d; it makes the result smaller.
        stride, dilation: an int, or one for each of depth, height and width.
        groups: how many groups of channels do not see each other.
        param_attr: ParamAttr of the filters, [C, num_filters / groups, depth, height, width].
        bias_attr: ParamAttr of the bias, or False for none.
        use_cudnn: kept.
        act: an activation.
        name: the layer's name.
        data_format: "NCDHW" or "NDHWC".
    Returns:
        Variable.
    Raises:
        ValueError: sizes do not fit, or data_format is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.conv3d_transpose(fluid.data("x", [None, 3, 4, 8, 8]), num_filters=2, filter_size=2, stride=2).shape
        (-1, 2, 8, 16, 16)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("conv3d_transpose", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name, use_cudnn=use_cudnn)
    return _transposed(
        3, helper, input, num_filters, output_size, filter_size, padding, stride, dilation, groups, use_cudnn, data_format
    )


@layer
def deformable_conv(
    input: Variable,
    offset: Variable,
    mask: Variable | None,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    deformable_groups: int | None = None,
    im2col_step: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    modulated: bool = True,
    name: str | None = None,
) -> Variable:
    """Convolution of images whose filters look at learned places.

    Args:
        input: [N, C, H, W], float32 or float64.
        offset: [N, 2 deformable_groups height width, H, W], how far each place is moved.
        mask: [N, deformable_groups height width, H, W], the weight of each place; None unless modulated.
        num_filters: channels of the result.
        filter_size, stride, padding, dilation: an int, or one for height and one for width.
        groups: how many groups of channels do not see each other.
        deformable_groups: how many groups of channels have offsets of their own.
        im2col_step: how many images are done at once.
        param_attr: ParamAttr of the filters.
        bias_attr: ParamAttr of the bias, or False for none.
        modulated: with the mask (version 2); else version 1.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: sizes do not fit.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, o, m = fluid.data("x", [2, 2, 5, 5]), fluid.data("o", [2, 18, 3, 3]), fluid.data("m", [2, 9, 3, 3])
        ...     fluid.layers.deformable_conv(x, o, m, num_filters=4, filter_size=3).shape
        (2, 4, 3, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("deformable_conv", param_attr=param_attr, bias_attr=bias_attr, name=name)
    channels = _channels(input, False, groups, "deformable_conv")
    kernel = as_list(filter_size, 2, "filter_size")
    filters = helper.create_parameter(
        helper.param_attr, [num_filters, channels // (groups or 1), *kernel], input.dtype,
        default_initializer=_fan_in_normal(kernel, channels),
    )
    attrs: dict[str, Any] = {
        "strides": as_list(stride, 2, "stride"), "paddings": as_list(padding, 2, "padding"),
        "dilations": as_list(dilation, 2, "dilation"), "groups": groups or 1, "deformable_groups": deformable_groups or 1,
        "im2col_step": im2col_step or 64,
    }  # fmt: skip
    if modulated:
        out = run("deformable_conv", input, offset, mask, filters, helper=helper, **attrs)
    else:
        out = run("deformable_conv_v1", input, offset, filters, helper=helper, **attrs)
    return helper.append_bias_op(out, dim_start=1, dim_end=2)


@layer
def row_conv(input: Variable, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Variable:
    """Convolution that looks at the present and future steps of sequences.

    Args:
        input: float32, sequences [T, D] with LoD, or [N, T, D].
        future_context_size: how many future steps.
        param_attr: ParamAttr of the weights, [future_context_size + 1, D].
        act: an activation.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.row_conv(fluid.data("x", [None, 16], lod_level=1), future_context_size=2).shape
        (-1, 16)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("row_conv", param_attr=param_attr, act=act)
    weights = helper.create_parameter(helper.param_attr, [future_context_size + 1, input.shape[-1]], input.dtype)
    return helper.append_activation(run("row_conv", input, weights, helper=helper))


__all__ = ["conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "deformable_conv", "row_conv"]
