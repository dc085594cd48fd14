"""Normalizations and dropout against the wheels."""

from __future__ import annotations

from typing import Any

import nn_replay
import numpy as np
import pytest

import paddle_compat as paddle

pytestmark = pytest.mark.usefixtures("exact_random")


@nn_replay.cases("norm")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("norm", version, name, rtol=5e-5, atol=5e-6)


LAYERS = {"BatchNorm": [4, 3, 2, 2], "BatchNorm1D": [4, 3], "BatchNorm2D": [4, 3, 2, 2], "InstanceNorm2D": [4, 3, 2, 2]}


@pytest.mark.parametrize("stopped", ["", "scale", "shift"])
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", LAYERS)
def test_scale_and_shift_learn_together(name: str, recorded: bool, stopped: str) -> None:
    paddle.disable_static()
    layer: Any = getattr(paddle.nn, name)(3)
    scale, shift = layer.scale if name.startswith("Instance") else layer.weight, layer.bias
    if stopped:
        (scale if stopped == "scale" else shift).stop_gradient = True
    x = paddle.to_tensor(np.random.default_rng(1).normal(size=LAYERS[name]).astype("float32"), stop_gradient=False)
    out = paddle.jit.to_static(layer)(x) if recorded else layer(x)
    (out**3).sum().backward()
    assert float(x.grad.abs().max()) > 0.1
    if stopped:
        assert scale.grad is None and shift.grad is None
    else:
        np.testing.assert_allclose(shift.grad.numpy(), np.full(3, 3.0 * x.size / 3), rtol=5e-3)
        assert float(scale.grad.abs().max()) > 0.1


def test_frozen_shifts_freeze_scales_in_training() -> None:
    paddle.disable_static()
    neck = paddle.nn.BatchNorm1D(3, bias_attr=paddle.ParamAttr(trainable=False))
    adam = paddle.optimizer.Adam(0.1, parameters=neck.parameters(), weight_decay=0.1)
    for _ in range(2):
        (neck(paddle.rand([4, 3])) ** 3).sum().backward()
        adam.step()
        adam.clear_grad()
    assert neck.weight.tolist() == [1.0, 1.0, 1.0] and neck._mean.abs().min() > 0


@pytest.mark.parametrize(
    ("p", "epsilon", "expected"),
    [
        (2, 0.5, [0.31976416, 0.22736824, -0.15490013, 1.0, -2.0, 4.0]),  # the second row is shorter than epsilon
        (2, 0.1, [0.32927734, 0.214684, -0.15172907, 3.19444444, -0.27777779, 3.61111112]),
        (1, 0.25, [0.2, 0.175, -0.05, 2.76, -0.24, 2.24]),
        (3, 2.0, [0.33991579, 0.23254144, -0.20835987, 0.25, -0.5, 1.0]),
        (2, 1e-12, [0.33188884, 0.21120199, -0.15085857, 3.7037037, 0.74074074, 2.59259259]),
    ],
)
def test_epsilon_counts_in_the_gradient_of_normalize(p: int, epsilon: float, expected: list[float]) -> None:
    paddle.disable_static()
    x = paddle.to_tensor(np.array([[3.0, -4.0, 1.0], [0.1, 0.2, -0.2]]), stop_gradient=False)
    out = paddle.nn.functional.normalize(x, p, 1, epsilon)
    (out * paddle.to_tensor(np.array([[1.0, 2.0, -1.0], [0.5, -1.0, 2.0]]))).sum().backward()
    np.testing.assert_allclose(x.grad.numpy().ravel(), expected, rtol=1e-6)
    length = np.linalg.norm([[3.0, -4.0, 1.0], [0.1, 0.2, -0.2]], ord=p, axis=1, keepdims=True)
    np.testing.assert_allclose(out.numpy(), x.numpy() / np.maximum(length, epsilon), rtol=1e-12)


@pytest.mark.parametrize("shape", [[1, 4], [1, 4, 1], [1, 4, 1, 1], [2, 4, 1, 1], [1, 4, 1, 1, 1]])
def test_groups_of_one_number_are_their_shift(shape: list[int]) -> None:
    # 2.6.2 and 3.3.1: such a number is its own mean, so that nothing of it remains, and no gradient either
    paddle.disable_static()
    x = paddle.to_tensor(np.random.default_rng(2).normal(9.0, 5.0, shape).astype("float32"), stop_gradient=False)
    layers = [paddle.nn.GroupNorm(4, 4)]
    if len(shape) > 2:
        layers.append(getattr(paddle.nn, f"InstanceNorm{len(shape) - 2}D")(4))
    shift = np.array([0.1, 0.2, 0.3, 0.4], "float32")
    for layer in layers:
        layer.bias.set_value(shift)
        x.clear_grad()
        y = layer(x)
        (y * y).sum().backward()
        np.testing.assert_array_equal(y.numpy(), np.broadcast_to(shift.reshape([4] + [1] * (len(shape) - 2)), shape))
        np.testing.assert_array_equal(x.grad.numpy(), np.zeros(shape))
        np.testing.assert_array_equal(layer.parameters()[0].grad.numpy(), np.zeros(4))
        np.testing.assert_allclose(layer.bias.grad.numpy(), 2 * shape[0] * shift, rtol=1e-6)
