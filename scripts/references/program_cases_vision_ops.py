# ruff: noqa: E501 - a case is a line
"""`paddle.vision.ops`: what every function and layer records, and computes."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import normal, uniform

Case = Callable[[Any], Any]
RNG = np.random.RandomState(35)
IMAGE = normal(2, 8, 10, 12)
COUNTS = np.array([1, 2], "int32")
ROIS = np.array([[1, 1, 8, 7.5], [2, 0.5, 11, 9], [0, 0, 4.2, 4.6]], "float32")
TINY = np.array([[1.2, 2.1, 1.6, 2.9], [0, 0, 4, 5], [3, 3, 3.5, 9]], "float32")
OFFSETS, MASK = RNG.uniform(-1.2, 1.2, (2, 36, 5, 5)).astype("float32"), uniform(2, 18, 5, 5)
SMALL, FILTERS, BIAS = normal(2, 4, 5, 5), normal(6, 2, 3, 3), normal(6)
GRID = normal(2, 21, 4, 4)
SIZES = np.array([[128, 100], [96, 128]], "int32")
ANCHORS = [10, 13, 16, 30, 33, 23]
OBJECTS, LABELS, WEIGHTS = RNG.uniform(0.1, 0.9, (2, 3, 4)).astype("float32"), RNG.randint(0, 2, (2, 3)).astype("int32"), uniform(2, 3)


def corners(*shape: int) -> Any:
    """Boxes."""
    start = RNG.uniform(0, 20, (*shape, 2))
    return np.concatenate([start, start + RNG.uniform(1, 15, (*shape, 2))], -1).astype("float32")


BOXES, SCORES = corners(12), uniform(12)
KINDS = RNG.randint(0, 3, 12).astype("int64")
PROPOSED = (uniform(2, 3, 4, 4), normal(2, 12, 4, 4) * np.float32(0.3), np.array([[32, 30], [20, 28]], "float32"), corners(4, 4, 3), uniform(4, 4, 3, 4))
MANY, CHANCES = corners(2, 7), RNG.uniform(0, 1, (2, 3, 7)).astype("float32")
PRIOR, TARGET, MOVES = corners(5), corners(3), normal(3, 5, 4)


def of(build: Any, *arrays: Any) -> Case:
    """Functions of fed variables; every output is fetched."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        made = [paddle.static.data(k, list(a.shape), str(a.dtype)) for k, a in feed.items()]
        return feed, list(flat(build(paddle.vision.ops, *made)))

    return case


def flat(value: Any) -> Any:
    """The parts of a nested result that are there."""
    for part in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(part, (list, tuple)):
            yield from flat(part)
        elif part is not None:
            yield part


CASES: dict[str, Case] = {
    "roi_align": of(lambda V, x, b, n: V.roi_align(x, b, n, 3), IMAGE, ROIS, COUNTS),
    "roi_align_tiny": of(lambda V, x, b, n: V.roi_align(x, b, n, 2), IMAGE, TINY, COUNTS),
    "roi_align_options": of(lambda V, x, b, n: V.roi_align(x, b, n, (2, 3), 0.5, 2, aligned=False, name="r"), IMAGE, ROIS, COUNTS),
    "roi_pool": of(lambda V, x, b, n: V.roi_pool(x, b, n, (3, 2), 0.8), IMAGE, ROIS, COUNTS),
    "psroi_pool": of(lambda V, x, b, n: V.psroi_pool(x, b, n, 2, 0.9), IMAGE, ROIS, COUNTS),
    "layers": of(
        lambda V, x, b, n: [V.RoIAlign(2, 0.5)(x, b, n), V.RoIAlign(2)(x, b, n, aligned=False), V.RoIPool((1, 2))(x, b, n)],
        IMAGE, ROIS, COUNTS,
    ),
    "PSRoIPool": of(lambda V, x, b, n: V.PSRoIPool((2, 1), 0.7)(x, b, n), IMAGE, ROIS, COUNTS),
    "deform_conv2d": of(lambda V, x, o, w: V.deform_conv2d(x, o[:, :18], w, padding=1), SMALL, OFFSETS, normal(6, 4, 3, 3)),
    "deform_conv2d_options": of(
        lambda V, x, o, w, b, m: V.deform_conv2d(x, o, w, b, 2, [3, 3], 1, 2, 2, m), SMALL, OFFSETS, FILTERS, BIAS, MASK
    ),
    "DeformConv2D": of(
        lambda V, x, o, m: [V.DeformConv2D(4, 6, 3, padding=1, deformable_groups=2)(x, o, m), V.DeformConv2D(4, 2, [3, 3], padding=1, deformable_groups=2, groups=2, bias_attr=False)(x, o)],
        SMALL, OFFSETS, MASK,
    ),
    "distribute_fpn_proposals": of(lambda V, b, n: V.distribute_fpn_proposals(b, 2, 4, 3, 10, rois_num=n), BOXES, np.array([5, 7], "int32")),
    "distribute_fpn_proposals_offset": of(lambda V, b, n: V.distribute_fpn_proposals(b, 2, 4, 3, 10, True, n), BOXES, np.array([5, 7], "int32")),
    "generate_proposals": of(lambda V, *p: V.generate_proposals(*p, 20, 6, 0.4, 2.0, return_rois_num=True), *PROPOSED),
    "generate_proposals_offset": of(lambda V, *p: V.generate_proposals(*p, 30, 8, 0.6, 4.0, 0.9, True, True), *PROPOSED),
    "generate_proposals_large": of(lambda V, *p: V.generate_proposals(*p, min_size=100.0, return_rois_num=True), *PROPOSED),
    "matrix_nms": of(lambda V, b, s: V.matrix_nms(b, s, 0.1, 0.2, 5, 6, return_index=True), MANY, CHANCES),
    "matrix_nms_gaussian": of(
        lambda V, b, s: V.matrix_nms(b, s, 0.1, 0.0, -1, -1, True, 1.5, -1, False, return_rois_num=False), MANY, CHANCES
    ),
    "nms": of(lambda V, b: V.nms(b, 0.2), BOXES),
    "nms_scores": of(lambda V, b, s: V.nms(b, 0.2, s), BOXES, SCORES),
    "nms_categories": of(lambda V, b, s, c: V.nms(b, 0.1, s, c, [0, 1, 2]), BOXES, SCORES, KINDS),
    "nms_top": of(lambda V, b, s, c: V.nms(b, 0.1, s, c, [0, 1, 2], 4), BOXES, SCORES, KINDS),
    "prior_box": of(lambda V, x, i: V.prior_box(x, i, [2.0, 4.0], [4.0, 6.0], [1.0, 2.0], flip=True, clip=True), SMALL, normal(2, 3, 20, 30)),
    "prior_box_options": of(
        lambda V, x, i: V.prior_box(x, i, 3.0, steps=[4.0, 5.0], offset=0.3, aspect_ratios=[1.5], min_max_aspect_ratios_order=True),
        SMALL, normal(2, 3, 20, 30),
    ),
    "box_coder": of(lambda V, p, t: V.box_coder(p, [0.1, 0.1, 0.2, 0.2], t), PRIOR, TARGET),
    "box_coder_variable": of(lambda V, p, v, t: V.box_coder(p, v, t, box_normalized=False), PRIOR, uniform(5, 4), TARGET),
    "box_coder_decode": of(lambda V, p, m: V.box_coder(p, [0.1, 0.1, 0.2, 0.2], m, "decode_center_size"), PRIOR, MOVES),
    "box_coder_decode_axis": of(
        lambda V, p, v, m: V.box_coder(p, v, m, "decode_center_size", False, axis=1), PRIOR[:3], uniform(3, 4), MOVES
    ),
    "yolo_box": of(lambda V, x, s: V.yolo_box(x, s, ANCHORS, 2, 0.3, 32), GRID, SIZES),
    "yolo_box_aware": of(lambda V, x, s: V.yolo_box(x, s, ANCHORS, 2, 0.3, 32, False, None, 1.2, True, 0.4), normal(2, 24, 4, 4), SIZES),
    "yolo_loss": of(lambda V, x, b, c: V.yolo_loss(x, b, c, ANCHORS, [0, 1, 2], 2, 0.7, 32), GRID, OBJECTS, LABELS),
    "yolo_loss_weights": of(
        lambda V, x, b, c, w: V.yolo_loss(x, b, c, [*ANCHORS, 59, 119], [1, 2, 3], 2, 0.5, 16, w, False, None, 1.1), GRID, OBJECTS, LABELS, WEIGHTS
    ),
}
