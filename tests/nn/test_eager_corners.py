"""Tensors without dimensions, wrong arguments and Python's types as data types, in eager mode, as recorded from the wheel."""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest
from eager_replay import differences, recorded

import paddle_compat


@pytest.mark.parametrize("call", recorded("eager_corners"))
def test_corner(call: str) -> None:
    got = json.loads(json.dumps(importlib.import_module("eager_corner_cases").answer(paddle_compat, call)))
    found = list(differences(got, recorded("eager_corners")[call], 1e-6, 1e-6))
    assert not found, found[:5]


def test_conjugate_of_real_numbers_is_a_copy() -> None:
    x = paddle_compat.ones([2])
    for y in (paddle_compat.conj(x), x.conj()):
        y[0] = 7.0
    assert x.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("raised", ["atleast_1d", "atleast_2d", "atleast_3d"])
def test_tensor_of_enough_dimensions_stays_as_it_is(raised: str) -> None:
    x = paddle_compat.ones([1, 1, 2])
    assert getattr(paddle_compat, raised)(x) is x


@pytest.mark.parametrize(("shape", "data_format"), [([1, 3], "NC"), ([1, 3, 1, 1], "NCHW"), ([1, 1, 1, 3], "NHWC")])
def test_batch_norm_lets_one_element_a_channel_through(shape: list[int], data_format: str) -> None:
    x = paddle_compat.arange(3.0).reshape(shape)
    x.stop_gradient = False
    norm = paddle_compat.nn.BatchNorm(3, data_layout="NHWC" if data_format == "NHWC" else "NCHW")
    y = norm(x)
    (y * y).sum().backward()
    assert y.flatten().tolist() == [0.0, 1.0, 2.0]
    assert x.grad.flatten().tolist() == [0.0, 2.0, 4.0]
    assert norm._mean.tolist() == [0.0] * 3 and norm._variance.tolist() == [1.0] * 3
    assert norm.weight.grad.tolist() == norm.bias.grad.tolist() == [0.0] * 3


def test_fractions_stay_in_front_of_whole_numbers() -> None:
    x = paddle_compat.to_tensor([1, 2])
    assert (2.5 // x).tolist() == [2.0, 1.0] and (2.5 // x).dtype == paddle_compat.float32
    assert (2.5 % x).tolist() == [0.5, 0.5] and (2.5 % x.astype("bool")).dtype == paddle_compat.float32
    assert (2 % x.astype("bool")).dtype == paddle_compat.int64
    for refused in (lambda: 2.5 | x, lambda: 2.5 & x, lambda: 2.5 ^ x.astype("bool"), lambda: np.array([1.5, 2.0]) % x):
        with pytest.raises(TypeError):
            refused()


def test_cross_entropy_of_no_samples_is_nan() -> None:
    loss = paddle_compat.nn.functional.cross_entropy(paddle_compat.zeros([0, 3]), paddle_compat.zeros([0], "int64"))
    assert loss.shape == [] and np.isnan(loss.item())


def test_huber_loss_of_two_precisions_is_the_wider_one() -> None:
    loss = paddle_compat.nn.functional.smooth_l1_loss(paddle_compat.ones([2], "float64"), paddle_compat.zeros([2]), "none")
    assert loss.dtype == paddle_compat.float64 and loss.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("labels", [[2, 1], [3]])
def test_losses_of_fluid_refuse_labels_of_another_shape(labels: list[int]) -> None:
    fluid = paddle_compat.fluid
    with fluid.dygraph.guard():
        x, label = (fluid.dygraph.to_variable(np.ones(shape, "float32")) for shape in ([2, 3], labels))
        with pytest.raises(fluid.core.EnforceNotMet):
            fluid.layers.huber_loss(x, label, 1.0)
        with pytest.raises(fluid.core.EnforceNotMet):
            fluid.layers.kldiv_loss(x, label, "mean")
