"""Pooling against the wheels."""

from __future__ import annotations

from typing import Any

import nn_replay
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import paddle_compat as paddle
from paddle_compat.ops.pool import max_pool2d_with_index, pool2d


@nn_replay.cases("pool")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("pool", version, name)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("size", [(33, 32), (32, 32)])
@pytest.mark.parametrize("window", [(2, 2, 0), (3, 2, 1), (3, 1, 1)])
def test_large_images_as_small_ones(dtype: torch.dtype, window: tuple[int, int, int], size: tuple[int, int]) -> None:
    """Larger images are pooled with their channels last: the same elements, also of equal ones and NaN, and the same gradients."""
    kernel, stride, padding = ([n, n] for n in window)
    values = torch.from_numpy(np.random.RandomState(0).randint(-3, 3, (4, 20, *size))).to(dtype)
    values.view(-1)[::97] = torch.nan
    values.view(-1)[::101] = -torch.inf
    x, like = values.clone().requires_grad_(), values.clone().requires_grad_()
    out = pool2d.fn(x, pooling_type="max", ksize=kernel, strides=stride, paddings=padding)
    expected, positions = F.max_pool2d(like, kernel, stride, padding, return_indices=True)
    assert "ChannelsLast" in out.grad_fn.name() and out.is_contiguous()
    assert torch.equal(out.isnan(), expected.isnan()) and torch.equal(out.nan_to_num(), expected.nan_to_num())
    assert torch.equal(max_pool2d_with_index.fn(x, ksize=kernel, strides=stride, paddings=padding)[1], positions.int())
    weights = torch.arange(out.numel(), dtype=dtype).reshape(out.shape).requires_grad_()
    grads = [torch.autograd.grad(y, z, weights, create_graph=True)[0] for y, z in ((out, x), (expected, like))]
    assert torch.equal(*grads) and grads[0].is_contiguous()
    second = [torch.autograd.grad(grad, weights, values.nan_to_num(1, 1, 1))[0] for grad in grads]
    assert torch.equal(*second)


# as Paddle 3.3.1 has them; 2.6.2 refuses those without windows, and its largest of padding alone is the lowest number
EMPTY_SIDES: list[tuple[str, list[int], tuple[Any, ...], list[int], float | None]] = [
    ("max_pool2d", [2, 3, 0, 4], (2,), [2, 3, 0, 2], None),
    ("avg_pool2d", [2, 3, 4, 0], (3, 2), [2, 3, 1, 0], None),
    ("avg_pool2d", [1, 2, 0, 4], (2, 1, 1), [1, 2, 1, 5], np.nan),
    ("max_pool2d", [1, 2, 0, 4], (2, 1, 1), [1, 2, 1, 5], np.finfo("float32").min),
    ("avg_pool2d", [1, 2, 0, 4], (2, 2, 0, True), [1, 2, 1, 2], np.nan),
    ("max_pool2d", [2, 3, 4, 0], (2, 2, "SAME"), [2, 3, 2, 0], None),
    ("adaptive_max_pool2d", [2, 3, 0, 0], (2,), [2, 3, 2, 2], np.nan),
    ("adaptive_avg_pool2d", [2, 3, 0, 4], (2,), [2, 3, 2, 2], np.nan),
    ("adaptive_avg_pool3d", [2, 3, 0, 2, 2], (2,), [2, 3, 2, 2, 2], np.nan),
    ("avg_pool1d", [2, 3, 0], (2,), [2, 3, 0], None),
    ("adaptive_max_pool1d", [2, 3, 0], (2,), [2, 3, 2], np.nan),
]


@pytest.mark.parametrize("name, shape, window, pooled, filled", EMPTY_SIDES)
def test_sides_without_pixels(name: str, shape: list[int], window: tuple[Any, ...], pooled: list[int], filled: float | None) -> None:
    x = paddle.zeros(shape)
    x.stop_gradient = False
    out = getattr(paddle.nn.functional, name)(x, *window)
    np.testing.assert_array_equal(out.numpy(), np.full(pooled, 0 if filled is None else filled, "float32"))
    (grad,) = paddle.grad(out.sum(), x)
    assert grad.shape == shape


def test_where_the_largest_of_no_pixels_stand() -> None:
    out, places = paddle.nn.functional.max_pool2d(paddle.zeros([1, 2, 0, 0]), 2, 1, 1, return_mask=True)
    assert out.isnan().all() and places.shape == [1, 2, 1, 1] and not places.any()
    with pytest.raises(ValueError, match="ksize"):
        paddle.nn.functional.max_pool2d(paddle.zeros([1, 2, 0, 4]), 5, 2)


@pytest.mark.parametrize(
    ("shape", "window", "expected", "places"),
    [
        ([1, 1, 3], {"kernel_size": 5}, [0.72], [1]),
        ([1, 1, 3, 3], {"kernel_size": 6, "padding": 1}, [0.72], [1]),
        ([1, 1, 3, 4], {"kernel_size": [5, 3], "stride": [3, 1]}, [0.72, 0.72], [1, 1]),
        (
            [1, 1, 2, 3], {"kernel_size": 3, "padding": 2, "stride": 2},
            [0.417, 0.72, 0.0, 0.417, 0.72, 0.092], [0, 1, 2, 0, 1, 5],
        ),
    ],
)  # fmt: skip
def test_where_the_largest_of_wide_windows_are(shape: list[int], window: dict[str, Any], expected: list[float], places: list[int]) -> None:
    """Windows wider than the image, and more padding than half of one: what Paddle 2.6.2 gives."""
    x = paddle.to_tensor(np.random.RandomState(1).rand(*shape).astype("float32"), stop_gradient=False)
    out, mask = getattr(paddle.nn.functional, f"max_pool{len(shape) - 2}d")(x, return_mask=True, **window)
    np.testing.assert_allclose(out.numpy().ravel(), expected, atol=5e-4)
    assert mask.flatten().tolist() == places
    out.sum().backward()
    assert x.grad.flatten().tolist() == [float(places.count(place)) for place in range(x.size)]
