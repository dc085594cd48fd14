"""Operators of object detection as a script for Paddle 2.6 in eager mode.

    python -m paddle_compat benchmarks/workloads/eager_detection.py nms_1000 roi_align_gradient

Paddle 2.6's own wheel runs it too. One line of JSON for each operator: the least and the median milliseconds of process CPU, and
the mean sizes of the result and of the gradient of its sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import paddle
from paddle.vision import ops

random = np.random.RandomState(0)
SECONDS = 0.5
CLASSES, ANCHORS, SIDE = 80, 9, 38


def numbers(*shape: int, learns: bool = False) -> Any:
    """Numbers between 0 and 1."""
    return paddle.to_tensor(random.rand(*shape).astype("float32"), stop_gradient=not learns)


def boxes(count: int) -> Any:
    """Boxes of 10 to 110 pixels in an image of 500."""
    corners = random.rand(count, 4).astype("float32") * 400
    corners[:, 2:] = corners[:, :2] + 10 + corners[:, 2:] / 4
    return paddle.to_tensor(corners)


def whole(*values: int) -> Any:
    """Counts or sizes."""
    return paddle.to_tensor(np.array(values, "int32"))


def suppressed(count: int) -> Callable[[], Any]:
    """Non-maximum suppression of so many boxes."""
    found, scores = boxes(count), numbers(count)
    return lambda: ops.nms(found, 0.5, scores)


def proposals() -> Callable[[], Any]:
    """1000 proposals out of 6000."""
    places = SIDE * SIDE * ANCHORS
    scores, moves = numbers(1, ANCHORS, SIDE, SIDE), numbers(1, 4 * ANCHORS, SIDE, SIDE) * 0.2
    anchors, size = boxes(places).reshape([SIDE, SIDE, ANCHORS, 4]), paddle.to_tensor([[600.0, 600.0]])
    ones = paddle.ones([SIDE, SIDE, ANCHORS, 4])
    return lambda: ops.generate_proposals(scores, moves, size, anchors, ones, 6000, 1000, 0.7, return_rois_num=True)[0]


def pooled(function: Callable[..., Any], channels: int = 64, gradient: bool = False, **options: Any) -> Callable[[], Any]:
    """512 regions of two images, 7 x 7 windows each."""
    images, regions, counts = numbers(2, channels, 50, 50, learns=gradient), boxes(512), whole(256, 256)
    return learning(lambda: function(images, regions, counts, 7, 0.125, **options), images)


def learning(forward: Callable[[], Any], source: Any) -> Callable[[], Any]:
    """A function, with the gradient of its sum by `source` where that learns."""

    def step() -> Any:
        out = forward()
        if source.stop_gradient:
            return out
        source.clear_grad()
        out.sum().backward()
        return out, source.grad

    return step


def yolo(gradient: bool = False) -> Callable[[], Any]:
    """The loss of four images with 20 objects each."""
    x, objects = numbers(4, 3 * (5 + CLASSES), 13, 13, learns=gradient), numbers(4, 20, 4) * 0.5 + 0.1
    labels = whole(*range(80)).reshape([4, 20])
    anchors = [10, 13, 16, 30, 33, 23, 30, 61, 62, 45, 59, 119, 116, 90, 156, 198, 373, 326]
    return learning(lambda: ops.yolo_loss(x, objects, labels, anchors, [6, 7, 8], CLASSES, 0.7, 32), x)


def matrix() -> Callable[[], Any]:
    """Matrix suppression of 1000 boxes of 80 classes."""
    found, scores = boxes(1000).unsqueeze(0), numbers(1, CLASSES, 1000) ** 4
    return lambda: ops.matrix_nms(found, scores, 0.05, 0.01, 400, 100)[0]


OPERATORS: dict[str, Callable[[], Callable[[], Any]]] = {
    "nms_100": lambda: suppressed(100),
    "nms_1000": lambda: suppressed(1000),
    "nms_4000": lambda: suppressed(4000),
    "generate_proposals": proposals,
    "matrix_nms": matrix,
    "roi_align": lambda: pooled(ops.roi_align),
    "roi_align_gradient": lambda: pooled(ops.roi_align, gradient=True),
    "roi_align_of_two_points": lambda: pooled(ops.roi_align, sampling_ratio=2),
    "roi_pool": lambda: pooled(ops.roi_pool),
    "roi_pool_gradient": lambda: pooled(ops.roi_pool, gradient=True),
    "psroi_pool": lambda: pooled(ops.psroi_pool, 49 * 8),
    "psroi_pool_gradient": lambda: pooled(ops.psroi_pool, 49 * 8, True),
    "yolo_loss": yolo,
    "yolo_loss_gradient": lambda: yolo(True),
}


def measure(name: str, steps: int) -> dict[str, Any]:
    """Figures of one operator."""
    random.seed(0)
    figures, value = harness.repeated(OPERATORS[name](), steps, SECONDS, 200)
    found = value if isinstance(value, tuple) else (value,)
    sizes = [float(np.abs(each.numpy().astype("float64")).mean()) for each in found]
    return {**figures, "size": sizes[0], "grads": sizes[1:]}


if __name__ == "__main__":
    harness.operators(paddle.__version__, list(OPERATORS), measure, 5)
