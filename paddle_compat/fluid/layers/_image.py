"""`fluid.layers.nn`: images resized, sampled and rearranged."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import as_list, is_variable, layer, run
from paddle_compat.fluid.layers._reshape import dimension
from paddle_compat.fluid.layers._shapes import tensors_in

# resample -> operator, number of spatial dimensions, data formats
_METHODS = {
    "BILINEAR": ("bilinear", 2, ("NCHW", "NHWC")),
    "NEAREST": ("nearest", 2, ("NCHW", "NHWC")),
    "TRILINEAR": ("trilinear", 3, ("NCDHW", "NDHWC")),
}


def _wrong(argument: str, expected: object, received: object) -> ValueError:
    return ValueError(f"Invalid value for argument `{argument}` of `image_resize`. Expected {expected}. Received: {received!r}")


@layer
def image_resize(
    input: Variable,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    resample: str = "BILINEAR",
    actual_shape: Variable | None = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Variable:
    """Images of another size.

    Args:
        input: [N, C, H, W], [N, H, W, C], [N, C, D, H, W] or [N, D, H, W, C].
        out_shape: the new height and width (depth, height and width), a list of ints and Variables, or an int32 Variable.
        scale: a factor instead, a number or a Variable of one element.
        name: the layer's name.
        resample: "BILINEAR", "NEAREST" or, for volumes, "TRILINEAR".
        actual_shape: an int32 Variable with the size of each run, which goes before the others.
        align_corners: the corners' centres stay where they are.
        align_mode: 0: pixels have their centres at half; 1: at whole numbers; without align_corners.
        data_format: how the dimensions lie.
    Returns:
        Variable.
    Raises:
        ValueError: an argument is none of these, or neither out_shape nor scale is given.
        TypeError: actual_shape is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.image_resize(fluid.data("x", [None, 3, 6, 10]), out_shape=[12, 12]).shape
        (-1, 3, 12, 12)

    Follows Paddle 1.8.
    """
    if resample not in _METHODS:
        raise _wrong("resample", "'BILINEAR', 'TRILINEAR' or 'NEAREST'", resample)
    method, spatial, formats = _METHODS[resample]
    if spatial + 2 != len(input.shape):
        raise _wrong("resample", f"another one for {len(input.shape)} dimensions", resample)
    if not isinstance(align_corners, bool):
        raise type_error("align_corners", "bool", align_corners, "image_resize")
    if align_mode not in (0, 1):
        raise _wrong("align_mode", "0 or 1", align_mode)
    if out_shape is None and scale is None:
        raise _wrong("out_shape", "a size, when scale is None", None)
    if data_format not in formats:
        raise _wrong("data_format", " or ".join(map(repr, formats)), data_format)
    helper = LayerHelper(f"{method}_interp", name=name)
    attrs: dict[str, Any] = {"out_d": -1, "out_h": -1, "out_w": -1}
    size, factor = None, None
    sizes: list[Any] = []
    if out_shape is not None:
        if not is_variable(out_shape) and not isinstance(out_shape, (list, tuple)):
            raise type_error("out_shape", "list, tuple or Variable", out_shape, "image_resize")
        if not is_variable(out_shape) and len(out_shape) != spatial:
            raise _wrong("out_shape", f"{spatial} sizes", out_shape)
        size, sizes, known = tensors_in(out_shape, dimension(helper))
        attrs |= zip(("out_d", "out_h", "out_w")[3 - spatial :], known or [])
    elif is_variable(scale):
        scale.stop_gradient = True
        factor = scale
    elif not isinstance(scale, (int, float)):
        raise type_error("scale", "a number or Variable", scale, "image_resize")
    elif scale <= 0:
        raise _wrong("scale", "a number above 0", scale)
    else:
        attrs["scale"] = float(scale)
    if actual_shape is not None:
        if not is_variable(actual_shape):
            raise type_error("actual_shape", "a Variable", actual_shape, "image_resize")
        warnings.warn("actual_shape will be deprecated; give a Variable as out_shape instead.", stacklevel=2)
        actual_shape.stop_gradient = True
        size = actual_shape
    return run(
        helper.layer_type, input, size, sizes, factor, helper=helper, interp_method=method, align_corners=align_corners,
        align_mode=align_mode, data_layout="NCHW" if data_format.startswith("NC") else "NHWC", **attrs,
    )  # fmt: skip


@layer
def resize_bilinear(
    input: Variable,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Variable | None = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Variable:
    """Images of another size, interpolated between four pixels.

    Args:
        input: [N, C, H, W] or [N, H, W, C].
        out_shape, scale, actual_shape, align_corners, align_mode: as in image_resize.
        name: the layer's name.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.resize_bilinear(fluid.data("x", [None, 3, 6, 10]), out_shape=[12, 12]).shape
        (-1, 3, 12, 12)

    Follows Paddle 1.8.
    """
    return image_resize(input, out_shape, scale, name, "BILINEAR", actual_shape, align_corners, align_mode, data_format)


@layer
def resize_trilinear(
    input: Variable,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Variable | None = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCDHW",
) -> Variable:
    """Volumes of another size, interpolated between eight elements.

    Args:
        input: [N, C, D, H, W] or [N, D, H, W, C].
        out_shape, scale, actual_shape, align_corners, align_mode: as in image_resize.
        name: the layer's name.
        data_format: "NCDHW" or "NDHWC".
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.resize_trilinear(fluid.data("x", [None, 3, 2, 6, 10]), out_shape=[4, 12, 12]).shape
        (-1, 3, 4, 12, 12)

    Follows Paddle 1.8.
    """
    return image_resize(input, out_shape, scale, name, "TRILINEAR", actual_shape, align_corners, align_mode, data_format)


@layer
def resize_nearest(
    input: Variable,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Variable | None = None,
    align_corners: bool = True,
    data_format: str = "NCHW",
) -> Variable:
    """Images of another size, by the nearest pixel.

    Args:
        input: [N, C, H, W] or [N, H, W, C].
        out_shape, scale, actual_shape, align_corners: as in image_resize.
        name: the layer's name.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.resize_nearest(fluid.data("x", [None, 3, 6, 10]), out_shape=[12, 12]).shape
        (-1, 3, 12, 12)

    Follows Paddle 1.8.
    """
    return image_resize(input, out_shape, scale, name, "NEAREST", actual_shape, align_corners, 1, data_format)


@layer
def interpolate(
    input: Variable,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    resample: str = "BILINEAR",
    actual_shape: Variable | None = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Variable:
    """Images of another size: `image_resize` under another name.

    Args:
        input: [N, C, H, W], [N, H, W, C], [N, C, D, H, W] or [N, D, H, W, C].
        out_shape, scale, resample, actual_shape, align_corners, align_mode, data_format: as in image_resize.
        name: the layer's name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.interpolate(fluid.data("x", [None, 3, 6, 10]), out_shape=[12, 12]).shape
        (-1, 3, 12, 12)

    Follows Paddle 1.8.
    """
    return image_resize(input, out_shape, scale, name, resample, actual_shape, align_corners, align_mode, data_format)


@layer
def image_resize_short(input: Variable, out_short_len: int, resample: str = "BILINEAR") -> Variable:
    """Images whose shorter side gets a given length, the other in proportion.

    Args:
        input: [N, C, H, W] of known height and width.
        out_short_len: the length.
        resample: as in image_resize.
    Returns:
        Variable.
    Raises:
        ValueError: there are not four dimensions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.image_resize_short(fluid.data("x", [None, 3, 6, 9]), out_short_len=3).shape
        (-1, 3, 3, 5)

    Follows Paddle 1.8.
    """
    if len(input.shape) != 4:
        raise ValueError(
            "Invalid shape of argument `input` of `image_resize_short`. Expected four dimensions. "
            f"Received: {list(input.shape)}"
        )
    sizes = list(input.shape[2:])
    short = sizes.index(min(sizes))
    long = 1 - short
    shape = list(sizes)
    shape[short] = out_short_len
    shape[long] = int(float(sizes[long]) * (float(out_short_len) / float(sizes[short])) + 0.5)
    return image_resize(input, out_shape=shape, resample=resample)


@layer
def affine_grid(theta: Variable, out_shape: Any, name: str | None = None) -> Variable:
    """The places that a plane transformation moves the pixels of an image to.

    Args:
        theta: [N, 2, 3], float32 or float64.
        out_shape: [N, C, H, W], a list of ints or an int32 Variable.
        name: kept, as in Paddle 1.8.
    Returns:
        Variable [N, H, W, 2].
    Raises:
        ValueError: out_shape is neither.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.affine_grid(fluid.data("x", [None, 2, 3]), out_shape=[4, 3, 5, 6]).shape
        (-1, -1, -1, 2)

    Follows Paddle 1.8.
    """
    if is_variable(out_shape):
        return run("affine_grid", theta, out_shape)
    if not isinstance(out_shape, (list, tuple)):
        raise ValueError(
            "Invalid value for argument `out_shape` of `affine_grid`. Expected list, tuple or Variable. "
            f"Received: {out_shape!r}"
        )
    if len(theta.shape) != 3 or tuple(theta.shape[1:]) != (2, 3):
        raise invalid_argument("theta", "shape [N, 2, 3]", f"shape {list(theta.shape)}", "affine_grid")
    return run("affine_grid", theta, output_shape=list(out_shape))


@layer
def grid_sampler(x: Variable, grid: Variable, name: str | None = None) -> Variable:
    """Images at given places, interpolated between four pixels.

    Args:
        x: [N, C, H, W], float32 or float64.
        grid: [N, H, W, 2], x and y between -1 and 1.
        name: the layer's name.
    Returns:
        Variable [N, C, H, W].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.grid_sampler(fluid.data("x", [None, 3, 5, 6]), fluid.data("g", [None, 5, 6, 2])).shape
        (-1, 3, 5, 6)

    Follows Paddle 1.8.
    """
    return run("grid_sampler", x, grid, name=name)


@layer
def pixel_shuffle(x: Variable, upscale_factor: int) -> Variable:
    """Larger images with fewer channels.

    Args:
        x: [N, C upscale_factor^2, H, W], float32 or float64.
        upscale_factor: how many times larger.
    Returns:
        Variable [N, C, H upscale_factor, W upscale_factor].
    Raises:
        TypeError: upscale_factor is no int.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pixel_shuffle(fluid.data("x", [None, 9, 4, 4]), upscale_factor=3).shape
        (-1, 1, 12, 12)

    Follows Paddle 1.8.
    """
    if not isinstance(upscale_factor, int):
        raise type_error("upscale_factor", "int", upscale_factor, "pixel_shuffle")
    return run("pixel_shuffle", x, upscale_factor=upscale_factor)


@layer
def space_to_depth(x: Variable, blocksize: int, name: str | None = None) -> Variable:
    """Smaller images with more channels.

    Args:
        x: [N, C, H, W].
        blocksize: how many times smaller.
        name: the layer's name.
    Returns:
        Variable [N, C blocksize^2, H / blocksize, W / blocksize].
    Raises:
        ValueError: blocksize is no int.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.space_to_depth(fluid.data("x", [None, 4, 4, 4]), blocksize=2).shape
        (-1, 16, 2, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(blocksize, int):
        raise ValueError(f"Invalid value for argument `blocksize` of `space_to_depth`. Expected an int. Received: {blocksize!r}")
    return run("space_to_depth", x, name=name, blocksize=blocksize)


@layer
def shuffle_channel(x: Variable, group: int, name: str | None = None) -> Variable:
    """Channels in another order: the first of each group, the second of each, and so on.

    Args:
        x: [N, C, H, W].
        group: how many groups.
        name: kept, as in Paddle 1.8.
    Returns:
        Variable of the shape of x.
    Raises:
        TypeError: group is no int.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.shuffle_channel(fluid.data("x", [None, 4, 2, 2]), group=2).shape
        (-1, 4, 2, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(group, int):
        raise type_error("group", "int", group, "shuffle_channel")
    return run("shuffle_channel", x, group=group)


@layer
def temporal_shift(
    x: Variable, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW"
) -> Variable:
    """Some channels of each frame from the frame before, some from the frame after it.

    Args:
        x: [N seg_num, C, H, W], float32 or float64.
        seg_num: how many frames a video has.
        shift_ratio: the share of channels for each direction.
        name: the layer's name.
        data_format: "NCHW" or "NHWC", as in Paddle 2.
    Returns:
        Variable of the shape of x.
    Raises:
        TypeError: seg_num is no int.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.temporal_shift(fluid.data("x", [6, 4, 2, 2]), seg_num=2).shape
        (6, 4, 2, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(seg_num, int):
        raise type_error("seg_num", "int", seg_num, "temporal_shift")
    layout: dict[str, Any] = {} if data_format == "NCHW" else {"data_format": data_format}
    return run("temporal_shift", x, name=name, seg_num=seg_num, shift_ratio=shift_ratio, **layout)


def _four(value: Any, argument: str) -> list[int]:
    """Margins at top, left, bottom and right, from one, two or four numbers."""
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(found) in (1, 2):
        found = [found[0], found[-1]] * 2
    return as_list(found, 4, argument)


@layer
def unfold(
    x: Variable, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: str | None = None
) -> Variable:
    """The windows of images as columns.

    Args:
        x: [N, C, H, W], float32 or float64.
        kernel_sizes, strides, dilations: an int, or one for height and one for width.
        paddings: an int, one for height and width, or four for top, left, bottom and right.
        name: the layer's name.
    Returns:
        Variable [N, C height width, number of windows].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.unfold(fluid.data("x", [None, 3, 5, 5]), kernel_sizes=[3, 3]).shape
        (-1, 27, 9)

    Follows Paddle 1.8.
    """
    return run(
        "unfold", x, name=name, kernel_sizes=as_list(kernel_sizes, 2, "kernel_sizes"), strides=as_list(strides, 2, "strides"),
        paddings=_four(paddings, "paddings"), dilations=as_list(dilations, 2, "dilations"),
    )  # fmt: skip


@layer
def im2sequence(
    input: Variable,
    filter_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    input_image_size: Variable | None = None,
    out_stride: Any = 1,
    name: str | None = None,
) -> Variable:
    """The windows of each image as a sequence.

    Args:
        input: [N, C, H, W], float32.
        filter_size, stride: an int, or one for height and one for width.
        padding: an int, one for height and width, or four for top, left, bottom and right.
        input_image_size: [N, 2], the true sizes of the images.
        out_stride: how much smaller than its image a network has made `input`.
        name: the layer's name.
    Returns:
        Variable [number of windows, C height width] with LoD.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.im2sequence(fluid.data("x", [None, 3, 4, 4]), filter_size=[2, 2], stride=2).shape
        (-1, 12)

    Follows Paddle 1.8.
    """
    kernels, strides = as_list(filter_size, 2, "filter_size"), as_list(stride, 2, "stride")
    attrs: dict[str, Any] = {"kernels": kernels, "strides": strides, "paddings": _four(padding, "padding")}
    if input_image_size is not None:
        attrs["out_stride"] = as_list(out_stride, 2, "out_stride")
    return run("im2sequence", input, input_image_size, name=name, **attrs)


@layer
def similarity_focus(input: Variable, axis: int, indexes: list[int], name: str | None = None) -> Variable:
    """1 where an element is the largest of its row and column, picked greedily; 0 elsewhere.

    Args:
        input: [N, A, B, C], float32 or float64.
        axis: the dimension whose slices are looked at: 1, 2 or 3.
        indexes: which slices.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        TypeError: indexes is no list.
        ValueError: axis is another, or there is no such slice.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.similarity_focus(fluid.data("x", [None, 3, 2, 2]), axis=1, indexes=[0]).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(axis, int):
        raise type_error("axis", "int", axis, "similarity_focus")
    if not isinstance(indexes, list):
        raise type_error("indexes", "list", indexes, "similarity_focus")
    if axis not in (1, 2, 3):
        raise ValueError(f"Invalid value for argument `axis` of `similarity_focus`. Expected 1, 2 or 3. Received: {axis}")
    if not indexes:
        raise ValueError("Invalid value for argument `indexes` of `similarity_focus`. Expected at least one. Received: []")
    return run("similarity_focus", input, name=name, axis=axis, indexes=indexes)


@layer
def fsp_matrix(x: Variable, y: Variable) -> Variable:
    """The mean products of the channels of two feature maps.

    Args:
        x: [N, A, H, W], float32 or float64.
        y: [N, B, H, W].
    Returns:
        Variable [N, A, B].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.fsp_matrix(fluid.data("x", [None, 3, 4, 4]), fluid.data("y", [None, 5, 4, 4])).shape
        (-1, 3, 5)

    Follows Paddle 1.8.
    """
    return run("fsp", x, y, layer="fsp_matrix")


@layer
def affine_channel(
    x: Variable, scale: Any = None, bias: Any = None, data_layout: str = "NCHW", name: str | None = None, act: str | None = None
) -> Variable:
    """Every channel times a number, plus a number.

    Args:
        x: [N, C, H, W] or [N, H, W, C], float32 or float64.
        scale, bias: [C].
        data_layout: "NCHW" or "NHWC".
        name: the layer's name.
        act: an activation.
    Returns:
        Variable of the shape of x.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, s, b = fluid.data("x", [None, 3, 4, 4]), fluid.data("s", [3]), fluid.data("b", [3])
        ...     fluid.layers.affine_channel(x, s, b).shape
        (-1, 3, 4, 4)

    Follows Paddle 1.8.
    """
    for argument, value in (("scale", scale), ("bias", bias)):
        if not is_variable(value):
            raise type_error(argument, "a Variable", value, "affine_channel")
    helper = LayerHelper("affine_channel", act=act, name=name)
    return helper.append_activation(run("affine_channel", x, scale, bias, helper=helper, data_layout=data_layout))


__all__ = [
    "affine_channel", "affine_grid", "fsp_matrix", "grid_sampler", "im2sequence", "image_resize", "image_resize_short", "interpolate",
    "pixel_shuffle", "resize_bilinear", "resize_nearest", "resize_trilinear", "shuffle_channel", "similarity_focus", "space_to_depth",
    "temporal_shift", "unfold",
]  # fmt: skip
