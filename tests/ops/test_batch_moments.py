"""Batch norm of large images gives what PyTorch's own kernel gives, and so do its gradients and theirs."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from paddle_compat.ops import _batch_moments as moments
from paddle_compat.ops import norm

SHAPES = [(4, 8, 64, 64), (1, 16, 8192), (3, 5, 16, 24, 24)]


def both(monkeypatch: pytest.MonkeyPatch, call: Any) -> list[Any]:
    """What a call gives the quick way, and PyTorch's."""
    found = [call()]
    monkeypatch.setattr(moments, "LEAST", 1 << 60)
    return [*found, call()]


def images(*shape: int) -> torch.Tensor:
    """Numbers that lie far from zero, beside their spread."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(3)).mul_(2).add_(50)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("affine", [True, False])
def test_values_gradients_and_their_gradients(shape: tuple[int, ...], affine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(4)  # not that of the images
    x = images(*shape).requires_grad_()
    parts = [torch.rand(shape[1], requires_grad=True) for _ in range(2)] if affine else []
    weight = torch.randn(shape)

    def call() -> list[torch.Tensor]:
        out, mean, variance = norm.normalized_rows(x, *(parts or (None, None)), 1e-5)
        assert not mean.requires_grad and not variance.requires_grad
        first = torch.autograd.grad(out, [x, *parts], weight, create_graph=True)
        second = torch.autograd.grad(first[0].square().sum(), [x, *parts[:1]])
        return [out, mean, variance, *first, *second]

    for quick, own in zip(*both(monkeypatch, call)):
        scale = own.abs().max().item()
        torch.testing.assert_close(quick, own, rtol=1e-5, atol=2e-6 * scale)


def test_one_gradient_for_all_pixels() -> None:
    """That of an average over pixels, which is no memory of its own."""
    x, scale = images(4, 8, 64, 64).requires_grad_(), torch.rand(8, requires_grad=True)
    weight = torch.randn(4, 8, 1, 1)
    whole, single = (
        torch.autograd.grad(norm.normalized_rows(x, scale, None, 1e-5)[0], [x, scale], each)
        for each in (weight.expand(x.shape).contiguous(), weight.expand(x.shape))
    )
    assert all(map(torch.equal, whole, single))


def test_who_goes_the_quick_way() -> None:
    """Large float32 images on the CPU, whose channels lie together, that nobody but autograd differentiates."""
    x, scale = images(4, 8, 64, 64), torch.ones(8)
    assert moments.of_large(x, scale, None, 1e-5) is not None
    for other in (x[:1], x.double(), x.to("meta"), x.to(memory_format=torch.channels_last), x.view(4 * 64 * 64, 8)):
        assert moments.of_large(other, None, None, 1e-5) is None
    assert moments.of_large(x.view(4 * 64, 8, 8, 8), None, None, 1e-5) is None  # of little images
    assert moments.of_large(x, scale.double(), None, 1e-5) is None
    _, change = torch.func.jvp(lambda v: norm.normalized_rows(v, None, None, 1e-5)[0], (x,), (torch.ones_like(x),))
    assert change.abs().max() < 1e-2  # what is added everywhere is taken off again


def test_a_channel_of_one_number_is_zero() -> None:
    out, mean, variance = norm.normalized_rows(torch.full((4, 8, 64, 64), 3.0), None, None, 1e-5)
    assert not out.any() and torch.equal(mean, torch.full((8,), 3.0)) and not variance.any()


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 3, 7), (1, 2, 3, 4, 5)])
def test_instance_norm_is_pytorchs(shape: tuple[int, ...]) -> None:
    x, scale, bias = images(*shape).requires_grad_(), torch.rand(shape[1]).requires_grad_(), torch.rand(shape[1]).requires_grad_()
    results = []
    for call in (norm.instance_norm.fn, lambda *args: torch.instance_norm(*args, None, None, True, 0.0, 1e-5, False)):
        out = call(x, scale, bias)
        results.append((out, *torch.autograd.grad(out.square().sum(), (x, scale, bias))))
    for ours, own in zip(*results):
        torch.testing.assert_close(ours, own, rtol=1e-4, atol=1e-4)
