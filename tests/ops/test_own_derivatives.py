"""Operators whose derivatives are written out, on tensors so large that they are used: torch's numbers, of every order."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F

from paddle_compat.core.op import find_op
from paddle_compat.ops._select import SMALL

Tensor = torch.Tensor


def numbers(seed: int, *shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


SHAPE = (4, SMALL)
X, CHANCES, LABEL = numbers(1, *SHAPE) * 3, torch.sigmoid(numbers(2, *SHAPE) * 4), (numbers(3, *SHAPE) > 0).float()
CASES: list[Any] = [
    ("gelu", X, {"approximate": True}, lambda x: F.gelu(x, approximate="tanh")),
    ("softsign", X, {}, F.softsign),
    ("bce_loss", CHANCES, {"label": LABEL}, lambda x: F.binary_cross_entropy(x, LABEL, reduction="none")),
    ("reduce_mean", X, {"dim": [1]}, lambda x: x.mean(1)),
    ("reduce_mean", X, {"dim": [0], "keep_dim": True}, lambda x: x.mean(0, True)),
    ("mean", X, {}, lambda x: x.mean()),
    ("tile", X, {"repeat_times": [2, 3]}, lambda x: x.repeat(2, 3)),
]


@pytest.mark.parametrize(("type_", "x", "attrs", "own"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_as_torch(type_: str, x: Tensor, attrs: dict[str, Any], own: Any) -> None:
    fn = find_op(type_).fn  # type: ignore[union-attr]
    label = [attrs["label"]] if "label" in attrs else []
    rest = {name: value for name, value in attrs.items() if name != "label"}
    found = []
    for function in (lambda x: fn(x, *label, **rest), own):
        source = x.clone().requires_grad_()
        out = function(source)
        weights = numbers(5, *out.shape)
        (alone,) = torch.autograd.grad(out, source, weights, retain_graph=True)
        (once,) = torch.autograd.grad(out, source, weights, create_graph=True)
        (twice,) = torch.autograd.grad(once, source, numbers(6, *SHAPE)) if once.requires_grad else (torch.zeros(()),)
        found.append((out, alone, once, twice, function(x)))
    for ours, theirs in zip(*found):
        torch.testing.assert_close(ours, theirs, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("wrong", [1.5, -0.1, float("nan")])
@pytest.mark.parametrize("count", [3, SMALL])
def test_only_probabilities_have_a_binary_cross_entropy(wrong: float, count: int) -> None:
    x = torch.full((count,), 0.5)
    x[1] = wrong
    with pytest.raises(ValueError, match="probabilities"):
        find_op("bce_loss").fn(x, torch.ones(count))  # type: ignore[union-attr]


def test_logarithms_of_nothing_are_bounded() -> None:
    x = torch.tensor([0.0, 1.0]).repeat(SMALL)
    loss = find_op("bce_loss").fn(x, 1 - x)  # type: ignore[union-attr]
    assert loss.eq(100).all()


@pytest.mark.parametrize("count", [4, SMALL])
def test_labels_of_a_binary_cross_entropy_may_be_any_numbers(count: int) -> None:
    x = torch.full((count,), 0.25, requires_grad=True)
    label = torch.tensor([-1.0, 2.0]).repeat(count // 2)
    loss = find_op("bce_loss").fn(x, label)  # type: ignore[union-attr]
    loss.sum().backward()
    torch.testing.assert_close(loss[:2], torch.tensor([-0.8109, 2.4849]), rtol=0, atol=1e-4)
    assert x.grad is not None
    torch.testing.assert_close(x.grad[:2], torch.tensor([1.25, -1.75]) / 0.1875)
