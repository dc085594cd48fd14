"""Layers of `paddle.incubate.layers` that the wheels compute on GPUs only give what their formulas do in numpy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import paddle_state
import pytest

import paddle_compat as paddle

L = paddle.incubate.layers
RANDOM = np.random.RandomState(5)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    with paddle_state.fresh_state():
        yield


def numbers(*shape: int) -> Any:
    return RANDOM.uniform(-1, 1, shape).astype("float32")


def run(fetch: list[Any], **feed: Any) -> list[Any]:
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    found = executor.run(paddle.static.default_main_program(), feed=feed, fetch_list=fetch, return_numpy=False)
    return [np.array(each) for each in found]


def test_batch_fc() -> None:
    paddle.enable_static()
    weight, bias, x = numbers(4, 3, 5), numbers(4, 5), numbers(4, 2, 3)
    attrs = [paddle.ParamAttr(name, paddle.nn.initializer.Assign(value)) for name, value in (("w", weight), ("b", bias))]
    data = paddle.static.data("x", [4, None, 3])
    out = L.batch_fc(data, [4, 3, 5], attrs[0], [4, 5], attrs[1], "relu")
    assert out.shape == (4, -1, 5)
    ops = paddle.static.default_main_program().global_block().ops
    assert [op.type for op in ops] == ["batch_fc", "relu"] and ops[0].input("W") == ["w"] and ops[0].input("Bias") == ["b"]
    gradients = paddle.static.gradients([out], [paddle.static.default_main_program().global_block().var("b")])
    found, slopes = run([out, *gradients], x=x)
    product = np.matmul(x, weight) + bias[:, None]
    np.testing.assert_allclose(found, np.maximum(product, 0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(slopes, (product > 0).sum(1))
    with pytest.raises(ValueError, match=r"\[layers, D, outputs\]"):
        L.batch_fc(data, [4, 2, 5], paddle.ParamAttr(), [4, 5], paddle.ParamAttr())


@pytest.mark.parametrize(("use_cvm", "offset"), [(True, 2), (False, 2), (False, 3)])
def test_fused_seqpool_cvm(use_cvm: bool, offset: int) -> None:
    paddle.enable_static()
    slots = [paddle.static.data(name, [None, 5], lod_level=1) for name in "ab"]
    for slot in slots:
        slot.stop_gradient = False
    counts = paddle.static.data("counts", [None, offset])
    outs = L.fused_seqpool_cvm(slots, "sum", counts, 0.5, use_cvm, offset)
    assert [out.shape for out in outs] == [(-1, 5 if use_cvm else 5 - offset)] * 2
    gradients = paddle.static.gradients(outs, slots)
    values, lengths = [abs(numbers(4, 5)), abs(numbers(3, 5))], [[1, 0, 3], [1, 1, 1]]
    count = numbers(3, offset)
    feed = {name: paddle.base.create_lod_tensor(x, [n], paddle.CPUPlace()) for name, x, n in zip("ab", values, lengths)}
    found = run([*outs, *gradients], counts=count, **feed)
    for x, length, out, slopes in zip(values, lengths, found, found[2:]):
        sums = np.stack([part.sum(0) for part in np.split(x, np.cumsum(length)[:-1])]) + 0.5
        if use_cvm:
            sums[:, 1] = np.log(sums[:, 1] + 1) - np.log(sums[:, 0] + 1)
            sums[:, 0] = np.log(sums[:, 0] + 1)
        np.testing.assert_allclose(out, sums if use_cvm else sums[:, offset:], rtol=1e-5)
        np.testing.assert_allclose(slopes, np.repeat(np.concatenate([count, np.ones((3, 5 - offset))], 1), length, 0), rtol=1e-6)


def test_fused_seqpool_cvm_sums_only() -> None:
    paddle.enable_static()
    slot, counts = paddle.static.data("a", [None, 5], lod_level=1), paddle.static.data("counts", [None, 2])
    with pytest.raises(ValueError, match="pooltype"):
        L.fused_seqpool_cvm([slot], "average", counts)
    with pytest.raises(TypeError, match="a list of Variables"):
        L.fused_seqpool_cvm(slot, "sum", counts)


def test_fused_bn_add_act() -> None:
    paddle.enable_static()
    data = [paddle.static.data(name, [None, 3, 4, 2]) for name in "xy"]
    out = L.fused_bn_add_act(*data, act="relu", moving_mean_name="mean", moving_variance_name="variance")
    names = {parameter.name for parameter in paddle.static.default_main_program().all_parameters()}
    assert names >= {"fused_bn_add_act_0.w_0", "fused_bn_add_act_0.b_0", "mean", "variance"}
    x, y = numbers(5, 3, 4, 2), numbers(5, 3, 4, 2)
    found, mean = run([out, "mean"], x=x, y=y)
    normed = (x - x.mean((0, 1, 2))) / np.sqrt(x.var((0, 1, 2)) + 1e-5)
    np.testing.assert_allclose(found, np.maximum(normed + y, 0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(mean, 0.1 * x.mean((0, 1, 2)), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("pad", "reach", "step", "around"), [(4, 4, 1, 1), (2, 2, 2, 1), (3, 2, 1, 2), (0, 1, 1, 1)])
def test_correlation(pad: int, reach: int, step: int, around: int) -> None:
    x, y = numbers(2, 3, 6, 7), numbers(2, 3, 6, 7)
    wide = [np.pad(each, ((0, 0), (0, 0), (pad, pad), (pad, pad))) for each in (x, y)]
    rows, columns = (range(0, n + 2 * pad - 2 * reach, step) for n in x.shape[2:])
    moves = [move * around for move in range(-(reach // around), reach // around + 1)]
    wanted = np.zeros((2, len(moves) ** 2, len(rows), len(columns)), "float32")
    for (k, (down, right)), (i, top), (j, left) in itertools.product(
        enumerate(itertools.product(moves, moves)), enumerate(rows), enumerate(columns)
    ):
        i1, j1 = top + reach, left + reach
        wanted[:, k, i, j] = (wide[0][:, :, i1, j1] * wide[1][:, :, i1 + down, j1 + right]).mean(1)
    first, second = (paddle.to_tensor(each, stop_gradient=False) for each in (x, y))
    out = L.correlation(first, second, pad, 1, reach, step, around)
    np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-5, atol=1e-6)
    out.sum().backward()
    assert first.grad.abs().sum() > 0 and second.grad.abs().sum() > 0
    paddle.enable_static()
    recorded = L.correlation(*(paddle.static.data(name, [2, 3, 6, 7]) for name in "xy"), pad, 1, reach, step, around)
    assert recorded.shape == wanted.shape


def test_correlation_of_pixels_only() -> None:
    x = paddle.ones([1, 1, 4, 4])
    with pytest.raises(NotImplementedError, match="kernel_size"):
        L.correlation(x, x, 2, 3, 1, 1, 1)


@pytest.mark.parametrize("has_offset", [True, False])
def test_bilateral_slice(has_offset: bool) -> None:
    x, guide = numbers(2, 3, 4, 5), RANDOM.rand(2, 4, 5).astype("float32")
    grid = numbers(2, 2 * (3 + has_offset), 4, 3, 2)
    wanted = np.zeros((2, 2, 4, 5))
    for n, channel, i, j in np.ndindex(*wanted.shape):
        places = (guide[n, i, j] * 4, (i + 0.5) * 3 / 4, (j + 0.5) * 2 / 5)
        for step in np.ndindex(2, 2, 2):
            cells = [int(np.floor(place - 0.5)) + each for place, each in zip(places, step)]
            weight = np.prod([max(1 - abs(cell + 0.5 - place), 0) for cell, place in zip(cells, places)])
            near = tuple(np.clip(cell, 0, size - 1) for cell, size in zip(cells, (4, 3, 2)))
            factors = grid[(n, slice(None), *near)].reshape(2, -1)[channel]
            wanted[n, channel, i, j] += weight * (factors[:3] @ x[n, :, i, j] + (factors[3] if has_offset else 0))
    tensors = [paddle.to_tensor(each, stop_gradient=False) for each in (x, guide, grid)]
    out = L.bilateral_slice(*tensors, has_offset)
    np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-4, atol=2e-4)
    out.sum().backward()
    assert all(each.grad.abs().sum() > 0 for each in tensors)
    with pytest.raises(ValueError, match="a multiple of"):
        L.bilateral_slice(*tensors[:2], paddle.to_tensor(grid[:, 1:]), has_offset)
