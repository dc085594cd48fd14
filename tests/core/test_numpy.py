"""Tensor.numpy: asked for again and again, a copy of what the Tensor holds now, however it was changed."""

import copy
import pickle

import numpy as np
import pytest
import torch

import paddle_compat as paddle


def _reshaped(x):
    with paddle.no_grad():
        x.reshape_([3, 2])


def _stepped(x):
    other = paddle.base.framework.EagerParamBase.from_tensor(paddle.ones([2]))
    optimizer = paddle.optimizer.Momentum(0.1, parameters=[x, other])  # whose fused update moves what it trains into one memory
    for _ in range(2):
        ((x * x).sum() + other.sum()).backward()
        optimizer.step()
        optimizer.clear_grad()


def _trained(x):
    x.stop_gradient = False
    (x * x).sum().backward()


CHANGES = {
    "add_": lambda x: x.add_(paddle.ones([2, 3])),
    "item": lambda x: x.__setitem__((0, 1), 7.0),
    "set_value": lambda x: x.set_value(np.full((2, 3), 5, "float32")),
    "copy_": lambda x: x.copy_(paddle.zeros([2, 3]), True),
    "resized": lambda x: x.copy_(paddle.zeros([4]), True),
    "reshape_": _reshaped,
    "transposed": lambda x: x.set_(x, [3, 2], [1, 3]),
    "unsqueeze_": lambda x: x.unsqueeze_(0),
    "double": lambda x: x.cast_("float64"),
    "fill_": lambda x: x.fill_(2.0),
    "zero_": lambda x: x.zero_(),
    "gradient": _trained,
    "torch": lambda x: x._t.detach().mul_(3),
    "memory": lambda x: setattr(x._t, "data", torch.full((2, 3), 4.0)),
    "array": lambda x: x.numpy().fill(9),  # a copy: nothing changes
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("asked", [0, 1, 2, 3])
def test_what_a_change_leaves(change, asked):
    x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    for _ in range(asked):
        np.testing.assert_array_equal(x.numpy(), np.arange(6).reshape(2, 3))
    CHANGES[change](x)
    expected = x._t.detach().clone().numpy()
    for _ in range(3):
        got = x.numpy()
        assert got.dtype == expected.dtype and got.shape == expected.shape
        np.testing.assert_array_equal(got, expected)
        got.fill(-1)


@pytest.mark.parametrize("change", [_stepped, _reshaped], ids=["step", "reshape_"])
@pytest.mark.parametrize("asked", [1, 2, 3])
def test_a_parameter(change, asked):
    x = paddle.base.framework.EagerParamBase.from_tensor(paddle.ones([2, 3]))
    before = [x.numpy() for _ in range(asked)]
    change(x)
    assert all((array == 1).all() for array in before)
    for _ in range(3):
        got = x.numpy()
        np.testing.assert_array_equal(got, x._t.detach().clone().numpy())


@pytest.mark.parametrize(
    "value",
    [paddle.to_tensor(3.0), paddle.zeros([0, 4]), paddle.ones([3], "bfloat16"), paddle.to_tensor([1 + 2j]).conj(),
     paddle.arange(9000), paddle.to_tensor([True, False]), paddle.ones([4, 3]).transpose([1, 0])],
    ids=["0-D", "empty", "bfloat16", "conjugate", "large", "bool", "transposed"],
)  # fmt: skip
def test_each_time_the_same_and_never_shared(value):
    first = value.numpy()
    expected = first.copy()
    for _ in range(4):
        got = value.numpy()
        assert got.dtype == expected.dtype and got.flags.writeable and got.flags.owndata
        np.testing.assert_array_equal(got, expected)
        got[...] = 0


def test_copies_of_a_tensor_have_their_own():
    x = paddle.to_tensor([1.0, 2.0])
    for _ in range(3):
        x.numpy()
    others = [copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone(), x.detach().clone()]
    x.fill_(8.0)
    for other in others:
        assert [other.numpy().tolist() for _ in range(3)] == [[1.0, 2.0]] * 3
