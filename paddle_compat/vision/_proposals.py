"""`paddle.vision.ops`: proposals, and of many boxes over one object only the best."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import nms as ops
from paddle_compat.ops import pyramid

# the top-level functions (`paddle.argsort`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


def distribute_fpn_proposals(
    fpn_rois: Any,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = False,
    rois_num: Any = None,
    name: str | None = None,
) -> Any:
    """Every region to the level of a feature pyramid that fits its size.

    Args:
        fpn_rois (Tensor): the regions of all images, [regions, 4].
        min_level (int): the lowest level.
        max_level (int): the highest level.
        refer_level (int): the level of regions of size refer_scale.
        refer_scale (int): the size of regions of that level.
        pixel_offset (bool): whether both borders belong to a region.
        rois_num (Tensor): how many regions lie in each image, int32 [N].
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the regions of every level, where each one of fpn_rois then stands [regions, 1], how many of every level lie in each image.
    Raises:
        AssertionError: the levels do not ascend from above 0, or rois_num is None in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> rois = paddle.to_tensor([[0.0, 0.0, 10.0, 10.0], [0.0, 0.0, 300.0, 300.0]])
        >>> found = paddle.vision.ops.distribute_fpn_proposals(rois, 2, 5, 4, 224, rois_num=paddle.to_tensor([2], "int32"))
        >>> [level.shape[0] for level in found[0]]
        [1, 0, 1, 0]

    Follows Paddle 2.6.
    """
    api = "distribute_fpn_proposals"
    if not (min_level > 0 and max_level > 0):
        raise failed_assertion("min_level, max_level", "numbers above 0", (min_level, max_level), api)
    if not max_level > min_level:
        raise failed_assertion("max_level", "a number above min_level", max_level, api)
    eager = mode.in_dygraph_mode()
    if eager and rois_num is None:
        raise failed_assertion("rois_num", "a Tensor in eager mode", rois_num, api)
    found, place, counts = pyramid.distribute_fpn_proposals(
        fpn_rois, rois_num, min_level=min_level, max_level=max_level, refer_level=refer_level, refer_scale=refer_scale,
        pixel_offset=pixel_offset, _helper=helper_for(api, fpn_rois, name),
        _outputs={"MultiLevelRoIsNum": None} if rois_num is None else None,
    )  # fmt: skip
    return found, place, counts


def generate_proposals(
    scores: Any,
    bbox_deltas: Any,
    img_size: Any,
    anchors: Any,
    variances: Any,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = False,
    return_rois_num: bool = False,
    name: str | None = None,
) -> Any:
    """The best boxes that anchors, moved by the predicted deltas, make.

    Args:
        scores (Tensor): of every anchor being an object, [N, A, H, W].
        bbox_deltas (Tensor): how the anchors move, [N, 4 A, H, W].
        img_size (Tensor): height and width of each image, [N, 2].
        anchors (Tensor): [H, W, A, 4].
        variances (Tensor): of the anchors, [H, W, A, 4].
        pre_nms_top_n (int): how many boxes of an image are looked at.
        post_nms_top_n (int): how many boxes of an image are kept.
        nms_thresh (float): more overlap than this is too much.
        min_size (float): smaller boxes are dropped.
        eta (float): nms_thresh is multiplied by it with every box kept.
        pixel_offset (bool): whether both borders belong to a box.
        return_rois_num (bool): whether the boxes of each image are counted; eager mode wants it.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: boxes [found, 4], their scores [found, 1], and how many lie in each image [N] (None if return_rois_num is False).
    Raises:
        AssertionError: return_rois_num is False in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> anchors, ones = paddle.to_tensor([0.0, 0.0, 8.0, 8.0]).tile([2, 2, 1, 1]), paddle.ones([2, 2, 1, 4])
        >>> size = paddle.to_tensor([[32.0, 32.0]])
        >>> found = paddle.vision.ops.generate_proposals(
        ...     paddle.rand([1, 1, 2, 2]), paddle.zeros([1, 4, 2, 2]), size, anchors, ones, return_rois_num=True)
        >>> found[0].tolist(), found[2].tolist()
        ([[0.0, 0.0, 8.0, 8.0]], [1])

    Follows Paddle 2.6.
    """
    api = "generate_proposals"
    if mode.in_dygraph_mode() and not return_rois_num:
        raise failed_assertion("return_rois_num", "True in eager mode", return_rois_num, api)
    rois, chances, counts = ops.generate_proposals_v2(
        scores, bbox_deltas, img_size, anchors, variances, pre_nms_topN=pre_nms_top_n, post_nms_topN=post_nms_top_n,
        nms_thresh=nms_thresh, min_size=min_size, eta=eta, pixel_offset=pixel_offset,
        _helper=helper_for("generate_proposals_v2", scores, name), _outputs=None if return_rois_num else {"RpnRoisNum": None},
    )  # fmt: skip
    if isinstance(rois, Variable):
        rois.stop_gradient = chances.stop_gradient = True
        if return_rois_num:
            counts.stop_gradient = True
    return rois, chances, counts


def matrix_nms(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
    return_index: bool = False,
    return_rois_num: bool = True,
    name: str | None = None,
) -> Any:
    """Boxes whose scores, which fall with the overlap of better boxes of their class, stay high enough.

    Args:
        bboxes (Tensor): [N, M, 4].
        scores (Tensor): [N, classes, M].
        score_threshold (float): boxes with lower scores are not looked at.
        post_threshold (float): what a fallen score must be above.
        nms_top_k (int): how many boxes of a class are looked at; -1: all.
        keep_top_k (int): how many boxes of an image are kept; -1: all.
        use_gaussian (bool): whether scores fall along a bell curve.
        gaussian_sigma (float): of that curve.
        background_label (int): the class that does not count; -1: none.
        normalized (bool): coordinates between 0 and 1, not pixels.
        return_index (bool): whether to say which boxes were found.
        return_rois_num (bool): whether to count those of each image.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: class, score and box of each [found, 6], the counts [N] or None, the boxes' numbers [found, 1] or None.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, scores = paddle.to_tensor([[[0.0, 0.0, 1.0, 1.0]]]), paddle.to_tensor([[[0.1], [0.5]]])
        >>> out, count, index = paddle.vision.ops.matrix_nms(boxes, scores, 0.1, 0.0, 10, 10)
        >>> out.tolist(), count.tolist(), index
        ([[1.0, 0.5, 0.0, 0.0, 1.0, 1.0]], [1], None)

    Follows Paddle 2.6.
    """
    out, index, counts = ops.matrix_nms(
        bboxes, scores, score_threshold=score_threshold, post_threshold=post_threshold, nms_top_k=nms_top_k,
        keep_top_k=keep_top_k, use_gaussian=use_gaussian, gaussian_sigma=gaussian_sigma, background_label=background_label,
        normalized=normalized, _helper=helper_for("matrix_nms", bboxes, name),
        _outputs=None if return_rois_num else {"RoisNum": None},
    )  # fmt: skip
    if isinstance(out, Variable):
        out.stop_gradient = True
    return out, counts if return_rois_num else None, index if return_index else None


def nms(
    boxes: Any,
    iou_threshold: float = 0.3,
    scores: Any = None,
    category_idxs: Any = None,
    categories: Sequence[int] | None = None,
    top_k: int | None = None,
) -> Any:
    """The numbers of those boxes that no better one overlaps too much.

    Args:
        boxes (Tensor): left, top, right, bottom of each, [N, 4].
        iou_threshold (float): more overlap (intersection over union) than this is too much.
        scores (Tensor): how good each box is, [N]; None: the first is the best.
        category_idxs (Tensor): the category of each box, [N]; boxes of other categories do not matter to a box.
        categories (list): all the categories.
        top_k (int): of boxes with categories, how many are kept; None: all.
    Returns:
        Tensor: int64, by score; without scores, in order.
    Raises:
        AssertionError: categories are missing, or top_k is more than there are boxes.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes = paddle.to_tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0]])
        >>> paddle.vision.ops.nms(boxes, 0.5, paddle.to_tensor([0.1, 0.2, 0.3])).tolist()
        [2, 1]

    Follows Paddle 2.6.
    """

    def kept(candidates: Any) -> Any:
        return ops.nms(candidates, iou_threshold=iou_threshold, _helper=helper_for("nms", candidates))

    if scores is None:
        return kept(boxes)
    if category_idxs is None:
        order = paddle.argsort(scores, descending=True)
        return order[kept(boxes[order])]
    if categories is None:
        raise failed_assertion("categories", "the list of all categories, as there are category_idxs", None, "nms")
    if top_k is not None and -1 < scores.shape[0] < top_k:
        raise failed_assertion("top_k", f"at most the {scores.shape[0]} boxes", top_k, "nms")
    mask = paddle.zeros_like(scores, dtype="int32")
    for category in categories:
        own = paddle.where(paddle.equal(category_idxs, paddle.to_tensor(category)))[0].reshape([-1])
        if own.shape[0] == 0:
            continue
        own_boxes, own_scores = boxes[own], scores[own]
        order = paddle.argsort(own_scores, descending=True)
        best = order[kept(own_boxes[order])]
        updates = paddle.ones_like(own[best], dtype="int32")
        mask = paddle.scatter(mask, own[best], updates, overwrite=True)
    found = paddle.where(mask)[0].reshape([-1])
    found = found[paddle.argsort(scores[found], descending=True)]
    return found if top_k is None else found[:top_k]


__all__ = ["distribute_fpn_proposals", "generate_proposals", "matrix_nms", "nms"]

__getattr__ = missing(__name__)
