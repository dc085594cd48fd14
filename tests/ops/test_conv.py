"""Convolutions against the wheels."""

from __future__ import annotations

from typing import Any

import nn_replay
import pytest
import torch

import paddle_compat.fluid as fluid
from paddle_compat.core.op import find_op
from paddle_compat.ops import conv


@nn_replay.cases("conv")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("conv", version, name, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize(("name", "channels"), [("conv2d", 4), ("conv2d_transpose", 4), ("conv2d_transpose", 3)])
@pytest.mark.parametrize(("strides", "paddings"), [([1, 1], [0, 0]), ([2, 1], [1, 2])])
def test_plain_kernels_agree(
    name: str, channels: int, strides: list[int], paddings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those for little work, and the one for images of few channels."""
    op = find_op(name)
    assert op is not None
    results = []
    for few in (0, 1 << 20):
        monkeypatch.setattr(conv, "_FEW", few)
        monkeypatch.setattr(conv, "_FEW_TRANSPOSED", few if channels == 4 else 0)
        monkeypatch.setattr(conv, "_NARROW", 3 if few else 0)
        generator = torch.Generator().manual_seed(3)
        x, weight = (torch.rand(s, generator=generator).requires_grad_() for s in ((2, 4, 7, 6), (4, channels, 3, 2)))
        out = op.fn(x, weight, strides=strides, paddings=paddings)
        results.append((out, *torch.autograd.grad(out.square().sum(), (x, weight))))
    for plain, whole in zip(*results):
        torch.testing.assert_close(plain, whole, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups"), [(1, 1, 1, 1), (2, 0, 1, 1), (1, 2, 2, 1), (1, 1, 1, 2), (1, 1, 4, 1)]
)
def test_single_images_agree(stride: int, padding: int, dilation: int, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that oneDNN takes at once, and one that is smaller than its kernel."""
    op = find_op("conv2d")
    assert op is not None
    results = []
    for many in (0, 1 << 30):
        monkeypatch.setattr(conv, "_FEW", 0)
        monkeypatch.setattr(conv, "_MANY_WEIGHTS", many)
        generator = torch.Generator().manual_seed(3)
        x, weight = (torch.rand(s, generator=generator).requires_grad_() for s in ((1, 8, 6, 5), (4, 8 // groups, 3, 3)))
        sizes: dict[str, Any] = {"strides": [stride] * 2, "paddings": [padding] * 2, "dilations": [dilation] * 2}
        if dilation == 4:
            with pytest.raises(RuntimeError, match=r"can't be greater than actual input size"):
                op.fn(x, weight, groups=groups, **sizes)
            continue
        out = op.fn(x, weight, groups=groups, **sizes)
        slopes = torch.autograd.grad(out.square().sum(), (x, weight), create_graph=True)
        results.append((out, *slopes, *torch.autograd.grad(slopes[0].square().sum(), weight)))
    for at_once, by_torch in zip(*results):
        torch.testing.assert_close(at_once, by_torch, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("shape", [(1, 256, 5, 5), (2, 4, 5, 5)])
def test_torchs_forward_mode_finds_its_own_kernels(shape: tuple[int, ...]) -> None:
    op = find_op("conv2d")
    assert op is not None
    x, weight = torch.rand(shape), torch.rand(64, shape[1], 3, 3)
    out, moved = torch.func.jvp(lambda x: op.fn(x, weight), (x,), (x,))
    torch.testing.assert_close(out, moved, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("name", "shape", "gradient"), [("conv2d", (16, 12), "dc"), ("conv2d_transpose", (12, 16), "cd")])
def test_kernels_of_one_whose_channels_lie_last(name: str, shape: tuple[int, int], gradient: str) -> None:
    """Weights of pruned networks lie so. PyTorch counts them as contiguous, and its plain kernel gives them a wrong gradient."""
    x, slopes = torch.randn(2, 12, 5, 5), torch.randn(2, 16, 5, 5)
    channels = shape[1]
    weight = torch.randn(*shape, 1, 1).as_strided((*shape, 1, 1), (channels, 1, channels, channels)).requires_grad_()
    assert weight.is_contiguous()
    op = find_op(name)
    assert op is not None
    op.fn(x, weight).backward(slopes)
    assert weight.grad is not None
    expected = torch.einsum(f"nchw,ndhw->{gradient}", x, slopes)
    torch.testing.assert_close(weight.grad.reshape(shape), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("modulated", [True, False])
def test_deformable_convolutions_of_images_of_unknown_size(modulated: bool) -> None:
    """512 channels make the points of a large image more than a tensor holds; Paddle 1.8.5 records the same shape."""
    layers = fluid.layers
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 512, None, None])
        offset = layers.conv2d(x, 18, 3, stride=2, padding=1)
        mask = layers.conv2d(x, 9, 3, stride=2, padding=1) if modulated else None
        out = layers.deformable_conv(x, offset, mask, 256, 3, stride=2, padding=1, modulated=modulated)
        assert out.shape == (-1, 256, -1, -1)
