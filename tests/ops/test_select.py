"""Choosing between numbers without jumps gives what torch.where gives, bit for bit, and derivatives of every order."""

from __future__ import annotations

import pytest
import torch

from paddle_compat.core.op import find_op
from paddle_compat.ops import _select

ODD = [float("nan"), float("inf"), -float("inf"), -0.0, 0.0]
SHAPE = (3, _select.SMALL)  # so large that no call falls back on torch.where


def odd(seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Numbers with some of every odd kind among them."""
    made = torch.randn(SHAPE, generator=torch.Generator().manual_seed(seed)).mul_(4)
    for i, value in enumerate(ODD):
        made.view(-1)[seed + i :: 11] = value
    return made.to(dtype)


def bits(x: torch.Tensor) -> torch.Tensor:
    return x.detach().contiguous().view(torch.uint8)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64, torch.int64, torch.complex64])
def test_select_is_where(dtype: torch.dtype) -> None:
    condition, x, y = odd(1) > 0, odd(2).nan_to_num(0, 0, 0).to(dtype), odd(3).nan_to_num(0, 0, 0).to(dtype)
    if dtype.is_floating_point:
        x, y = odd(2, dtype), odd(3, dtype)
    assert torch.equal(bits(_select.select(condition, x, y)), bits(torch.where(condition, x, y)))
    turned = _select.select(condition.T, x.T, y.T)
    assert torch.equal(bits(turned.T), bits(torch.where(condition, x, y)))


def test_select_has_derivatives() -> None:
    condition, seed = odd(1) > 0, odd(4)
    found = []
    for choose in (_select.select, torch.where):
        x, y = odd(2).nan_to_num().requires_grad_(), odd(3).nan_to_num().requires_grad_()
        out = choose(condition, x.tanh(), y.tanh())
        once = torch.autograd.grad(out, (x, y), torch.ones_like(out).requires_grad_(), create_graph=True)
        twice = torch.autograd.grad([g.square().sum() for g in once], (x, y))
        found.append((*once, *twice, *torch.autograd.grad(choose(condition, x, y), (x, y), seed)))
    assert all(torch.equal(bits(a), bits(b)) for a, b in zip(*found))


@pytest.mark.parametrize(("type_", "compare"), [("elementwise_max", torch.gt), ("elementwise_min", torch.lt)])
@pytest.mark.parametrize("broadcast", [False, True])
def test_the_larger_of_many(type_: str, compare: object, broadcast: bool) -> None:
    """What is computed without a choice is what the choice gives, NaN and zeros included."""
    fn = find_op(type_).fn  # type: ignore[union-attr]
    x, y = odd(1), odd(2)[:1] if broadcast else odd(2)
    expected = torch.where(compare(x, y), x, y)  # type: ignore[operator]
    torch.testing.assert_close(fn(x, y), expected, rtol=0, atol=0, equal_nan=True)
    x, y = x.nan_to_num().requires_grad_(), y.nan_to_num().requires_grad_()
    out = fn(x, y)
    assert torch.equal(out, torch.where(compare(x, y), x, y))  # type: ignore[operator]
    to_x, to_y = torch.autograd.grad(out.sum(), (x, y))
    chosen = compare(x, y).float()  # type: ignore[operator]
    assert torch.equal(to_x, chosen) and torch.equal(to_y, (1 - chosen).sum_to_size(y.shape))


@pytest.mark.parametrize(
    ("type_", "attrs"),
    [
        ("leaky_relu", {"alpha": 0.1}),
        ("clip", {"min": -1.0, "max": 1.0}),
        ("hard_swish", {}),
        ("prelu", {}),
        ("elementwise_max", {}),
        ("tile", {"repeat_times": [2, 3]}),
    ],
)
def test_second_derivatives(type_: str, attrs: dict[str, object]) -> None:
    fn = find_op(type_).fn  # type: ignore[union-attr]
    x = torch.tensor([[-4.0, -0.7, 0.4, 5.0]], dtype=torch.float64, requires_grad=True)
    other = {"prelu": torch.tensor([0.3]), "elementwise_max": torch.tensor([[-3.0, -2.0, 2.0, 7.0]])}.get(type_)
    inputs = (x,) if other is None else (x, other.double().requires_grad_())
    assert torch.autograd.gradgradcheck(lambda *values: fn(*values, **attrs).square(), inputs)


def test_tile_sums_the_gradient_of_every_copy() -> None:
    tile = find_op("tile").fn  # type: ignore[union-attr]
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(4, 2, 6, dtype=torch.float64)
    (found,) = torch.autograd.grad(tile(x, repeat_times=[4, 1, 2]), x, weights)
    (expected,) = torch.autograd.grad(x.repeat(4, 1, 2), x, weights)
    torch.testing.assert_close(found, expected)
