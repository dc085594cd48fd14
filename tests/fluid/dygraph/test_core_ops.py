"""`fluid.core.ops`: operators of Paddle 1.8's eager mode by position. The numbers are those of the 1.8.5 wheel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.fluid import core


@pytest.fixture(autouse=True)
def eager() -> Iterator[None]:
    """Eager mode."""
    with fluid.dygraph.guard():
        yield


def values() -> core.VarBase:
    return fluid.dygraph.to_variable(np.array([[1.0, -2.0], [3.0, 4.0]], "float32"))


def test_inputs_then_attributes() -> None:
    x = values()
    assert core.ops.elementwise_add(x, x, "axis", -1).numpy().tolist() == [[2.0, -4.0], [6.0, 8.0]]
    assert core.ops.concat([x, x], "axis", 1).shape == [2, 4]
    assert [part.shape for part in core.ops.split(x, 2, "num", 2, "axis", 0)] == [[1, 2], [1, 2]]
    assert core.ops.reshape2(x, "shape", [4])[0].numpy().tolist() == [1.0, -2.0, 3.0, 4.0]
    assert isinstance(core.ops.relu(x), core.VarBase)


def test_an_optional_input_may_be_none() -> None:
    found = core.ops.layer_norm(values(), None, None, "epsilon", 1e-5)[0].numpy()
    np.testing.assert_allclose(found, [[0.9999977946, -0.9999977946], [-0.9999799728, 0.9999799728]], rtol=1e-6)


def test_updates_take_their_outputs() -> None:
    x, rate = values(), fluid.layers.ones([1], "float32")
    core.ops.sgd(x, rate, x, x)
    assert x.numpy().tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_outputs_that_are_taken_and_filled() -> None:
    x, product = values(), fluid.framework._varbase_creator(dtype="float32")
    assert isinstance(product, core.VarBase)
    given = core.ops.matmul(x, x, product, "transpose_X", False, "transpose_Y", True, "alpha", 1.0)
    assert given.numpy().tolist() == product.numpy().tolist() == [[5.0, -5.0], [-5.0, 25.0]]
    correct, total = (fluid.framework._varbase_creator(dtype="int32") for _ in range(2))
    best, places = core.ops.top_k(x, "k", 1)
    label = fluid.dygraph.to_variable(np.array([[1], [1]]))
    assert core.ops.accuracy(best, places, label, correct, total)[0].numpy().tolist() == [0.5]
    assert [correct.numpy().tolist(), total.numpy().tolist()] == [[1], [2]]
    mean, variance, one = fluid.layers.zeros([2], "float32"), fluid.layers.ones([2], "float32"), fluid.layers.ones([2], "float32")
    assert core.ops.batch_norm(x, one, one, mean, variance, mean, variance, "momentum", 0.5)[0].shape == [2, 2]
    assert mean.numpy().tolist() == [1.0, 0.5] and variance.numpy().tolist() == pytest.approx([1.0, 5.0])


def test_gradients() -> None:
    x = values()
    x.stop_gradient = False
    core.ops.mean(core.ops.scale(x, "scale", 4.0)).backward()
    assert x.gradient().tolist() == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("args", [(), (1,), ("axis",), (values, "axis")])
def test_wrong_arguments(args: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"relu\(\): incompatible function arguments. Expected X.*Received"):
        core.ops.relu(*(a() if callable(a) else a for a in args))


def test_no_such_operator() -> None:
    assert not hasattr(core.ops, "nope")
