"""Operators that go another way for large tensors than for small ones: the same numbers, and the same gradients, as torch's own calls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import paddle_compat as paddle
from paddle_compat.ops import activation, elementwise, pool, reduction, search
from paddle_compat.ops import math as math_operators
from paddle_compat.ops._windows import columns_of

Tensor = torch.Tensor


def same(ours: Tensor, expected: Tensor) -> None:
    assert ours.dtype == expected.dtype
    torch.testing.assert_close(ours, expected, rtol=0, atol=0, equal_nan=True)


def steps(*shape: int) -> Tensor:
    """Whole numbers, many of them equal, and one that is none."""
    x = torch.randint(-3, 4, shape, generator=torch.Generator().manual_seed(0)).float()
    x.view(-1)[7] = math.nan
    return x


@pytest.mark.parametrize("share", [0.0, 0.001, 0.999, 1.0])
def test_any_and_all(share: float) -> None:
    flags = torch.rand(64, 80, generator=torch.Generator().manual_seed(0)) < share
    x = paddle.to_tensor(flags.numpy())
    for function, expected in ((paddle.any, torch.any), (paddle.all, torch.all)):
        same(function(x)._t, expected(flags))
        same(function(x, 0)._t, expected(flags, 0))
        same(function(x, axis=-1, keepdim=True)._t, expected(flags, -1, True))
        same(function(x, [0, 1], True)._t, expected(flags, [0, 1], True))
        same(function(x.t())._t, expected(flags))


@pytest.mark.parametrize("bounds", [(0, 0), (0, 1), (-2, 2), (2, 2)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_histogram(bounds: tuple[int, int], dtype: torch.dtype) -> None:
    x = (torch.rand(60, 50, generator=torch.Generator().manual_seed(0)) * 6 - 3).mul(8).round().div(8).to(dtype)
    for bins in (1, 10, 77):
        same(search.histogram.fn(x, bins=bins, min=bounds[0], max=bounds[1]), torch.histc(x.double(), bins, *bounds).long())


def test_a_histogram_of_what_has_no_range_is_refused() -> None:
    with pytest.raises(RuntimeError, match="finite"):
        search.histogram.fn(torch.full((3000,), math.nan))


@pytest.mark.parametrize("shape", [(2, 9, 6, 14, 15), (1, 8, 8, 16, 32)])
@pytest.mark.parametrize(
    ("kernels", "strides", "pads"),
    [([2, 2, 2], [2, 2, 2], [0, 0, 0]), ([3, 3, 3], [2, 2, 2], [1, 1, 1]), ([1, 2, 3], [1, 2, 1], [0, 1, 0])],
)
def test_the_largest_of_volumes(shape: tuple[int, ...], kernels: list[int], strides: list[int], pads: list[int]) -> None:
    x = steps(*shape).repeat(1, 4, 1, 1, 1).requires_grad_()
    out, index = pool.max_of_windows(x, kernels, strides, pads, return_indices=True)
    expected, place = F.max_pool3d(x, kernels, strides, pads, return_indices=True)
    same(out, expected)
    same(index, place)
    weights = torch.rand(out.shape)
    same(*(torch.autograd.grad(each, x, weights)[0] for each in (out, expected)))


def test_steps_and_numbers_that_win_over_none() -> None:
    x, y = steps(60, 50).requires_grad_(), steps(50, 60).t().contiguous().requires_grad_()
    step = elementwise._heaviside(x, y)
    same(step, torch.where(x == 0, y, (x > 0).float()))
    to_x, to_y = torch.autograd.grad(step.sum(), (x, y))
    same(to_x, torch.zeros_like(x))
    same(to_y, (x == 0).float())
    for a, b in ((x, y), (x.detach(), y.detach()), (x.detach().nan_to_num(1), y.detach().nan_to_num(1))):
        same(elementwise._larger_number(a, b), torch.fmax(a, b))
        same(elementwise._smaller_number(a, b), torch.fmin(a, b))


def test_maxout() -> None:
    x = steps(2, 6, 30, 20).requires_grad_()
    out = activation.maxout.fn(x, groups=3)
    first, second, third = x.view(2, 2, 3, 30, 20).unbind(2)
    best = torch.where(first >= second, first, second)
    expected = torch.where(best >= third, best, third)
    same(out, expected)
    weights = torch.rand(out.shape)
    same(*(torch.autograd.grad(each, x, weights)[0] for each in (out, expected)))


@pytest.mark.parametrize("k", [1, 3, 4])
def test_kthvalue(k: int) -> None:
    x = torch.rand(3, 200, 2, generator=torch.Generator().manual_seed(0))
    x[0, 5] = math.nan
    for keepdim in (True, False):
        found, expected = reduction.kthvalue.fn(x, k=k, axis=1, keepdim=keepdim), torch.kthvalue(x, k, 1, keepdim)
        same(found[0], expected[0])
        same(found[1], expected[1])


@pytest.mark.parametrize("operator", [search.arg_max, search.arg_min])
@pytest.mark.parametrize("axis", [0, 1, -2, -1])
@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.int64])
def test_the_place_of_an_extreme_in_many_elements(operator: Any, axis: int, kind: torch.dtype) -> None:
    x = torch.randint(-4, 4, (5, 6, 600), generator=torch.Generator().manual_seed(2)).to(kind)  # there are equal ones
    find = torch.argmax if operator is search.arg_max else torch.argmin
    for value in (x, x.transpose(1, 2)):
        for keepdims in (False, True):
            assert torch.equal(operator.fn(value, axis=axis, keepdims=keepdims), find(value, axis, keepdims))
    assert operator.fn(x, flatten=True).item() == find(x).item()


@pytest.mark.parametrize("axis", [0, 2])
def test_nan_has_no_place_among_many_elements(axis: int) -> None:
    x = torch.randn(3, 4, 600, generator=torch.Generator().manual_seed(2))
    x[1, 2, 5], x[:, 1, 7], x[2, 3] = torch.nan, torch.nan, -torch.inf
    assert torch.equal(search.arg_max.fn(x, axis=axis), torch.where(x.isnan(), -torch.inf, x).argmax(axis))
    assert torch.equal(search.arg_min.fn(x, axis=axis), torch.where(x.isnan(), torch.inf, x).argmin(axis))


@pytest.mark.parametrize(("shape", "axis"), [((6, 700), 0), ((3, 5, 700), 1), ((3, 5, 700), -3)])
def test_columns_are_summed_in_their_own_type(shape: tuple[int, ...], axis: int) -> None:
    """As Paddle's kernel adds; the wheel gave these bits and these gradients for such shapes."""
    x, grad = torch.randn(2, *shape, generator=torch.Generator().manual_seed(0)).unbind()
    x = x.clone().requires_grad_()
    out = math_operators.cumsum.fn(x, axis=axis)
    same(out.detach(), torch.from_numpy(np.add.accumulate(x.detach().numpy(), axis)))
    back = torch.from_numpy(np.add.accumulate(grad.flip(axis).numpy(), axis)).flip(axis)
    same(torch.autograd.grad(out, x, grad)[0], back)
    doubled = math_operators.cumsum.fn(x.detach().double(), axis=axis, exclusive=True, reverse=True)
    single = math_operators.cumsum.fn(x.detach(), axis=axis, exclusive=True, reverse=True)
    torch.testing.assert_close(single.double(), doubled, rtol=1e-4, atol=1e-5)
    same(math_operators.cumsum.fn(x.detach().transpose(-1, axis), axis=-1), x.detach().transpose(-1, axis).cumsum(-1))


@pytest.mark.parametrize("size", [((3, 2), (1, 1), (1, 1)), ((2, 3), (2, 1), (1, 2)), ((1, 1), (1, 1), (1, 1)), ((5, 6), (1, 1), (1, 1))])
@pytest.mark.parametrize("turned", [False, True])
def test_windows_are_columns(size: tuple[tuple[int, ...], ...], turned: bool) -> None:
    x = torch.randn(2, 3, 5, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    x = (x.transpose(0, 1)[1:] if turned else x).requires_grad_()
    kernel, dilation, stride = size
    columns, expected = columns_of(x, *size), F.unfold(x, kernel, dilation, 0, stride)
    same(columns, expected)
    same(columns_of(x.detach(), *size), expected)
    assert columns.is_contiguous() and columns.data_ptr() != x.data_ptr()
    grad = torch.randn(expected.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    same(*(torch.autograd.grad(out, x, grad)[0] for out in (columns, expected)))
    assert torch.autograd.gradgradcheck(lambda images: columns_of(images, *size), x)


def test_no_windows_are_refused_as_torch_refuses_them() -> None:
    with pytest.raises(RuntimeError, match="shape"):
        columns_of(torch.ones(1, 1, 2, 2), (3, 3), (1, 1), (1, 1))
