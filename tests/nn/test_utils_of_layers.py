"""`paddle.nn.utils`: split weights as the wheel's Programs have them, and what works in eager mode only."""

from __future__ import annotations

from typing import Any

import numpy as np
import program_replay
import pytest

import paddle_compat as paddle
from paddle_compat.nn import utils


@program_replay.cases("nn_utils")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("nn_utils", name, rtol=1e-5, atol=1e-6)


def test_split_weights_in_eager_mode() -> None:
    layer = paddle.nn.Conv2D(3, 2, 3)
    former = layer.weight.numpy()
    utils.weight_norm(layer, dim=1)
    x = paddle.ones([1, 3, 3, 3])
    np.testing.assert_allclose(layer.weight.numpy(), former, rtol=1e-5)
    np.testing.assert_allclose(layer.weight_g.numpy(), np.sqrt((former**2).sum((0, 2, 3))), rtol=1e-5)
    before = layer(x).numpy()
    layer.weight_g.set_value(layer.weight_g * 2.0)
    bias = layer.bias.numpy().reshape(1, 2, 1, 1)
    np.testing.assert_allclose(layer(x).numpy() - bias, (before - bias) * 2, rtol=1e-4, atol=1e-5)
    utils.remove_weight_norm(layer)
    np.testing.assert_allclose(layer.weight.numpy(), former * 2, rtol=1e-5)


def test_wrong_use_of_split_weights() -> None:
    with pytest.raises(AssertionError, match="-2 to 1"):
        utils.weight_norm(paddle.nn.Linear(3, 4), dim=2)
    with pytest.raises(KeyError, match="nothing"):
        utils.weight_norm(paddle.nn.Linear(3, 4), name="nothing")
    with pytest.raises(ValueError, match="weight"):
        utils.remove_weight_norm(paddle.nn.Linear(3, 4))
    layer = utils.weight_norm(paddle.nn.Linear(3, 4))
    with pytest.raises(RuntimeError, match="weight"):
        utils.weight_norm(layer)


def test_what_programs_have_no_use_for() -> None:
    layer, other = paddle.nn.Linear(2, 3), paddle.nn.Linear(2, 3)
    vector = utils.parameters_to_vector(layer.parameters())
    np.testing.assert_array_equal(vector.numpy(), np.concatenate([p.numpy().ravel() for p in layer.parameters()]))
    vector.sum().backward()
    assert vector.is_leaf and vector.grad is not None and layer.weight.grad is None
    utils.vector_to_parameters(vector, other.parameters())
    np.testing.assert_array_equal(other.weight.numpy(), layer.weight.numpy())
    with pytest.raises(ValueError, match="9 elements"):
        utils.vector_to_parameters(vector[:3], other.parameters())
    (layer(paddle.ones([1, layer.weight.shape[0]]))).sum().backward()
    with pytest.raises(ValueError, match="clip_value"):
        utils.clip_grad_value_(layer.parameters(), -1.0)
    paddle.enable_static()
    refused: list[tuple[Any, type[Exception]]] = [
        (lambda: utils.clip_grad_norm_(layer.parameters(), 1.0), RuntimeError),
        (lambda: utils.clip_grad_value_(layer.parameters(), 1.0), RuntimeError),
        (lambda: utils.spectral_norm(layer), TypeError),
        (lambda: utils.parameters_to_vector(layer.parameters()), AssertionError),
        (lambda: utils.vector_to_parameters(vector, layer.parameters()), AssertionError),
    ]
    for call, error in refused:
        with pytest.raises(error, match="eager"):
            call()


def test_gradients_that_are_not_finite() -> None:
    layer = paddle.nn.Linear(2, 1, bias_attr=False)
    (layer(paddle.ones([1, 2])) * float("inf")).sum().backward()
    with pytest.raises(RuntimeError, match="finite"):
        utils.clip_grad_norm_(layer.parameters(), 1.0, error_if_nonfinite=True)


def test_a_weight_has_one_spectral_norm() -> None:
    layer = utils.spectral_norm(paddle.nn.Linear(3, 4))
    with pytest.raises(RuntimeError, match="weight"):
        utils.spectral_norm(layer)


@pytest.mark.parametrize("whole", [False, True])
def test_a_spectral_norm_is_the_same_in_a_recorded_layer(whole: bool) -> None:
    answers = []
    for recorded in (False, True):
        paddle.seed(1)
        net = paddle.nn.Sequential(utils.spectral_norm(paddle.nn.Linear(3, 4), n_power_iterations=2), paddle.nn.ReLU())
        run = paddle.jit.to_static(net, full_graph=whole) if recorded else net
        found = []
        for _ in range(3):
            out = run(paddle.arange(6.0).reshape([2, 3]))
            out.sum().backward()
            found += [out.numpy(), net[0].weight_orig.grad.numpy(), net[0].weight_u.numpy(), net[0].weight_v.numpy()]
        net.eval()
        answers.append([*found, run(paddle.ones([1, 3])).numpy(), net[0].weight_u.numpy()])
    first, *_, last = (u for u in answers[0][2::4])
    assert abs(first - last).max() > 1e-6  # the vectors moved
    for eager, recorded_one in zip(*answers):
        np.testing.assert_allclose(recorded_one, eager, rtol=1e-5, atol=1e-6)
