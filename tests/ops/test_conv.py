"""Convolutions against the wheels."""

from __future__ import annotations

from typing import Any

import nn_replay
import numpy as np
import pytest
import torch

import paddle_compat as paddle
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


@pytest.mark.parametrize(
    ("channels", "filters", "groups", "number", "others"),
    [
        (16, 16, 4, 2, {}),
        (32, 32, 16, 4, {"strides": [2, 1], "paddings": [1, 0]}),
        (16, 32, 4, 2, {"dilations": [2, 2], "paddings": [2, 1, 1, 2]}),
        (32, 16, 4, 2, {"data_format": "NCHW"}),
        (16, 16, 2, 1, {}),  # groups that fill oneDNN's kernels as they are
        (12, 12, 4, 1, {}),
        (12, 12, 3, 1, {}),  # which cannot be put together by twos
        (4, 4, 2, 1, {}),
    ],
)
def test_merged_groups_agree(
    channels: int, filters: int, groups: int, number: int, others: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of few channels, several of which are computed as one."""
    op = find_op("conv2d")
    assert op is not None
    results = []
    for many in (0, 1 << 30):
        monkeypatch.setattr(conv, "_MANY_PRODUCTS", many)
        generator = torch.Generator().manual_seed(3)
        shapes = (2, channels, 7, 6), (filters, channels // groups, 3, 2)
        x, weight = (torch.rand(shape, generator=generator).requires_grad_() for shape in shapes)
        assert conv._merging(x, weight, [1, 1], groups) == (1 if many else number)
        out = op.fn(x, weight, groups=groups, **{"strides": [1, 1], "paddings": [1, 1], **others})
        slopes = torch.autograd.grad(out.square().sum(), (x, weight), create_graph=True)
        results.append((out, *slopes, *torch.autograd.grad(slopes[0].square().sum(), weight)))
    for merged, apart in zip(*results):
        torch.testing.assert_close(merged, apart, rtol=1e-5, atol=1e-4)


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


@pytest.mark.parametrize(
    ("name", "image", "filters", "options", "shape"),
    [
        ("conv1d", [2, 3, 0], [4, 3, 3], {"padding": 1}, [2, 4, 0]),
        ("conv1d", [2, 3, 0], [4, 3, 3], {"padding": 2}, [2, 4, 2]),
        ("conv1d", [2, 3, 0], [4, 3, 3], {"padding": "SAME"}, [2, 4, 0]),
        ("conv1d", [2, 3, 0], [4, 3, 3], {"padding": 1, "stride": 2}, [2, 4, 1]),
        ("conv1d", [2, 0, 3], [4, 3, 3], {"padding": 1, "data_format": "NLC"}, [2, 0, 4]),
        ("conv2d", [2, 3, 0, 8], [4, 3, 3, 3], {"padding": 2}, [2, 4, 2, 10]),
        ("conv2d", [1, 3, 0, 4], [2, 3, 2, 2], {"padding": [1, 2], "dilation": 2}, [1, 2, 0, 6]),
        ("conv2d", [2, 3, 8, 0], [3, 1, 3, 3], {"padding": 1, "groups": 3}, [2, 3, 8, 0]),
        ("conv3d", [1, 2, 0, 4, 4], [3, 2, 3, 3, 3], {"padding": 1}, [1, 3, 0, 4, 4]),
        ("conv1d_transpose", [2, 3, 0], [3, 4, 3], {}, [2, 4, 2]),
        ("conv2d_transpose", [2, 3, 8, 0], [3, 4, 3, 3], {"padding": 1}, [2, 4, 8, 0]),
        ("conv3d_transpose", [1, 2, 0, 4, 4], [2, 3, 3, 3, 3], {"padding": 1}, [1, 3, 0, 4, 4]),
    ],
)
def test_images_without_pixels(name: str, image: list[int], filters: list[int], options: dict[str, Any], shape: list[int]) -> None:
    """As in 3.3.1: the bias alone, and gradients for all; 2.6.2 ends the process."""
    x, weight, bias = (paddle.full(s, 2.0) for s in (image, filters, [shape[-1 if "data_format" in options else 1]]))
    for leaf in (x, weight, bias):
        leaf.stop_gradient = False
    out = getattr(paddle.nn.functional, name)(x, weight, bias, **options)
    assert out.shape == shape and (out == 2).all()
    out.sum().backward()
    assert x.grad.shape == image and weight.grad.shape == filters and (weight.grad == 0).all()
    assert (bias.grad == out.size / len(bias)).all()


def test_images_without_pixels_in_a_program() -> None:
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 3, None])
            out = paddle.nn.Conv1D(3, 4, 3, padding=1)(x)
        executor = paddle.static.Executor()
        executor.run(startup)
        for length in (0, 5):
            (got,) = executor.run(main, feed={"x": np.ones([2, 3, length], "float32")}, fetch_list=[out])
            assert got.shape == (2, 4, length)
    finally:
        paddle.disable_static()


def test_no_padding_around_nothing_is_refused() -> None:
    with pytest.raises(RuntimeError, match="conv2d"):  # 3.3.1: RuntimeError
        paddle.nn.functional.conv1d(paddle.ones([2, 3, 0]), paddle.ones([4, 3, 3]))
