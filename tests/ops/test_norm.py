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
