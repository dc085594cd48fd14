"""`fluid.layers.detection`: YOLO, SSD's loss, and the focal loss."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers import nn
from paddle_compat.fluid.layers._boxes import box_coder, iou_similarity
from paddle_compat.fluid.layers._filling import cast
from paddle_compat.fluid.layers._record import is_variable, layer, run, temporaries
from paddle_compat.fluid.layers.loss import softmax_with_cross_entropy


@layer
def yolo_box(
    x: Variable,
    img_size: Variable,
    anchors: list[int],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> tuple[Variable, Variable]:
    """The boxes and scores that YOLO predicts.

    Args:
        x: predictions [N, anchors (5 + classes), H, W].
        img_size: int32 [N, 2], heights and widths.
        anchors: widths and heights.
        class_num: how many classes.
        conf_thresh: below it there is no object.
        downsample_ratio: how much smaller the feature map is than the network's input.
        clip_bbox: keep boxes inside the image.
        name: the layer's name.
        scale_x_y: how far centres may reach beyond their cell.
    Returns:
        Boxes [N, boxes, 4] and scores [N, boxes, classes].
    Raises:
        TypeError: an argument has a wrong type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, size = fluid.data("x", [None, 255, 13, 13]), fluid.data("s", [None, 2], "int32")
        ...     boxes, scores = fluid.layers.yolo_box(x, size, [10, 13, 16, 30, 33, 23], 80, 0.01, 32)
        ...     boxes.shape, scores.shape
        ((-1, 507, 4), (-1, 507, 80))

    Follows Paddle 1.8.
    """
    if not isinstance(anchors, (list, tuple)):
        raise type_error("anchors", "list or tuple", anchors, "yolo_box")
    if not isinstance(class_num, int):
        raise type_error("class_num", "int", class_num, "yolo_box")
    if not isinstance(conf_thresh, float):
        raise type_error("conf_thresh", "float", conf_thresh, "yolo_box")
    return run(
        "yolo_box", x, img_size, name=name, anchors=list(anchors), class_num=class_num, conf_thresh=conf_thresh,
        downsample_ratio=downsample_ratio, clip_bbox=clip_bbox, scale_x_y=scale_x_y,
    )  # fmt: skip


@layer
def yolov3_loss(
    x: Variable,
    gt_box: Variable,
    gt_label: Variable,
    anchors: list[int],
    anchor_mask: list[int],
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Variable | None = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Variable:
    """The loss of YOLO's predictions.

    Args:
        x: predictions [N, mask (5 + classes), H, W].
        gt_box: objects [N, objects, 4] as centre and size, between 0 and 1.
        gt_label: int32 [N, objects].
        anchors: widths and heights of all anchors.
        anchor_mask: which anchors this feature map has.
        class_num: how many classes.
        ignore_thresh: predictions that overlap an object more than this do not count.
        downsample_ratio: how much smaller the feature map is than the network's input.
        gt_score: [N, objects], the objects' weights.
        use_label_smooth: smooth the labels.
        name: the layer's name.
        scale_x_y: how far centres may reach beyond their cell.
    Returns:
        Variable [N].
    Raises:
        TypeError: an argument has a wrong type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, box = fluid.data("x", [None, 255, 13, 13]), fluid.data("b", [None, 6, 4])
        ...     label, anchors = fluid.data("l", [None, 6], "int32"), [10, 13, 16, 30, 33, 23]
        ...     fluid.layers.yolov3_loss(x, box, label, anchors, [0, 1, 2], 80, 0.7, 32).shape
        (-1,)

    Follows Paddle 1.8.
    """
    for argument, value in (("anchors", anchors), ("anchor_mask", anchor_mask)):
        if not isinstance(value, (list, tuple)):
            raise type_error(argument, "list or tuple", value, "yolov3_loss")
    if not isinstance(class_num, int):
        raise type_error("class_num", "int", class_num, "yolov3_loss")
    if not isinstance(ignore_thresh, float):
        raise type_error("ignore_thresh", "float", ignore_thresh, "yolov3_loss")
    if not isinstance(use_label_smooth, bool):
        raise type_error("use_label_smooth", "bool", use_label_smooth, "yolov3_loss")
    if gt_score is not None and not is_variable(gt_score):
        raise type_error("gt_score", "a Variable", gt_score, "yolov3_loss")
    helper = LayerHelper("yolov3_loss", name=name)
    return run(
        "yolov3_loss", x, gt_box, gt_label, gt_score, helper=helper, outputs=temporaries(helper, "Loss", "ObjectnessMask", "GTMatchMask"),
        anchors=list(anchors), anchor_mask=list(anchor_mask), class_num=class_num, ignore_thresh=ignore_thresh,
        downsample_ratio=downsample_ratio, use_label_smooth=use_label_smooth, scale_x_y=scale_x_y,
    )  # fmt: skip


@layer
def sigmoid_focal_loss(x: Variable, label: Variable, fg_num: Variable, gamma: float = 2.0, alpha: float = 0.25) -> Variable:
    """Cross entropy of sigmoids, in which what is predicted well counts little.

    Args:
        x: [N, classes], float32 or float64.
        label: int32 [N, 1]; 0 is the background, -1 does not count.
        fg_num: int32 [1], what the loss is divided by.
        gamma: how little.
        alpha: the weight of objects against the background.
    Returns:
        Variable [N, classes].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, label, count = fluid.data("x", [10, 80]), fluid.data("l", [10, 1], "int32"), fluid.data("n", [1], "int32")
        ...     fluid.layers.sigmoid_focal_loss(x, label, count).shape
        (10, 80)

    Follows Paddle 1.8.
    """
    return run("sigmoid_focal_loss", x, label, fg_num, gamma=gamma, alpha=alpha)


@layer
def bipartite_match(
    dist_matrix: Variable, match_type: str | None = None, dist_threshold: float | None = None, name: str | None = None
) -> tuple[Variable, Variable]:
    """Pairs of rows and columns, the nearest first, each used once.

    Args:
        dist_matrix: [rows, columns], the higher the nearer; with LoD the rows of each image.
        match_type: "bipartite", or "per_prediction": columns left over get their nearest row.
        dist_threshold: if it is nearer than this; None: 0.5.
        name: the layer's name.
    Returns:
        int32 [N, columns] the row of each column (-1: none), and how near it is.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     rows, near = fluid.layers.bipartite_match(fluid.data("d", [None, 8], lod_level=1))
        ...     rows.shape, near.shape
        ((-1, 8), (-1, 8))

    Follows Paddle 1.8.
    """
    return run("bipartite_match", dist_matrix, name=name, match_type=match_type, dist_threshold=dist_threshold)


def target_assign(
    input: Variable, matched_indices: Variable, negative_indices: Variable | None = None, mismatch_value: Any = None,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """What every default box is to learn.

    Args:
        input: [objects, P, K] with LoD, what matched boxes learn.
        matched_indices: int32 [N, boxes], the object of each box (-1: none).
        negative_indices: int32 [boxes, 1] with LoD, boxes that learn `mismatch_value`.
        mismatch_value: what the others get; None: 0.
        name: the layer's name.
    Returns:
        The targets [N, boxes, K], and their weights [N, boxes, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, matched = fluid.data("x", [None, 20, 4], lod_level=1), fluid.data("m", [None, 20], "int32")
        ...     target, weight = fluid.layers.target_assign(x, matched, mismatch_value=0)
        ...     target.shape, weight.shape
        ((-1, 20, 4), (-1, 20, 1))

    Follows Paddle 1.8.
    """
    return run("target_assign", input, matched_indices, negative_indices, name=name, mismatch_value=mismatch_value or 0)


def ssd_loss(
    location: Variable,
    confidence: Variable,
    gt_box: Variable,
    gt_label: Variable,
    prior_box: Variable,
    prior_box_var: Any = None,
    background_label: int = 0,
    overlap_threshold: float = 0.5,
    neg_pos_ratio: float = 3.0,
    neg_overlap: float = 0.5,
    loc_loss_weight: float = 1.0,
    conf_loss_weight: float = 1.0,
    match_type: str = "per_prediction",
    mining_type: str = "max_negative",
    normalize: bool = True,
    sample_size: int | None = None,
) -> Variable:
    """The loss of SSD: of offsets and classes of the default boxes that match objects, and of the hardest that match none.

    Args:
        location: predicted offsets [N, boxes, 4].
        confidence: predicted scores [N, boxes, classes].
        gt_box: objects [objects, 4] with LoD.
        gt_label: int32 [objects, 1] with LoD.
        prior_box, prior_box_var: default boxes and their variances [boxes, 4].
        background_label: the background's class.
        overlap_threshold: from which overlap a box shows an object.
        neg_pos_ratio: how many boxes of the background learn for each box of an object.
        neg_overlap: below which overlap a box shows the background.
        loc_loss_weight, conf_loss_weight: weights of the two losses.
        match_type: as in bipartite_match.
        mining_type: "max_negative".
        normalize: divide by the number of boxes of objects.
        sample_size: kept.
    Returns:
        Variable [N, 1].
    Raises:
        ValueError: mining_type is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     p, v = fluid.data("p", [10, 4]), fluid.data("v", [10, 4])
        ...     loc, scores = fluid.data("l", [None, 10, 4]), fluid.data("s", [None, 10, 21])
        ...     box, label = fluid.data("b", [None, 4], lod_level=1), fluid.data("k", [None, 1], "int32", lod_level=1)
        ...     fluid.layers.ssd_loss(loc, scores, box, label, p, v).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("ssd_loss")
    if mining_type != "max_negative":
        raise ValueError(f"Invalid value for argument `mining_type` of `ssd_loss`. Expected 'max_negative'. Received: {mining_type!r}")
    sizes = nn.shape(confidence)
    matched, near = bipartite_match(iou_similarity(gt_box, prior_box), match_type, overlap_threshold)
    labels = nn.reshape(gt_label, shape=(len(gt_label.shape) - 1) * (0,) + (-1, 1))
    labels.stop_gradient = True
    target, _ = target_assign(labels, matched, mismatch_value=background_label)
    scores = nn.flatten(confidence, axis=2)
    target = nn.flatten(cast(target, "int64"), axis=2)
    target.stop_gradient = True
    score_loss = softmax_with_cross_entropy(scores, target)
    both = nn.slice(sizes, axes=[0], starts=[0], ends=[2])
    both.stop_gradient = True
    score_loss = nn.reshape(score_loss, shape=(-1, 0), actual_shape=both)
    score_loss.stop_gradient = True
    outputs: Any = temporaries(helper, "NegIndices", "UpdatedMatchIndices")
    negative, updated = run(
        "mine_hard_examples", score_loss, None, matched, near, helper=helper, outputs=outputs, neg_pos_ratio=neg_pos_ratio,
        neg_dist_threshold=neg_overlap, mining_type=mining_type, sample_size=sample_size,
    )  # fmt: skip
    offsets = box_coder(prior_box, prior_box_var, gt_box, code_type="encode_center_size")
    goal, goal_weight = target_assign(offsets, updated, mismatch_value=background_label)
    target, target_weight = target_assign(labels, updated, negative_indices=negative, mismatch_value=background_label)
    target = cast(nn.flatten(target, axis=2), "int64")
    target.stop_gradient = True
    score_loss = softmax_with_cross_entropy(scores, target)
    target_weight = nn.flatten(target_weight, axis=2)
    target_weight.stop_gradient = True
    score_loss = score_loss * target_weight
    location, goal = nn.flatten(location, axis=2), nn.flatten(goal, axis=2)
    goal.stop_gradient = True
    place_loss = nn.smooth_l1(location, goal)
    goal_weight = nn.flatten(goal_weight, axis=2)
    goal_weight.stop_gradient = True
    place_loss = place_loss * goal_weight
    loss = nn.reshape(conf_loss_weight * score_loss + loc_loss_weight * place_loss, shape=(-1, 0), actual_shape=both)
    loss = nn.reduce_sum(loss, dim=1, keep_dim=True)
    return loss / nn.reduce_sum(goal_weight) if normalize else loss


__all__ = ["bipartite_match", "sigmoid_focal_loss", "ssd_loss", "target_assign", "yolo_box", "yolov3_loss"]
