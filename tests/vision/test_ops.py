"""`paddle.vision.ops`: what it refuses, layers' texts, and files of images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.vision import ops

X = np.random.RandomState(0).rand(2, 8, 6, 6).astype("float32")
BOXES = np.array([[1, 1, 5, 5], [0, 0, 3, 4]], "float32")


def tensor(value: Any, dtype: str = "float32") -> paddle.Tensor:
    return paddle.to_tensor(np.asarray(value), dtype)


def regions(function: Any, counts: Any = (1, 1), size: Any = 2, dtype: str = "int32") -> Any:
    return function(tensor(X), tensor(BOXES), None if counts is None else tensor(counts, dtype), size)


# the kinds are the wheel's, but where its process ends (too few regions) or the numbers are read wrongly
REFUSED = {
    "size": (lambda: regions(ops.roi_align, size="a"), ValueError, "output_size"),
    "no counts": (lambda: regions(ops.roi_pool, None), AssertionError, "boxes_num"),
    "floats": (lambda: regions(ops.roi_align, dtype="float32"), ValueError, "boxes_num"),
    "images": (lambda: regions(ops.roi_align, (1, 1, 0)), ValueError, "each of the 2 images"),
    "too few": (lambda: regions(ops.roi_align, (1, 0)), ValueError, "the 1 regions that the images count. Received: 2"),
    "list": (lambda: ops.roi_align(tensor(X), BOXES.tolist(), tensor([1, 1], "int32"), 2), ValueError, "boxes"),
    "channels": (lambda: regions(ops.psroi_pool, size=3), ValueError, "3 x 3 windows"),
    "no window": (lambda: regions(ops.psroi_pool, size=0), ValueError, "output_size"),
    "one image": (lambda: ops.psroi_pool(tensor(X[0]), tensor(BOXES), tensor([1, 1], "int32"), 2), AssertionError, "N, C, H, W"),
    "offsets": (lambda: ops.deform_conv2d(tensor(X), paddle.rand([2, 16, 4, 4]), paddle.rand([4, 8, 3, 3])), ValueError, "16 channels"),
    "offset groups": (
        lambda: ops.deform_conv2d(tensor(X), paddle.rand([2, 36, 4, 4]), paddle.rand([3, 8, 3, 3]), deformable_groups=2),
        ValueError,
        "2\\) filters. Received: 3",
    ),
    "groups": (lambda: ops.DeformConv2D(7, 4, 3, groups=2), ValueError, "7 input channels"),
    "filters": (lambda: ops.DeformConv2D(8, 4, 3, weight_attr=False), AssertionError, "weight_attr"),
    "levels": (lambda: ops.distribute_fpn_proposals(tensor(BOXES), 0, 5, 4, 224), AssertionError, "min_level"),
    "order": (lambda: ops.distribute_fpn_proposals(tensor(BOXES), 6, 5, 4, 224), AssertionError, "max_level"),
    "fpn": (lambda: ops.distribute_fpn_proposals(tensor(BOXES), 2, 5, 4, 224), AssertionError, "rois_num"),
    "proposals": (lambda: ops.generate_proposals(*[tensor(BOXES)] * 5), AssertionError, "return_rois_num"),
    "boxes": (lambda: ops.nms(tensor([[1, 2, 3, 4, 5]])), ValueError, r"\(N, 4\)"),
    "categories": (lambda: ops.nms(tensor(BOXES), 0.1, tensor([0.1, 0.9]), tensor([0, 1], "int64")), AssertionError, "categories"),
    "top": (lambda: ops.nms(tensor(BOXES), 0.1, tensor([0.1, 0.9]), tensor([0, 1], "int64"), [0], 5), AssertionError, "top_k"),
    "steps": (lambda: ops.prior_box(tensor(X), tensor(X), 2.0, steps=[1.0]), ValueError, "steps"),
    "sizes": (lambda: ops.prior_box(tensor(X), tensor(X), [8.0], [4.0]), ValueError, "max_sizes"),
    "numbers of sizes": (lambda: ops.prior_box(tensor(X), tensor(X), [2.0, 3.0], [4.0]), ValueError, "max_sizes"),
    "variance": (lambda: ops.box_coder(tensor(BOXES), None, tensor(BOXES)), TypeError, "prior_box_var"),
    "variances": (lambda: ops.box_coder(tensor(BOXES), [0.1, 0.1, 0.2], tensor(BOXES)), AssertionError, "4 elements"),
    "yolo": (lambda: ops.yolo_box(paddle.rand([1, 21, 2, 2]), tensor([[8, 8]], "int32"), [1, 2], 2, 0.1, 4), ValueError, "7 channels"),
    "anchors": (lambda: ops.yolo_box(tensor(X), tensor([[8, 8]], "int32"), 3, 3, 0.1, 4), ValueError, "anchors"),
    "mask": (lambda: ops.yolo_loss(tensor(X), tensor(X), tensor(X), [1, 2], 3, 2, 0.7, 4), ValueError, "anchor_mask"),
    "file": (lambda: ops.read_file("no such file"), RuntimeError, "no such file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        call()


def test_texts() -> None:
    layers = [ops.RoIAlign(2), ops.RoIPool(2), ops.PSRoIPool(2), ops.DeformConv2D(8, 4, 3)]
    assert [str(layer) for layer in layers] == ["RoIAlign()", "RoIPool(output_size=2, spatial_scale=1.0)", "PSRoIPool()", "DeformConv2D()"]


# 2.6.2's: the result, and the sums of the gradients of image, filter, offsets and mask
SMALL_IMAGES = {
    (1, 1): ([-0.055932], [-0.130975, 0.42192, 1.120321, 0.003511]),
    (2, 2): ([-0.087376, -0.181954, -0.208504, -0.115739], [-6.006626, -0.624754, -4.6827, -1.005924]),
    (2, 3): ([0.113678, -0.5596, -1.194449, -0.390192, -0.213921, -0.678212], [1.418338, 2.455329, -1.450364, 5.591523]),
    (1, 4): ([0.385118, 0.401575, -0.001249, -0.273475], [-2.887941, -0.202825, -2.040148, 0.124785]),
}


def test_windows_that_are_all_empty_have_a_gradient() -> None:
    x = paddle.ones([1, 1, 4, 4])
    x.stop_gradient = False
    out = ops.roi_pool(x, tensor([[9, 9, 10, 10]]), tensor([1], "int32"), 2)
    out.sum().backward()
    assert out.flatten().tolist() == [0.0] * 4 and x.grad.shape == [1, 1, 4, 4] and float(x.grad.abs().sum()) == 0.0


def test_regions_that_are_no_numbers_are_of_the_lowest_level() -> None:
    nothing, endless = [np.nan] * 4, [0, 0, np.inf, np.inf]
    boxes = tensor([[0, 0, 10, 10], nothing, [0, 0, 300, 300], endless, [0, 0, 900, 900], nothing])
    levels, places, counts = ops.distribute_fpn_proposals(boxes, 2, 5, 4, 224, rois_num=tensor([2, 4], "int32"))
    assert [len(level) for level in levels] == [4, 0, 1, 1] and places.flatten().tolist() == [0, 1, 4, 2, 5, 3]
    assert [count.tolist() for count in counts] == [[2, 2], [0, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize(("gaussian", "last"), [(False, 0.083333), (True, 0.124676)])
def test_points_in_one_place_take_nothing_from_one_another(gaussian: bool, last: float) -> None:
    point, scores = [1, 1, 1, 1], np.linspace(0.9, 0.5, 6, dtype="float32")
    boxes = tensor([[[2, 2, 5, 5], point, point, [2, 2, 5, 4], point, [2, 2, 5, 4.5]]])
    found, _, numbers = ops.matrix_nms(boxes, tensor([[scores] * 2]), 0.1, 0.05, 100, 50, gaussian, return_index=True)
    assert numbers.flatten().tolist() == [0, 1, 2, 4, 3, 5]
    assert found[:, 1].tolist()[:4] == pytest.approx([0.9, 0.82, 0.74, 0.58])
    assert float(found[5, 1]) == pytest.approx(last, rel=1e-5)


def test_many_boxes_fall_as_few_do() -> None:
    generator = np.random.RandomState(0)
    corners = generator.rand(1, 150, 2) * 20
    boxes = tensor(np.concatenate([corners, corners + 1 + generator.rand(1, 150, 2) * 9], 2), "float64")
    scores = np.sort(generator.rand(150))[::-1]
    found = ops.matrix_nms(boxes, tensor([[scores] * 2], "float64"), 0.0, 0.0, -1, -1)[0].numpy()
    left, top, right, bottom = boxes[0].numpy().T
    width = np.minimum(right, right[:, None]) - np.maximum(left, left[:, None])
    common = width.clip(0) * (np.minimum(bottom, bottom[:, None]) - np.maximum(top, top[:, None])).clip(0)
    area = (right - left) * (bottom - top)
    shared = np.tril(common / (area + area[:, None] - common), -1)
    decay = [min([1, *((1 - shared[i, :i]) / (1 - shared[:i].max(1)))]) for i in range(150)]
    np.testing.assert_allclose(found[:, 1], np.sort(scores * decay)[::-1], rtol=1e-9)


@pytest.mark.parametrize("size", SMALL_IMAGES)
def test_deformable_convolution_of_images_smaller_than_the_filter(size: tuple[int, int]) -> None:
    def waves(channels: int, pitch: float, scale: float = 1.0, size: tuple[int, int] = size) -> paddle.Tensor:
        shape = (1, channels, *size)
        made = tensor(np.sin(np.arange(np.prod(shape)) * pitch).reshape(shape) * scale)
        made.stop_gradient = False
        return made

    inputs = waves(2, 1.0), waves(2, 0.7, size=(3, 3)), waves(18, 1.3, 0.7), waves(9, 0.3)
    image, weight, offset, mask = inputs
    out = ops.deform_conv2d(image, offset, weight, None, 1, 1, 1, 1, 1, mask)
    out.sum().backward()
    expected, sums = SMALL_IMAGES[size]
    np.testing.assert_allclose(out.numpy().ravel(), expected, atol=3e-6)
    np.testing.assert_allclose([float(x.grad.sum()) for x in inputs], sums, atol=2e-5)


def test_files(tmp_path: Path) -> None:
    reader = pytest.importorskip("PIL.Image")
    pixels = np.add.outer(np.arange(8) * 9, np.arange(10) * 12).astype("uint8")
    path = str(tmp_path / "image.jpg")
    reader.fromarray(pixels).convert("RGB").save(path, quality=98)
    content = ops.read_file(path)
    assert content.dtype == paddle.uint8 and bytes(content.numpy()) == (tmp_path / "image.jpg").read_bytes()
    for mode, channels in (("unchanged", 3), ("gray", 1), ("rgb", 3)):
        found = ops.decode_jpeg(content, mode)
        assert found.shape == [channels, 8, 10] and abs(found[0].numpy().astype("int32") - pixels).max() < 6
    with pytest.raises(ValueError, match="'unchanged', 'gray' or 'rgb'"):
        ops.decode_jpeg(content, "cmyk")


def test_proposals_of_a_program_are_plain_tensors() -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            shapes = {"s": [2, 1, 2, 2], "d": [2, 4, 2, 2], "i": [2, 2], "a": [2, 2, 1, 4]}
            scores, deltas, sizes, anchors = (paddle.static.data(name, shape) for name, shape in shapes.items())
            rois = [v for v in ops.generate_proposals(scores, deltas, sizes, anchors, anchors, return_rois_num=True) if v is not None]
            feed = {"s": np.ones(shapes["s"]), "d": np.zeros(shapes["d"]), "i": np.full([2, 2], 20)}
            feed["a"] = np.tile([1, 1, 9, 9], [2, 2, 1, 1])
            fed = {name: value.astype("float32") for name, value in feed.items()}
            assert [list(v.shape) for v in paddle.static.Executor().run(feed=fed, fetch_list=rois)] == [[2, 4], [2, 1], [2]]
    finally:
        paddle.disable_static()
