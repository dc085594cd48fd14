"""`fluid.layers.nn`: pooling of images and of regions of images."""

from __future__ import annotations

from typing import Any

from paddle_compat.core._kernel_attributes import choose
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import as_list, declared, layer, run, temporaries
from paddle_compat.fluid.layers._windows import channels_last, margins


def _pooled(
    spatial: int, input: Variable, pool_size: Any, pool_type: str, pool_stride: Any, pool_padding: Any, global_pooling: bool,
    use_cudnn: bool, ceil_mode: bool, name: str | None, exclusive: bool, data_format: str,
) -> Variable:  # fmt: skip
    api = f"pool{spatial}d"
    if pool_type not in ("max", "avg"):
        raise ValueError(f"Invalid value for argument `pool_type` of `{api}`. Expected 'max' or 'avg'. Received: {pool_type!r}")
    if not global_pooling and pool_size == -1:
        raise ValueError(
            f"Invalid value for argument `pool_size` of `{api}`. Expected sizes, when global_pooling is False. "
            f"Received: {pool_size}"
        )
    if not isinstance(use_cudnn, bool):
        raise TypeError(f"Invalid type for argument `use_cudnn` of `{api}`. Expected bool. Received: {use_cudnn!r}")
    last = channels_last(data_format, spatial, api)
    sizes, strides = as_list(pool_size, spatial, "pool_size"), as_list(pool_stride, spatial, "pool_stride")
    if isinstance(pool_padding, str) and pool_padding.upper() == "VALID" and ceil_mode:
        raise ValueError(f"Invalid value for argument `ceil_mode` of `{api}`. Expected False, when pool_padding is 'VALID'. Received: True")
    paddings, algorithm = margins(pool_padding, spatial, last, api)
    out = run(
        api, input, name=name, pooling_type=pool_type, ksize=sizes, global_pooling=global_pooling, strides=strides, paddings=paddings,
        padding_algorithm=algorithm, ceil_mode=ceil_mode, exclusive=exclusive, data_format=data_format,
    )  # fmt: skip
    return choose(out, use_cudnn=use_cudnn)


@layer
def pool2d(
    input: Variable,
    pool_size: Any = -1,
    pool_type: str = "max",
    pool_stride: Any = 1,
    pool_padding: Any = 0,
    global_pooling: bool = False,
    use_cudnn: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
    exclusive: bool = True,
    data_format: str = "NCHW",
) -> Variable:
    """The largest element or the mean of each window of images.

    Args:
        input: [N, C, H, W] or [N, H, W, C], floating.
        pool_size, pool_stride: an int, or one for height and one for width.
        pool_type: "max" or "avg".
        pool_padding: as `padding` of conv2d.
        global_pooling: one window, the whole image.
        use_cudnn: kept.
        ceil_mode: windows that stand over the border count.
        name: the layer's name.
        exclusive: margins do not count in a mean.
        data_format: "NCHW" or "NHWC".
    Returns:
        Variable.
    Raises:
        ValueError: an argument is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pool2d(fluid.data("x", [None, 3, 32, 32]), pool_size=2, pool_stride=2).shape
        (-1, 3, 16, 16)

    Follows Paddle 1.8.
    """
    return _pooled(
        2, input, pool_size, pool_type, pool_stride, pool_padding, global_pooling, use_cudnn, ceil_mode, name, exclusive, data_format
    )  # fmt: skip


@layer
def pool3d(
    input: Variable,
    pool_size: Any = -1,
    pool_type: str = "max",
    pool_stride: Any = 1,
    pool_padding: Any = 0,
    global_pooling: bool = False,
    use_cudnn: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
    exclusive: bool = True,
    data_format: str = "NCDHW",
) -> Variable:
    """The largest element or the mean of each window of volumes.

    Args:
        input: [N, C, D, H, W] or [N, D, H, W, C], floating.
        pool_size, pool_stride: an int, or one for each of depth, height and width.
        pool_type: "max" or "avg".
        pool_padding: as `padding` of conv3d.
        global_pooling: one window, the whole volume.
        use_cudnn: kept.
        ceil_mode: windows that stand over the border count.
        name: the layer's name.
        exclusive: margins do not count in a mean.
        data_format: "NCDHW" or "NDHWC".
    Returns:
        Variable.
    Raises:
        ValueError: an argument is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pool3d(fluid.data("x", [None, 3, 8, 32, 32]), pool_size=2, pool_stride=2).shape
        (-1, 3, 4, 16, 16)

    Follows Paddle 1.8.
    """
    return _pooled(
        3, input, pool_size, pool_type, pool_stride, pool_padding, global_pooling, use_cudnn, ceil_mode, name, exclusive, data_format
    )  # fmt: skip


def _adaptive(spatial: int, input: Variable, pool_size: Any, pool_type: str, require_index: bool, name: str | None) -> Any:
    api = f"adaptive_pool{spatial}d"
    if pool_type not in ("max", "avg"):
        raise ValueError(f"Invalid value for argument `pool_type` of `{api}`. Expected 'max' or 'avg'. Received: {pool_type!r}")
    if pool_type == "avg" and require_index:
        raise ValueError(f"Invalid value for argument `require_index` of `{api}`. Expected False, when pool_type is 'avg'. Received: True")
    sizes = as_list(pool_size, spatial, "pool_size")
    if pool_type == "avg":
        return run(f"pool{spatial}d", input, name=name, pooling_type="avg", ksize=sizes, adaptive=True, use_cudnn=False)
    out, mask = run(f"max_pool{spatial}d_with_index", input, name=name, ksize=sizes, adaptive=True)
    declared(mask, input.dtype)
    return (out, mask) if require_index else out


@layer
def adaptive_pool2d(
    input: Variable, pool_size: Any, pool_type: str = "max", require_index: bool = False, name: str | None = None
) -> Any:
    """The largest element or the mean of as many windows of images as are asked for.

    Args:
        input: [N, C, H, W].
        pool_size: how many windows, an int, or one for height and one for width.
        pool_type: "max" or "avg".
        require_index: where the largest elements are, too.
        name: the layer's name.
    Returns:
        Variable; with require_index a pair with the positions.
    Raises:
        ValueError: an argument is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.adaptive_pool2d(fluid.data("x", [None, 3, 32, 32]), pool_size=[3, 3], pool_type="avg").shape
        (-1, 3, 3, 3)

    Follows Paddle 1.8.
    """
    return _adaptive(2, input, pool_size, pool_type, require_index, name)


@layer
def adaptive_pool3d(
    input: Variable, pool_size: Any, pool_type: str = "max", require_index: bool = False, name: str | None = None
) -> Any:
    """The largest element or the mean of as many windows of volumes as are asked for.

    Args:
        input: [N, C, D, H, W].
        pool_size: how many windows, an int, or one for each of depth, height and width.
        pool_type: "max" or "avg".
        require_index: where the largest elements are, too.
        name: the layer's name.
    Returns:
        Variable; with require_index a pair with the positions.
    Raises:
        ValueError: an argument is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.adaptive_pool3d(fluid.data("x", [None, 3, 8, 32, 32]), pool_size=3, pool_type="avg").shape
        (-1, 3, 3, 3, 3)

    Follows Paddle 1.8.
    """
    return _adaptive(3, input, pool_size, pool_type, require_index, name)


@layer
def roi_pool(
    input: Variable, rois: Variable, pooled_height: int = 1, pooled_width: int = 1, spatial_scale: float = 1.0, rois_lod: Any = None,
    rois_num: Any = None, name: str | None = None,
) -> Variable:  # fmt: skip
    """The largest elements of windows of regions.

    Args:
        input: [N, C, H, W].
        rois: [number of regions, 4] with LoD, left, top, right and bottom.
        pooled_height, pooled_width: how many windows a region has.
        spatial_scale: what the coordinates are multiplied by.
        rois_lod: int64, the regions' LoD, where `rois` has none.
        rois_num: int32, how many regions each image has, as in Paddle 2.
        name: the layer's name.
    Returns:
        Variable [number of regions, C, pooled_height, pooled_width].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 3, 16, 16]), fluid.data("r", [None, 4], lod_level=1)
        ...     fluid.layers.roi_pool(x, rois, 2, 2).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"pooled_height": pooled_height, "pooled_width": pooled_width, "spatial_scale": spatial_scale}
    return run("roi_pool", input, rois, rois_lod, rois_num, name=name, **attrs)


@layer
def roi_align(
    input: Variable,
    rois: Variable,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    name: str | None = None,
    rois_lod: Any = None,
    rois_num: Any = None,
) -> Variable:
    """The means of interpolated points in windows of regions.

    Args:
        input: [N, C, H, W], float32 or float64.
        rois: [number of regions, 4] with LoD, left, top, right and bottom.
        pooled_height, pooled_width: how many windows a region has.
        spatial_scale: what the coordinates are multiplied by.
        sampling_ratio: how many points a window has in each direction; -1: as fits its size.
        name: the layer's name.
        rois_lod: int64, the regions' LoD, where `rois` has none.
        rois_num: int32, how many regions each image has, as in Paddle 2.
    Returns:
        Variable [number of regions, C, pooled_height, pooled_width].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 3, 16, 16]), fluid.data("r", [None, 4], lod_level=1)
        ...     fluid.layers.roi_align(x, rois, 2, 2).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {
        "pooled_height": pooled_height, "pooled_width": pooled_width, "spatial_scale": spatial_scale, "sampling_ratio": sampling_ratio,
    }  # fmt: skip
    return run("roi_align", input, rois, rois_lod, rois_num, name=name, **attrs)


@layer
def psroi_pool(
    input: Variable,
    rois: Variable,
    output_channels: int,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    name: str | None = None,
) -> Variable:
    """The means of windows of regions, each window from channels of its own.

    Args:
        input: [N, output_channels pooled_height pooled_width, H, W].
        rois: [number of regions, 4] with LoD, left, top, right and bottom.
        output_channels: channels of the result.
        spatial_scale: what the coordinates are multiplied by.
        pooled_height, pooled_width: how many windows a region has.
        name: the layer's name.
    Returns:
        Variable [number of regions, output_channels, pooled_height, pooled_width].
    Raises:
        TypeError: a size is no int, or the scale no float.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 12, 16, 16]), fluid.data("r", [None, 4], lod_level=1)
        ...     fluid.layers.psroi_pool(x, rois, 3, 1.0, 2, 2).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    sizes: dict[str, Any] = {"output_channels": output_channels, "pooled_height": pooled_height, "pooled_width": pooled_width}
    for argument, value in sizes.items():
        if not isinstance(value, int):
            raise type_error(argument, "int", value, "psroi_pool")
    if not isinstance(spatial_scale, float):
        raise type_error("spatial_scale", "float", spatial_scale, "psroi_pool")
    return run("psroi_pool", input, rois, name=name, spatial_scale=spatial_scale, **sizes)


@layer
def prroi_pool(
    input: Variable,
    rois: Variable,
    spatial_scale: float = 1.0,
    pooled_height: int = 1,
    pooled_width: int = 1,
    batch_roi_nums: Variable | None = None,
    name: str | None = None,
) -> Variable:
    """The exact means of interpolated windows of regions.

    Args:
        input: [N, C, H, W].
        rois: [number of regions, 4], left, top, right and bottom, with LoD or with batch_roi_nums.
        spatial_scale: what the coordinates are multiplied by.
        pooled_height, pooled_width: how many windows a region has.
        batch_roi_nums: int64 [N], how many regions each image has.
        name: the layer's name.
    Returns:
        Variable [number of regions, C, pooled_height, pooled_width].
    Raises:
        TypeError: a size is no int, or the scale no float.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 3, 16, 16]), fluid.data("r", [None, 4], lod_level=1)
        ...     fluid.layers.prroi_pool(x, rois, 1.0, 2, 2).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    if not isinstance(spatial_scale, float):
        raise type_error("spatial_scale", "float", spatial_scale, "prroi_pool")
    for argument, value in (("pooled_height", pooled_height), ("pooled_width", pooled_width)):
        if not isinstance(value, int):
            raise type_error(argument, "int", value, "prroi_pool")
    attrs: dict[str, Any] = {"spatial_scale": spatial_scale, "pooled_height": pooled_height, "pooled_width": pooled_width}
    return run("prroi_pool", input, rois, batch_roi_nums, name=name, **attrs)


@layer
def deformable_roi_pooling(
    input: Variable,
    rois: Variable,
    trans: Variable,
    no_trans: bool = False,
    spatial_scale: float = 1.0,
    group_size: Any = [1, 1],  # noqa: B006 - Paddle's own default
    pooled_height: int = 1,
    pooled_width: int = 1,
    part_size: Any = None,
    sample_per_part: int = 1,
    trans_std: float = 0.1,
    position_sensitive: bool = False,
    name: str | None = None,
) -> Variable:
    """The means of points in windows of regions, each window moved by a learned offset.

    Args:
        input: [N, C, H, W], float32 or float64.
        rois: [number of regions, 4] with LoD, left, top, right and bottom.
        trans: [number of regions, 2, height, width], the offsets.
        no_trans: leave the offsets out.
        spatial_scale: what the coordinates are multiplied by.
        group_size: how many groups of channels there are in height and width.
        pooled_height, pooled_width: how many windows a region has.
        part_size: how many offsets a region has in height and width; None: one for each window.
        sample_per_part: how many points a window has in each direction.
        trans_std: what the offsets are multiplied by.
        position_sensitive: each window from channels of its own.
        name: the layer's name.
    Returns:
        Variable [number of regions, C or C / (pooled_height pooled_width), pooled_height, pooled_width].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 3, 16, 16]), fluid.data("r", [None, 4], lod_level=1)
        ...     trans = fluid.data("t", [None, 2, 2, 2])
        ...     fluid.layers.deformable_roi_pooling(x, rois, trans, pooled_height=2, pooled_width=2).shape
        (-1, 3, 2, 2)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("deformable_psroi_pooling", name=name)
    channels = input.shape[1]
    attrs: dict[str, Any] = {
        "no_trans": no_trans, "spatial_scale": spatial_scale, "group_size": as_list(group_size, 2, "group_size"),
        "output_dim": channels // pooled_height // pooled_width if position_sensitive else channels, "pooled_height": pooled_height,
        "pooled_width": pooled_width, "sample_per_part": sample_per_part, "trans_std": trans_std,
        "part_size": [pooled_height, pooled_width] if part_size is None else as_list(part_size, 2, "part_size"),
    }  # fmt: skip
    outputs = temporaries(helper, "Output", "TopCount")
    count, out = run("deformable_psroi_pooling", input, rois, trans, helper=helper, outputs=outputs, **attrs)
    declared(count, "int32")
    return out


__all__ = [
    "adaptive_pool2d", "adaptive_pool3d", "deformable_roi_pooling", "pool2d", "pool3d", "prroi_pool", "psroi_pool", "roi_align", "roi_pool",
]  # fmt: skip
