"""Operators of detection and of sequences refuse what Paddle 2.6.2 refuses, instead of computing something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import paddle_state
import pytest

import paddle_compat as paddle

F, V = paddle.nn.functional, paddle.vision.ops


def ones(*shape: int, dtype: str = "float32") -> Any:
    return paddle.ones(list(shape), dtype)


ANCHORS = [10, 13, 16, 30]
CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "frames of volumes": (lambda: F.temporal_shift(ones(6, 4, 3), 2, 0.2), "four dimensions"),
    "labels of a tree": (lambda: F.hsigmoid_loss(ones(4, 3), ones(4, 1, dtype="int32"), 6, ones(5, 3)), "label.*int64"),
    "features of a tree": (lambda: F.hsigmoid_loss(ones(4, 3, dtype="int32"), ones(4, 1, dtype="int64"), 6, ones(5, 3)), "input.*floats"),
    "offsets of another size": (lambda: V.deform_conv2d(ones(2, 8, 8, 8), ones(2, 18, 8, 8), ones(6, 8, 3, 3)), r"offset.*\[6, 6\]"),
    "sizes of images": (lambda: V.yolo_box(ones(2, 18, 5, 5), ones(2, 3, dtype="int32"), ANCHORS, 4, 0.3, 32), r"img_size.*\[2, 2\]"),
    "sizes of other images": (lambda: V.yolo_box(ones(2, 18, 5, 5), ones(1, 2, dtype="int32"), ANCHORS, 4, 0.3, 32), "img_size"),
    "sizes that are no int32": (lambda: V.yolo_box(ones(2, 18, 5, 5), ones(2, 2), ANCHORS, 4, 0.3, 32), "img_size.*int32"),
    "a grid that is no square": (
        lambda: V.yolo_loss(ones(2, 18, 5, 6), ones(2, 3, 4), ones(2, 3, dtype="int32"), ANCHORS, [0, 1], 4, 0.5, 32), "rows as columns",
    ),
    "labels of boxes": (
        lambda: V.yolo_loss(ones(2, 18, 5, 5), ones(2, 3, 4), ones(2, 3, dtype="int64"), ANCHORS, [0, 1], 4, 0.5, 32), "gt_label.*int32",
    ),
    "scores of other boxes": (
        lambda: V.yolo_loss(ones(2, 18, 5, 5), ones(2, 3, 4), ones(2, 3, dtype="int32"), ANCHORS, [0, 1], 4, 0.5, 32, ones(2, 4)),
        "gt_score",
    ),
    "scores of fewer boxes": (lambda: V.matrix_nms(ones(2, 12, 4), ones(2, 4, 5), 0.2, 0.1, 8, 10), "scores"),
    "transitions of another type": (
        lambda: paddle.text.viterbi_decode(ones(3, 5, 4), ones(4, 4, dtype="float64"), paddle.to_tensor([5, 3, 1])),
        "data type of potentials",
    ),
    "labels of a transducer": (
        lambda: F.rnnt_loss(ones(2, 4, 3, 5), ones(2, 2, dtype="int64"), *(paddle.full([2], n, "int32") for n in (4, 2))), "label.*int32",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str) -> None:
    call, message = CASES[name]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_batch_that_one_input_knows_is_that_of_the_others() -> None:
    with paddle_state.fresh_state():
        paddle.enable_static()
        x, offset = paddle.static.data("x", [None, 4, 8, 8]), paddle.static.data("offset", [2, 18, 8, 8])
        assert V.deform_conv2d(x, offset, paddle.static.data("weight", [6, 4, 3, 3]), padding=1).shape == (2, 6, 8, 8)
        labels, nodes = paddle.static.data("labels", [4, 1], "int64"), paddle.static.data("nodes", [5, 3])
        assert F.hsigmoid_loss(paddle.static.data("features", [None, 3]), labels, 6, nodes).shape == (4, 1)
        with pytest.raises(ValueError, match="cannot take these inputs"):
            F.hsigmoid_loss(paddle.static.data("wide", [None, 7]), labels, 6, nodes)


def test_what_is_known_of_recorded_sequences_and_boxes() -> None:
    with paddle_state.fresh_state():
        paddle.enable_static()
        tags = paddle.text.viterbi_decode(
            paddle.static.data("potentials", [None, 5, 4]), paddle.static.data("tags", [4, 4]), paddle.static.data("lengths", [3], "int64")
        )
        assert [each.shape for each in tags] == [(3,), ()]
        boxes, scores = paddle.static.data("boxes", [20, 4]), paddle.static.data("scores", [20])
        with pytest.raises(AssertionError, match="at most the 20 boxes"):
            V.nms(boxes, 0.3, scores, paddle.static.data("kinds", [20], "int64"), [0, 1], top_k=21)
