"""Large products that oneDNN, or a transpose, computes: torch's numbers, of every order, alike in eager mode and in Programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import paddle_compat as paddle
from paddle_compat.ops import _products
from paddle_compat.ops._products import addmm, linear, product

Tensor = torch.Tensor
pytestmark = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="torch without oneDNN")


@pytest.fixture(autouse=True)
def on_every_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_products, "FASTER", True)


def numbers(seed: int, *shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def derivatives(call: Any, *sources: Tensor) -> list[Tensor]:
    """The result, its derivatives, and those of the first one."""
    sources = tuple(source.detach().clone().requires_grad_() for source in sources)
    out = call(*sources)
    once = torch.autograd.grad(out, sources, numbers(5, *out.shape), create_graph=True)
    twice = torch.autograd.grad(once[0], sources[1], numbers(6, *once[0].shape))
    return [out, *once, *twice]


def affine(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return addmm(b, x, w) if x.dim() == 2 else linear(x, w, b)


def calls(call: Any) -> set[str]:
    """The torch operators that it calls."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        call()
    return {event.key for event in seen.key_averages()}


LARGE = [((256, 160), 128), ((8, 32, 160), 128), ((4096, 160), 8), ((6, 96, 256), 12)]


@pytest.mark.parametrize(("shape", "columns"), LARGE)
def test_as_torch(shape: tuple[int, ...], columns: int) -> None:
    sources = numbers(1, *shape), numbers(2, shape[-1], columns), numbers(3, columns)
    found = derivatives(affine, *sources)
    for ours, theirs in zip(found, derivatives(lambda x, w, b: F.linear(x, w.t(), b), *sources)):
        torch.testing.assert_close(ours, theirs, rtol=2e-5, atol=2e-5 * theirs.abs().max().item())
    assert found[0].is_contiguous() and torch.equal(affine(*sources), found[0])
    left = torch.randn(160, 256).t()  # read across its rows
    torch.testing.assert_close(product(left, numbers(4, 160, 128), across=True), left @ numbers(4, 160, 128), rtol=1e-5, atol=1e-4)


def test_who_computes() -> None:
    x, w, b = numbers(1, 256, 160), numbers(2, 160, 128), numbers(3, 128)
    assert "mkldnn::_linear_pointwise" in calls(lambda: addmm(b, x, w)) and "aten::addmm" not in calls(lambda: addmm(b, x, w))
    for others in ((b, x[:8], w), (b.double(), x.double(), w.double()), (b, x, numbers(2, 160, 256)[:, ::2])):
        assert "aten::addmm" in calls(lambda: addmm(*others))  # noqa: B023
        torch.testing.assert_close(addmm(*others), torch.addmm(*others))
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        addmm(b, x[:, :150], w)


def test_derivatives_that_only_torch_knows() -> None:
    x, w, b = numbers(1, 256, 160), numbers(2, 160, 128), numbers(3, 128)
    out, forward = torch.func.jvp(lambda x: addmm(b, x, w), (x,), (torch.ones_like(x),))
    torch.testing.assert_close(forward, torch.ones_like(x) @ w, rtol=1e-5, atol=1e-4)
    each = torch.func.vmap(lambda b: addmm(b, x, w))(torch.stack([b, b + 1]))
    torch.testing.assert_close(each[1], out + 1, rtol=1e-5, atol=1e-4)
    w.requires_grad_()
    addmm(b, x, w).sum().backward()  # hands back one number for all
    torch.testing.assert_close(w.grad, x.sum(0)[:, None].expand(-1, 128), rtol=1e-4, atol=1e-4)


def test_eager_mode_and_programs_alike() -> None:
    x, weight = numbers(1, 256, 160).numpy(), numbers(2, 160, 128).numpy()
    layer = paddle.nn.Linear(160, 128, weight_attr=paddle.nn.initializer.Assign(weight))
    out = layer(paddle.to_tensor(x))
    (out * out).mean().backward()
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            fed = paddle.static.data("x", [None, 160])
            made = paddle.static.nn.fc(fed, 128, weight_attr=paddle.ParamAttr("w", paddle.nn.initializer.Assign(weight)))
            paddle.static.append_backward((made * made).mean())
        exe = paddle.static.Executor()
        exe.run(startup)
        got = exe.run(main, feed={"x": x}, fetch_list=[made, "w@GRAD"])
    finally:
        paddle.disable_static()
    np.testing.assert_array_equal(got[0], out.numpy())
    np.testing.assert_array_equal(got[1], layer.weight.grad.numpy())
