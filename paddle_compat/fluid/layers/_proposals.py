"""`fluid.layers.detection`: proposals, what they learn, and the best of them."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers import nn
from paddle_compat.fluid.layers._record import declared, layer, run, temporaries


def _stopped(*values: Variable) -> None:
    for value in values:
        value.stop_gradient = True


@layer
def multiclass_nms(
    bboxes: Variable,
    scores: Variable,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
    name: str | None = None,
) -> Variable:
    """Class by class the best of boxes that overlap.

    Args:
        bboxes: [N, boxes, 4] or, with LoD, [boxes, classes, 4].
        scores: [N, classes, boxes] or, with LoD, [boxes, classes].
        score_threshold: what a score must be above.
        nms_top_k: how many boxes of a class are looked at; -1: all.
        keep_top_k: how many boxes of an image are kept; -1: all.
        nms_threshold: more overlap than this is too much.
        normalized: coordinates between 0 and 1, not pixels.
        nms_eta: the threshold is multiplied by it with every box kept.
        background_label: the class that does not count; -1: none.
        name: the layer's name.
    Returns:
        Variable [found, 6] with LoD: class, score and box; a single -1 when nothing is found.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores = fluid.data("b", [None, 81, 4], lod_level=1), fluid.data("s", [None, 81], lod_level=1)
        ...     fluid.layers.multiclass_nms(boxes, scores, 0.5, nms_top_k=400, keep_top_k=200).shape
        (-1, 6)

    Follows Paddle 1.8.
    """
    return run(
        "multiclass_nms", bboxes, scores, name=name, stop=True, background_label=background_label, score_threshold=score_threshold,
        nms_top_k=nms_top_k, nms_threshold=nms_threshold, keep_top_k=keep_top_k, nms_eta=nms_eta, normalized=normalized,
    )  # fmt: skip


@layer
def locality_aware_nms(
    bboxes: Variable,
    scores: Variable,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = -1,
    name: str | None = None,
) -> Variable:
    """As multiclass_nms, after neighbouring boxes that overlap were merged by their scores.

    Args:
        bboxes: [N, boxes, 4].
        scores: [N, 1, boxes].
        score_threshold, nms_top_k, keep_top_k, nms_threshold, normalized, nms_eta, background_label: as in multiclass_nms.
        name: the layer's name.
    Returns:
        Variable [found, 6] with LoD: class, score and box; a single -1 when nothing is found.
    Raises:
        AssertionError: there are several classes.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores = fluid.data("b", [None, 81, 4]), fluid.data("s", [None, 1, 81])
        ...     fluid.layers.locality_aware_nms(boxes, scores, 0.5, nms_top_k=400, keep_top_k=200).shape
        (81, 6)

    Follows Paddle 1.8.
    """
    if scores.shape[1] != 1:
        raise AssertionError(
            "Invalid shape of argument `scores` of `locality_aware_nms`. Expected one class. "
            f"Received: {list(scores.shape)}"
        )
    return run(
        "locality_aware_nms", bboxes, scores, name=name, stop=True, background_label=background_label,
        score_threshold=score_threshold, nms_top_k=nms_top_k, nms_threshold=nms_threshold, nms_eta=nms_eta, keep_top_k=keep_top_k,
        normalized=normalized,
    )  # fmt: skip


@layer
def matrix_nms(
    bboxes: Variable,
    scores: Variable,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
    return_index: bool = False,
    name: str | None = None,
) -> Any:
    """Boxes whose scores, lowered by the overlap of better boxes, are still high enough.

    Args:
        bboxes: [N, boxes, 4].
        scores: [N, classes, boxes].
        score_threshold: what a score must be above.
        post_threshold: what the lowered score must be above.
        nms_top_k: how many boxes of a class are looked at; -1: all.
        keep_top_k: how many boxes of an image are kept; -1: all.
        use_gaussian, gaussian_sigma: how the overlap lowers a score.
        background_label: the class that does not count; -1: none.
        normalized: coordinates between 0 and 1, not pixels.
        return_index: which boxes these are, too.
        name: the layer's name.
    Returns:
        Variable [found, 6] with LoD: class, score and box; with return_index a pair with the numbers [found, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores = fluid.data("b", [None, 81, 4]), fluid.data("s", [None, 3, 81])
        ...     fluid.layers.matrix_nms(boxes, scores, 0.5, 0.1, nms_top_k=400, keep_top_k=200).shape
        (81, 6)

    Follows Paddle 1.8.
    """
    found = run(
        "matrix_nms", bboxes, scores, name=name, background_label=background_label, score_threshold=score_threshold,
        post_threshold=post_threshold, nms_top_k=nms_top_k, gaussian_sigma=gaussian_sigma, use_gaussian=use_gaussian,
        keep_top_k=keep_top_k, normalized=normalized,
    )  # fmt: skip
    _stopped(found[0])
    declared(found[1], "int64")
    return (found[0], found[1]) if return_index else found[0]


def detection_output(
    loc: Variable,
    scores: Variable,
    prior_box: Variable,
    prior_box_var: Variable,
    background_label: int = 0,
    nms_threshold: float = 0.3,
    nms_top_k: int = 400,
    keep_top_k: int = 200,
    score_threshold: float = 0.01,
    nms_eta: float = 1.0,
    return_index: bool = False,
) -> Any:
    """The output of SSD: boxes decoded, scores through softmax, and the best of them.

    Args:
        loc: offsets [N, boxes, 4].
        scores: [N, boxes, classes], before softmax.
        prior_box, prior_box_var: default boxes and their variances [boxes, 4].
        background_label, nms_threshold, nms_top_k, keep_top_k, score_threshold, nms_eta: as in multiclass_nms.
        return_index: which boxes these are, too.
    Returns:
        Variable [found, 6] with LoD: class, score and box; with return_index a pair with the numbers [found, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     p, v = fluid.data("p", [10, 4]), fluid.data("v", [10, 4])
        ...     loc, scores = fluid.data("l", [None, 10, 4]), fluid.data("s", [None, 10, 21])
        ...     fluid.layers.detection_output(loc, scores, p, v).shape
        (10, 6)

    Follows Paddle 1.8.
    """
    from paddle_compat.fluid.layers._boxes import box_coder

    helper = LayerHelper("detection_output")
    boxes = box_coder(prior_box, prior_box_var, loc, code_type="decode_center_size")
    chances = nn.transpose(nn.softmax(scores), perm=[0, 2, 1])
    _stopped(chances)
    attrs: dict[str, Any] = {
        "background_label": background_label, "nms_threshold": nms_threshold, "nms_top_k": nms_top_k, "keep_top_k": keep_top_k,
        "score_threshold": score_threshold, "nms_eta": nms_eta, "normalized": True,
    }  # fmt: skip
    if not return_index:
        return run("multiclass_nms", boxes, chances, helper=helper, stop=True, **attrs)
    found, index = run("multiclass_nms2", boxes, chances, helper=helper, stop=True, **attrs)
    return found, declared(index, "int64")


@layer
def retinanet_detection_output(
    bboxes: list[Variable],
    scores: list[Variable],
    anchors: list[Variable],
    im_info: Variable,
    score_threshold: float = 0.05,
    nms_top_k: int = 1000,
    keep_top_k: int = 100,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
) -> Variable:
    """The output of RetinaNet: the best boxes of all levels of a feature pyramid.

    Args:
        bboxes: offsets [N, boxes, 4] of each level.
        scores: [N, boxes, classes] of each level.
        anchors: [boxes, 4] of each level.
        im_info: height, width and scale of each image, [N, 3].
        score_threshold, nms_top_k, keep_top_k, nms_threshold, nms_eta: as in multiclass_nms.
    Returns:
        Variable [found, 6] with LoD: class, score and box; a single -1 when nothing is found.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores, anchors = fluid.data("b", [1, 21, 4]), fluid.data("s", [1, 21, 10]), fluid.data("a", [21, 4])
        ...     fluid.layers.retinanet_detection_output([boxes], [scores], [anchors], fluid.data("i", [1, 3])).shape
        (21, 6)

    Follows Paddle 1.8.
    """
    return run(
        "retinanet_detection_output", list(bboxes), list(scores), list(anchors), im_info, stop=True, score_threshold=score_threshold,
        nms_top_k=nms_top_k, nms_threshold=nms_threshold, keep_top_k=keep_top_k, nms_eta=nms_eta,
    )  # fmt: skip


@layer
def generate_proposals(
    scores: Variable,
    bbox_deltas: Variable,
    im_info: Variable,
    anchors: Variable,
    variances: Variable,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    name: str | None = None,
    return_rois_num: bool = False,
) -> tuple[Variable, ...]:
    """The proposals of Faster R-CNN: anchors moved by the predicted offsets, and the best of them.

    Args:
        scores: [N, anchors, H, W], float32.
        bbox_deltas: [N, 4 anchors, H, W].
        im_info: height, width and scale of each image, [N, 3].
        anchors, variances: [H, W, anchors, 4].
        pre_nms_top_n, post_nms_top_n: how many boxes are looked at, and kept.
        nms_thresh: more overlap than this is too much.
        min_size: smaller boxes are left out.
        eta: the threshold is multiplied by it with every box kept.
        name: the layer's name.
        return_rois_num: how many proposals each image has, too.
    Returns:
        Boxes [found, 4] and scores [found, 1] with LoD; with return_rois_num also int64 [N].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     s, d, i = fluid.data("s", [None, 4, 5, 5]), fluid.data("d", [None, 16, 5, 5]), fluid.data("i", [None, 3])
        ...     a, v = fluid.data("a", [5, 5, 4, 4]), fluid.data("v", [5, 5, 4, 4])
        ...     boxes, probabilities = fluid.layers.generate_proposals(s, d, i, a, v)
        ...     boxes.shape, probabilities.shape
        ((-1, 4), (-1, 1))

    Follows Paddle 1.8.
    """
    rois, chances, number = run(
        "generate_proposals", scores, bbox_deltas, im_info, anchors, variances, name=name, stop=True, pre_nms_topN=pre_nms_top_n,
        post_nms_topN=post_nms_top_n, nms_thresh=nms_thresh, min_size=min_size, eta=eta,
    )[:3]  # fmt: skip
    declared(number, "int32")
    return (rois, chances, number) if return_rois_num else (rois, chances)


@layer
def distribute_fpn_proposals(
    fpn_rois: Variable, min_level: int, max_level: int, refer_level: int, refer_scale: int, name: str | None = None, rois_num: Any = None
) -> tuple[Any, ...]:
    """Every region to the level of a feature pyramid that fits its size.

    Args:
        fpn_rois: [regions, 4] with LoD.
        min_level, max_level: the levels.
        refer_level, refer_scale: regions of this size belong to this level.
        name: the layer's name.
        rois_num: int32, how many regions each image has, as in Paddle 2; they need no LoD then.
    Returns:
        The regions of each level, and int32 [regions, 1] where each one then stands; with rois_num also how many each level has.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     levels, index = fluid.layers.distribute_fpn_proposals(fluid.data("r", [None, 4], lod_level=1), 2, 5, 4, 224)
        ...     len(levels)
        4

    Follows Paddle 1.8.
    """
    found = run(
        "distribute_fpn_proposals", fpn_rois, rois_num, name=name, min_level=min_level, max_level=max_level, refer_level=refer_level,
        refer_scale=refer_scale,
    )  # fmt: skip
    return (found[0], found[1]) if rois_num is None else (found[0], found[1], found[2])


@layer
def collect_fpn_proposals(
    multi_rois: list[Variable], multi_scores: list[Variable], min_level: int, max_level: int, post_nms_top_n: int, name: str | None = None,
    rois_num_per_level: Any = None,
) -> Any:  # fmt: skip
    """The best regions of all levels of a feature pyramid.

    Args:
        multi_rois: [regions, 4] with LoD, of each level.
        multi_scores: [regions, 1], of each level.
        min_level, max_level: the levels.
        post_nms_top_n: how many are kept.
        name: the layer's name.
        rois_num_per_level: int32, how many regions each image has, of each level, as in Paddle 2.
    Returns:
        Variable [regions, 4] with LoD; with rois_num_per_level also how many each image has.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     rois = [fluid.data(f"r{i}", [None, 4], lod_level=1) for i in range(2)]
        ...     scores = [fluid.data(f"s{i}", [None, 1], lod_level=1) for i in range(2)]
        ...     fluid.layers.collect_fpn_proposals(rois, scores, 2, 3, 2000).shape
        (2000, 4)

    Follows Paddle 1.8.
    """
    count = max_level - min_level + 1
    numbers = None if rois_num_per_level is None else list(rois_num_per_level[:count])
    found = run("collect_fpn_proposals", multi_rois[:count], multi_scores[:count], numbers, name=name, post_nms_topN=post_nms_top_n)
    _stopped(found[0])
    return found[0] if numbers is None else (found[0], found[1])


@layer
def rpn_target_assign(
    bbox_pred: Variable,
    cls_logits: Variable,
    anchor_box: Variable,
    anchor_var: Variable,
    gt_boxes: Variable,
    is_crowd: Variable,
    im_info: Variable,
    rpn_batch_size_per_im: int = 256,
    rpn_straddle_thresh: float = 0.0,
    rpn_fg_fraction: float = 0.5,
    rpn_positive_overlap: float = 0.7,
    rpn_negative_overlap: float = 0.3,
    use_random: bool = True,
) -> tuple[Variable, ...]:
    """What the anchors of a region proposal network learn.

    Args:
        bbox_pred: predicted offsets [N, anchors, 4].
        cls_logits: predicted scores [N, anchors, 1].
        anchor_box, anchor_var: [anchors, 4].
        gt_boxes: the objects [objects, 4] with LoD.
        is_crowd: int32 [objects, 1] with LoD, 1 for crowds.
        im_info: height, width and scale of each image, [N, 3].
        rpn_batch_size_per_im: how many anchors of an image learn.
        rpn_straddle_thresh: how far anchors may stand over the border; negative: as they like.
        rpn_fg_fraction: the share of anchors that learn objects.
        rpn_positive_overlap, rpn_negative_overlap: from which overlap an anchor shows an object, below which none.
        use_random: choose by chance; else the first ones.
    Returns:
        Scores and offsets of the anchors that learn, their labels, target offsets, and the weights of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     p, c = fluid.data("p", [None, 12, 4]), fluid.data("c", [None, 12, 1])
        ...     a, v, i = fluid.data("a", [12, 4]), fluid.data("v", [12, 4]), fluid.data("i", [None, 3])
        ...     gt, crowd = fluid.data("g", [None, 4], lod_level=1), fluid.data("w", [None, 1], "int32", lod_level=1)
        ...     found = fluid.layers.rpn_target_assign(p, c, a, v, gt, crowd, i)

    Follows Paddle 1.8.
    """
    located, scored, target, label, weight = run(
        "rpn_target_assign", anchor_box, gt_boxes, is_crowd, im_info, helper=(helper := LayerHelper("rpn_target_assign")),
        outputs=temporaries(helper, "LocationIndex", "ScoreIndex", "TargetLabel", "TargetBBox", "BBoxInsideWeight"), stop=True,
        rpn_batch_size_per_im=rpn_batch_size_per_im, rpn_straddle_thresh=rpn_straddle_thresh,
        rpn_positive_overlap=rpn_positive_overlap, rpn_negative_overlap=rpn_negative_overlap, rpn_fg_fraction=rpn_fg_fraction,
        use_random=use_random,
    )  # fmt: skip
    logits, offsets = nn.reshape(cls_logits, shape=(-1, 1)), nn.reshape(bbox_pred, shape=(-1, 4))
    return nn.gather(logits, scored), nn.gather(offsets, located), label, target, weight


@layer
def retinanet_target_assign(
    bbox_pred: Variable,
    cls_logits: Variable,
    anchor_box: Variable,
    anchor_var: Variable,
    gt_boxes: Variable,
    gt_labels: Variable,
    is_crowd: Variable,
    im_info: Variable,
    num_classes: int = 1,
    positive_overlap: float = 0.5,
    negative_overlap: float = 0.4,
) -> tuple[Variable, ...]:
    """What the anchors of RetinaNet learn.

    Args:
        bbox_pred: predicted offsets [N, anchors, 4].
        cls_logits: predicted scores [N, anchors, classes].
        anchor_box, anchor_var: [anchors, 4].
        gt_boxes: the objects [objects, 4] with LoD.
        gt_labels: their classes, int32 [objects, 1] with LoD.
        is_crowd: int32 [objects, 1] with LoD, 1 for crowds.
        im_info: height, width and scale of each image, [N, 3].
        num_classes: how many classes.
        positive_overlap, negative_overlap: from which overlap an anchor shows an object, below which none.
    Returns:
        Scores and offsets of the anchors that learn, their classes, target offsets, the weights of these, and int32 [N, 1] one more
        than the anchors with objects.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     p, c = fluid.data("p", [None, 12, 4]), fluid.data("c", [None, 12, 10])
        ...     a, v, i = fluid.data("a", [12, 4]), fluid.data("v", [12, 4]), fluid.data("i", [None, 3])
        ...     gt, label = fluid.data("g", [None, 4], lod_level=1), fluid.data("l", [None, 1], "int32", lod_level=1)
        ...     crowd = fluid.data("w", [None, 1], "int32", lod_level=1)
        ...     found = fluid.layers.retinanet_target_assign(p, c, a, v, gt, label, crowd, i, 10)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("retinanet_target_assign")
    slots = ("LocationIndex", "ScoreIndex", "TargetLabel", "TargetBBox", "BBoxInsideWeight", "ForegroundNumber")
    located, scored, target, label, weight, number = run(
        "retinanet_target_assign", anchor_box, gt_boxes, gt_labels, is_crowd, im_info, helper=helper,
        outputs=temporaries(helper, *slots), stop=True, positive_overlap=positive_overlap, negative_overlap=negative_overlap,
    )  # fmt: skip
    logits, offsets = nn.reshape(cls_logits, shape=(-1, num_classes)), nn.reshape(bbox_pred, shape=(-1, 4))
    return nn.gather(logits, scored), nn.gather(offsets, located), label, target, weight, number


@layer
def generate_proposal_labels(
    rpn_rois: Variable,
    gt_classes: Variable,
    is_crowd: Variable,
    gt_boxes: Variable,
    im_info: Variable,
    batch_size_per_im: int = 256,
    fg_fraction: float = 0.25,
    fg_thresh: float = 0.25,
    bg_thresh_hi: float = 0.5,
    bg_thresh_lo: float = 0.0,
    bbox_reg_weights: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006 - Paddle's own default
    class_nums: int | None = None,
    use_random: bool = True,
    is_cls_agnostic: bool = False,
    is_cascade_rcnn: bool = False,
) -> tuple[Variable, ...]:
    """What the proposals of Faster R-CNN learn.

    Args:
        rpn_rois: the proposals [regions, 4] with LoD.
        gt_classes: int32 [objects, 1] with LoD.
        is_crowd: int32 [objects, 1] with LoD, 1 for crowds.
        gt_boxes: [objects, 4] with LoD.
        im_info: height, width and scale of each image, [N, 3].
        batch_size_per_im: how many proposals of an image learn.
        fg_fraction: the share of them that learn objects.
        fg_thresh: from which overlap a proposal shows an object.
        bg_thresh_hi, bg_thresh_lo: between which overlaps it shows the background.
        bbox_reg_weights: what the offsets are divided by.
        class_nums: how many classes, the background included.
        use_random: choose by chance; else the first ones.
        is_cls_agnostic: one box for all classes.
        is_cascade_rcnn: all proposals learn, and objects are no proposals.
    Returns:
        Regions, classes, target offsets for every class, and their inside and outside weights, all with LoD.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     rois, gt = fluid.data("r", [None, 4], lod_level=1), fluid.data("g", [None, 4], lod_level=1)
        ...     label, crowd = (fluid.data(n, [None, 1], "int32", lod_level=1) for n in "lw")
        ...     found = fluid.layers.generate_proposal_labels(rois, label, crowd, gt, fluid.data("i", [None, 3]), class_nums=10)

    Follows Paddle 1.8.
    """
    found = run(
        "generate_proposal_labels", rpn_rois, gt_classes, is_crowd, gt_boxes, im_info, stop=True, batch_size_per_im=batch_size_per_im,
        fg_fraction=fg_fraction, fg_thresh=fg_thresh, bg_thresh_hi=bg_thresh_hi, bg_thresh_lo=bg_thresh_lo,
        bbox_reg_weights=bbox_reg_weights, class_nums=class_nums, use_random=use_random, is_cls_agnostic=is_cls_agnostic,
        is_cascade_rcnn=is_cascade_rcnn,
    )  # fmt: skip
    return tuple(found[:5])


__all__ = [
    "collect_fpn_proposals", "detection_output", "distribute_fpn_proposals", "generate_proposal_labels", "generate_proposals",
    "locality_aware_nms", "matrix_nms", "multiclass_nms", "retinanet_detection_output", "retinanet_target_assign", "rpn_target_assign",
]  # fmt: skip
