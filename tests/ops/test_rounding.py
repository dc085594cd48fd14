"""Functions whose derivative is zero wherever there is one, and how they treat numbers without a neighbour."""

from __future__ import annotations

import math

import pytest
import torch

import paddle_compat as paddle
from paddle_compat.ops._rounding import half_away, toward_zero


@pytest.mark.parametrize("name", ["sign", "sgn", "round", "floor", "ceil", "trunc"])
def test_gradients_add_up(name: str) -> None:
    x = paddle.to_tensor([1.5, -2.5], stop_gradient=False)
    for _ in range(2):
        getattr(paddle, name)(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 0.0]
    x.clear_grad()
    (getattr(paddle, name)(x) + 3 * x).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_infinities_and_signs_of_zeros_stay(dtype: torch.dtype) -> None:
    x = torch.tensor([-0.0, 0.0, -0.3, 0.3, -0.5, 0.5, -1.5, 2.5, 1e4, math.inf, -math.inf, math.nan], dtype=dtype)
    assert shown(toward_zero(x)) == shown(torch.trunc(x))
    assert shown(half_away(x)) == shown(torch.trunc(x + torch.copysign(torch.full_like(x, 0.5), x)))


def test_whole_numbers_stay() -> None:
    assert toward_zero(torch.tensor([3, -4])).tolist() == [3, -4]


def shown(x: torch.Tensor) -> list[str]:
    return [str(abs(number) if math.isnan(number) else number) for number in x.tolist()]
