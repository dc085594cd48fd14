"""`fluid.layers.detection`: quadrangles straightened, and masks to learn."""

from __future__ import annotations

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer, run


@layer
def roi_perspective_transform(
    input: Variable,
    rois: Variable,
    transformed_height: int,
    transformed_width: int,
    spatial_scale: float = 1.0,
    name: str | None = None,
) -> tuple[Variable, Variable, Variable]:
    """Quadrangles of images straightened to rectangles.

    Args:
        input: [N, C, H, W], float32.
        rois: the quadrangles' corners [regions, 8] with LoD, float32.
        transformed_height, transformed_width: size of the result.
        spatial_scale: what the coordinates are multiplied by.
        name: the layer's name.
    Returns:
        The rectangles [regions, C, height, width], int32 which pixels are there, and the matrices [regions, 9].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, rois = fluid.data("x", [None, 3, 28, 28]), fluid.data("r", [None, 8], lod_level=1)
        ...     out, mask, matrix = fluid.layers.roi_perspective_transform(x, rois, 7, 7)
        ...     out.shape, mask.shape, matrix.shape
        ((-1, 3, 7, 7), (-1, 1, 7, 7), (-1, 9))

    Follows Paddle 1.8.
    """
    helper = LayerHelper("roi_perspective_transform", name=name)
    return run(
        "roi_perspective_transform", input, rois, helper=helper, transformed_height=transformed_height,
        transformed_width=transformed_width, spatial_scale=spatial_scale,
    )  # fmt: skip


@layer
def generate_mask_labels(
    im_info: Variable,
    gt_classes: Variable,
    is_crowd: Variable,
    gt_segms: Variable,
    rois: Variable,
    labels_int32: Variable,
    num_classes: int,
    resolution: int,
) -> tuple[Variable, Variable, Variable]:
    """What the regions of Mask R-CNN learn.

    Args:
        im_info: height, width and scale of each image, [N, 3].
        gt_classes: int32 [objects, 1] with LoD.
        is_crowd: int32 [objects, 1] with LoD, 1 for crowds.
        gt_segms: the outlines' points [points, 2] with LoD of three levels: objects of images, polygons of objects, points.
        rois: [regions, 4] with LoD.
        labels_int32: the regions' classes, int32 [regions, 1] with LoD.
        num_classes: how many classes, the background included.
        resolution: height and width of a mask.
    Returns:
        The regions with a mask, int32 which of all they are, and int32 their masks for every class, all with LoD.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     info, rois = fluid.data("i", [None, 3]), fluid.data("r", [None, 4], lod_level=1)
        ...     gt, crowd, label = (fluid.data(n, [None, 1], "int32", lod_level=1) for n in "gcl")
        ...     segms = fluid.data("s", [None, 2], lod_level=3)
        ...     found = fluid.layers.generate_mask_labels(info, gt, crowd, segms, rois, label, 81, 14)

    Follows Paddle 1.8.
    """
    return run(
        "generate_mask_labels", im_info, gt_classes, is_crowd, gt_segms, rois, labels_int32, stop=True, num_classes=num_classes,
        resolution=resolution,
    )  # fmt: skip


__all__ = ["generate_mask_labels", "roi_perspective_transform"]
