"""Operators on images against the wheels."""

from __future__ import annotations

import nn_replay
import pytest
import torch

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
