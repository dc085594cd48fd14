"""Operators on images against the wheels."""

from __future__ import annotations

import nn_replay
import paddle_state
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core.op import find_op


@nn_replay.cases("vision")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("vision", version, name, rtol=5e-5, atol=1e-5)


@pytest.mark.parametrize("factor", [2.0, 3.0, 5.0])
def test_whole_scales_take_the_pixels_that_the_scale_points_at(factor: float) -> None:
    op = find_op("nearest_interp_v2")
    assert op is not None
    x = torch.arange(77.0).reshape(1, 1, 7, 11)
    out = op.fn(x, out_h=-1, out_w=-1, scale=[factor, factor], interp_method="nearest", align_corners=False)
    rows, columns = ((torch.arange(n * int(factor)) * (1 / factor)).long() for n in (7, 11))
    assert torch.equal(out[0, 0], x[0, 0][rows][:, columns])


@pytest.mark.parametrize(("align_corners", "expected"), [(True, [0.0, 1.0, 3.0, 0.0]), (False, [1.0, 2.0, 3.0, 0.0])])
def test_a_point_beside_a_volume_has_no_nearest_pixel(align_corners: bool, expected: list[float]) -> None:
    op = find_op("grid_sampler")
    assert op is not None
    x = torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)
    places = [-1.01, -0.9, 0.9, 1.2] if align_corners else [-0.6, 0.1, 0.6, 0.7]
    grid = torch.tensor([[place, 0.0, 0.0] for place in places]).reshape(1, 1, 1, 4, 3)
    out = op.fn(x, grid, mode="nearest", padding_mode="zeros", align_corners=align_corners)
    assert out.flatten().tolist() == expected
    assert 0 not in op.fn(x, grid, mode="nearest", padding_mode="border", align_corners=align_corners)


# what 2.6.2 gives for the gradient of an affine map that moves nothing, and at points on and beside the image's edges
EDGES = {
    (True, "border"): ([-237.0, -73.0, -87.0, -41.5, -211.5, -92.5], [8.0, 4.0, 8.0, 4.0], [8.0, -4.0, 0.0, 0.0, 0.0, 0.0, -4.0, 14.0]),
    (True, "reflection"): (
        [-237.0, -73.0, -87.0, -41.5, -211.5, -92.5], [8.0, 8.0, 6.25, 4.0], [8.0, -4.0, 8.0, 4.0, -6.25, -3.5, -4.0, 14.0],
    ),
    (False, "border"): ([-204.0, -78.0, -180.0, -55.333336, -211.5, -185.0], [8.0, 4.0, 8.0, 4.0], [0.0] * 8),
    (False, "reflection"): (
        [-204.0, -78.0, -180.0, -55.333336, -211.5, -185.0], [8.0, 8.0, 8.0, 4.0], [0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("align_corners", "padding_mode"), EDGES)
def test_points_on_the_edge_of_an_image_have_gradients(align_corners: bool, padding_mode: str) -> None:
    expected, values, slopes = EDGES[align_corners, padding_mode]
    x = paddle.to_tensor([[[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]]])
    theta = paddle.to_tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]], stop_gradient=False)
    grid = paddle.nn.functional.affine_grid(theta, [1, 1, 2, 3], align_corners)
    out = paddle.nn.functional.grid_sample(x, grid, "bilinear", padding_mode, align_corners)
    (out.flatten() * paddle.arange(1, 7, dtype="float32")).sum().backward()
    assert theta.grad.flatten().tolist() == pytest.approx(expected)
    points = paddle.to_tensor([[[[-1.0, 1.0], [3.0, -3.0], [-5.0, 1.5], [1.0, -1.0]]]], stop_gradient=False)
    out = paddle.nn.functional.grid_sample(x, points, "bilinear", padding_mode, align_corners)
    assert out.flatten().tolist() == pytest.approx(values)
    out.sum().backward()
    assert points.grad.flatten().tolist() == pytest.approx(slopes)


def test_a_recorded_sample_has_as_many_images_as_x() -> None:
    with paddle_state.fresh_state():
        paddle.enable_static()
        x, grid = paddle.static.data("x", [None, 3, 4, 5]), paddle.static.data("grid", [1, 2, 6, 2])
        assert paddle.nn.functional.grid_sample(x, grid).shape == (-1, 3, 2, 6)
        with pytest.raises(ValueError, match=r"\[N, H, W, 2\]"):
            paddle.nn.functional.grid_sample(x, paddle.static.data("wide", [1, 2, 6, 3]))
