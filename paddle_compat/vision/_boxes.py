"""`paddle.vision.ops`: default boxes, boxes against others, and YOLO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import anchors as ops
from paddle_compat.ops import yolo
from paddle_compat.tensor._calls import check, plain, static


def _floats(value: Any) -> list[float]:
    return [float(v) for v in (value if isinstance(value, (list, tuple, np.ndarray)) else [value])]


def _need_channels(x: Any, wanted: int, api: str) -> None:
    if x.shape[1] > 0 and x.shape[1] != wanted:
        raise invalid_argument("x", f"{wanted} channels, for each anchor 5 + class_num", list(x.shape), api)


def _need_list(value: Any, name: str, api: str) -> None:
    if not isinstance(value, (list, tuple, *(() if static() else (np.ndarray,)))):
        raise type_error(name, "list or tuple", value, api)


def yolo_box(
    x: Any,
    img_size: Any,
    anchors: Sequence[int],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> Any:
    """Boxes in the images' pixels from YOLO's predictions, and the scores of every class.

    Args:
        x (Tensor): the predictions, [N, C, H, W]; C holds 5 + class_num numbers for each anchor, and one more if iou_aware.
        img_size (Tensor): height and width of each image, int32 [N, 2].
        anchors (list): width, height of each anchor.
        class_num (int): how many classes there are.
        conf_thresh (float): less probable objects give zeros.
        downsample_ratio (int): pixels of the image for each cell.
        clip_bbox (bool): whether boxes end at the image's border.
        name (str): prefix of the outputs' names.
        scale_x_y (float): how far centres may leave their cell.
        iou_aware (bool): whether x predicts the overlap, too.
        iou_aware_factor (float): the weight of that prediction.
    Returns:
        tuple: boxes [N, boxes, 4], scores [N, boxes, class_num].
    Raises:
        ValueError: the channels do not fit.
        TypeError: anchors is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> size = paddle.to_tensor([[64, 64]], "int32")
        >>> boxes, scores = paddle.vision.ops.yolo_box(paddle.rand([1, 14, 2, 2]), size, [10, 13, 16, 30], 2, 0.01, 32)
        >>> boxes.shape, scores.shape
        ([1, 8, 4], [1, 8, 2])

    Follows Paddle 2.6.
    """
    _need_list(anchors, "anchors", "yolo_box")
    check(img_size, "img_size", "yolo_box", ("int32",))
    _need_channels(x, len(anchors) // 2 * (class_num + (6 if iou_aware else 5)), "yolo_box")
    return yolo.yolo_box(
        x, img_size, anchors=[*map(int, anchors)], class_num=class_num, conf_thresh=conf_thresh, downsample_ratio=downsample_ratio,
        clip_bbox=clip_bbox, scale_x_y=scale_x_y, iou_aware=iou_aware, iou_aware_factor=iou_aware_factor,
        _helper=helper_for("yolo_box", x, name),
    )  # fmt: skip


def yolo_loss(
    x: Any,
    gt_box: Any,
    gt_label: Any,
    anchors: Sequence[int],
    anchor_mask: Sequence[int],
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Any = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Any:
    """YOLO's loss: of places, sizes and classes of objects, and of whether there is an object.

    Args:
        x (Tensor): the predictions, [N, C, H, W]; C holds 5 + class_num numbers for each anchor of anchor_mask.
        gt_box (Tensor): centre and size of the objects in shares of the image, [N, B, 4]; size 0: no object.
        gt_label (Tensor): the objects' classes, int32 [N, B].
        anchors (list): width, height of each anchor.
        anchor_mask (list): which anchors x is for.
        class_num (int): how many classes there are.
        ignore_thresh (float): a prediction that overlaps an object more than this is not blamed.
        downsample_ratio (int): pixels of the image for each cell.
        gt_score (Tensor): the weights of the objects, [N, B].
        use_label_smooth (bool): whether classes are never quite certain.
        name (str): prefix of the output's name.
        scale_x_y (float): how far centres may leave their cell.
    Returns:
        Tensor: [N].
    Raises:
        ValueError: the channels do not fit.
        TypeError: anchors or anchor_mask is no list, or class_num no int.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, labels = paddle.rand([2, 3, 4]), paddle.zeros([2, 3], "int32")
        >>> paddle.vision.ops.yolo_loss(paddle.rand([2, 14, 4, 4]), boxes, labels, [10, 13, 16, 30], [0, 1], 2, 0.7, 32).shape
        [2]

    Follows Paddle 2.6.
    """
    api = "yolo_loss"
    _need_list(anchors, "anchors", api)
    _need_list(anchor_mask, "anchor_mask", api)
    class_num = plain(class_num)
    if not isinstance(class_num, int):
        raise type_error("class_num", "int", class_num, api)
    check(gt_label, "gt_label", api, ("int32",))
    _need_channels(x, len(anchor_mask) * (5 + class_num), api)
    return yolo.yolov3_loss(
        x, gt_box, gt_label, gt_score, anchors=[*map(int, anchors)], anchor_mask=[*map(int, anchor_mask)], class_num=class_num,
        ignore_thresh=ignore_thresh, downsample_ratio=downsample_ratio, use_label_smooth=use_label_smooth, scale_x_y=scale_x_y,
        _helper=helper_for("yolov3_loss", x, name),
    )  # fmt: skip


def prior_box(
    input: Any,
    image: Any,
    min_sizes: Any,
    max_sizes: Any = None,
    aspect_ratios: Any = [1.0],  # noqa: B006
    variance: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006
    flip: bool = False,
    clip: bool = False,
    steps: Any = [0.0, 0.0],  # noqa: B006
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
    name: str | None = None,
) -> Any:
    """Boxes of some sizes and aspect ratios around the centre of every cell of a feature map (SSD).

    Args:
        input (Tensor): the feature map, [N, C, H, W].
        image (Tensor): the images, [N, C, H', W'].
        min_sizes (list|float): sizes of boxes in pixels.
        max_sizes (list|float): as many sizes more, of squares between the two.
        aspect_ratios (list|float): widths over heights.
        variance (list): the variances of the four coordinates.
        flip (bool): whether the inverse of each ratio is used, too.
        clip (bool): whether boxes end at the image's border.
        steps (list): pixels from cell to cell, across and down; 0: as the sizes say.
        offset (float): of the centres within their cells.
        min_max_aspect_ratios_order (bool): whether the squares come first.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: boxes and their variances, [H, W, boxes, 4] each.
    Raises:
        ValueError: steps are not two numbers, or max_sizes are none that lie above min_sizes.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, variances = paddle.vision.ops.prior_box(paddle.rand([1, 3, 2, 2]), paddle.rand([1, 3, 8, 8]), [2.0, 4.0])
        >>> boxes.shape, boxes[0, 0, 0].tolist()
        ([2, 2, 2, 4], [0.125, 0.125, 0.375, 0.375])

    Follows Paddle 2.6.
    """
    if not (isinstance(steps, (list, tuple)) and len(steps) == 2):
        raise invalid_argument("steps", "(step_w, step_h)", steps, "prior_box")
    largest = [] if max_sizes is None else _floats(max_sizes)
    attrs: dict[str, Any] = {
        "min_sizes": _floats(min_sizes),
        "aspect_ratios": _floats(aspect_ratios),
        "variances": _floats(variance),
        "flip": flip,
        "clip": clip,
        "step_w": float(steps[0]),
        "step_h": float(steps[1]),
        "offset": offset,
        "min_max_aspect_ratios_order": min_max_aspect_ratios_order,
    }
    if largest and largest[0] > 0:
        smallest = attrs["min_sizes"]
        if len(largest) != len(smallest) or any(most <= least for least, most in zip(smallest, largest)):
            raise invalid_argument("max_sizes", f"a size above each of min_sizes, {smallest}", max_sizes, "prior_box")
        attrs["max_sizes"] = largest
    boxes, variances = ops.prior_box(input, image, _helper=helper_for("prior_box", input, name), **attrs)
    if isinstance(boxes, Variable):
        boxes.stop_gradient = variances.stop_gradient = True
    return boxes, variances


def box_coder(
    prior_box: Any,
    prior_box_var: Any,
    target_box: Any,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    name: str | None = None,
) -> Any:
    """Boxes as offsets from prior boxes, or the other way round.

    Args:
        prior_box (Tensor): left, top, right, bottom of each prior box, [M, 4].
        prior_box_var (Tensor|list): the variances of the priors [M, 4], or four numbers for all of them.
        target_box (Tensor): boxes [N, 4] to encode, or [N, M, 4] to decode.
        code_type (str): "encode_center_size" or "decode_center_size".
        box_normalized (bool): coordinates between 0 and 1, not pixels.
        axis (int): the dimension of target_box that is not the priors', 0 or 1, for decoding.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, M, 4].
    Raises:
        TypeError: prior_box_var is neither a Tensor nor a list.
        AssertionError: it does not have four numbers.
        ValueError: there is no such code_type.

    Example:
        >>> import paddle_compat as paddle
        >>> prior, target = paddle.to_tensor([[0.0, 0.0, 2.0, 2.0]]), paddle.to_tensor([[1.0, 1.0, 3.0, 3.0]])
        >>> paddle.vision.ops.box_coder(prior, [1.0, 1.0, 1.0, 1.0], target).tolist()
        [[[0.5, 0.5, 0.0, 0.0]]]

    Follows Paddle 2.6.
    """
    api = "box_coder"
    if not isinstance(prior_box_var, (Tensor, Variable, list, tuple)):
        raise type_error("prior_box_var", "Tensor or list|tuple", prior_box_var, api)
    if code_type not in ("encode_center_size", "decode_center_size"):
        raise invalid_argument("code_type", "'encode_center_size' or 'decode_center_size'", code_type, api)
    attrs: dict[str, Any] = {"code_type": code_type, "box_normalized": box_normalized, "axis": axis}
    if isinstance(prior_box_var, (list, tuple)):
        if len(prior_box_var) != 4:
            raise failed_assertion("prior_box_var", "a Tensor or list|tuple with 4 elements", prior_box_var, api)
        attrs["variance"] = list(prior_box_var)
        prior_box_var = None
    return ops.box_coder(prior_box, prior_box_var, target_box, _helper=helper_for(api, prior_box, name), **attrs)


__all__ = ["box_coder", "prior_box", "yolo_box", "yolo_loss"]

__getattr__ = missing(__name__)
