"""`x.data` read and set: Paddle 2.6.2's wheel makes the Tensor share all that the other one holds, 3.3.1's its values alone."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from processes import Runner

import paddle_compat as paddle


def leaf(*values: float) -> paddle.Tensor:
    return paddle.to_tensor(list(values), stop_gradient=False)


def gradient(x: paddle.Tensor) -> Any:
    return None if x.grad is None else x.grad.tolist()


def test_what_was_computed_from_a_parameter_takes_its_place() -> None:
    weight = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    seen: list[Any] = []
    weight.register_hook(lambda grad: seen.append(grad.tolist()))
    weight.data = weight.data * 2
    assert (weight.tolist(), weight.stop_gradient, weight.is_leaf, weight.trainable) == ([2.0, 2.0], False, False, True)
    (weight * 2).sum().backward()
    assert gradient(weight) is None and seen == [[4.0, 4.0]]


def test_gradients_go_where_those_of_the_other_tensor_go() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    product = y * 2
    x.data = product
    (x * 5).sum().backward()
    assert (x.is_leaf, gradient(x), gradient(y), gradient(product)) == (False, None, [10.0, 10.0], None)
    result = x * 2
    result.data = result.data * 3
    assert (result.stop_gradient, result.is_leaf) == (False, False)
    with paddle.no_grad():
        y.data = y.data * 2
    assert (y.stop_gradient, y.is_leaf, y.tolist()) == (True, True, [6.0, 8.0])


def test_two_tensors_are_one() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x * 7).sum().backward()
    x.data = y
    assert gradient(x) is None and x.name == y.name
    (x * 2 + y * 3).sum().backward()
    assert gradient(x) == gradient(y) == [5.0, 5.0]
    x.clear_grad()
    assert gradient(y) == [0.0, 0.0]
    with paddle.no_grad():
        y.fill_(9.0)
    assert x.tolist() == [9.0, 9.0]
    y.data = y
    (y * 2).sum().backward()
    assert gradient(y) == [2.0, 2.0]


def test_a_parameter_takes_shape_type_and_name() -> None:
    weight, other = paddle.create_parameter([2], "float32"), paddle.ones([3], "int64")
    assert other.name != weight.name
    weight.data = other
    assert (weight.dtype, weight.shape, weight.stop_gradient, weight.trainable) == (paddle.int64, [3], True, False)
    assert (weight.name, weight.persistable) == (other.name, False)
    with pytest.raises(ValueError, match="data"):
        weight.data = [1.0]


THREE = """
    import paddle

    def leaf(*values):
        return paddle.to_tensor(list(values), stop_gradient=False)

    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x.data * y).sum().backward()
    print(x.grad, y.grad.tolist(), x.data is x, x.data.stop_gradient, x.data.data_ptr() == x.data_ptr())
    x.data[0] = 9.0
    x.data.add_(paddle.ones([2]))
    print(x.tolist())
    layer = paddle.nn.Linear(2, 2)
    name = layer.weight.name
    layer.weight.data.fill_(0.5)
    layer.weight.data *= 2.0
    layer.weight.data += paddle.ones([2, 2])
    layer(paddle.ones([1, 2])).sum().backward()
    print(layer.weight.tolist(), layer.weight.grad.tolist(), layer.weight.name == name, layer.weight.trainable)
    layer.weight.data = paddle.ones([3], "float64")
    print(layer.weight.shape, layer.weight.dtype == paddle.float64, layer.weight.stop_gradient)
    layer.weight.data = paddle.ones([3], "int64")
    print(layer.weight.dtype == paddle.int64, layer.weight.stop_gradient, layer.weight.persistable)
"""


def test_values_alone_since_paddle_3(full: Runner) -> None:
    full.write({"train.py": textwrap.dedent(THREE)})
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    assert full.output("-m", "paddle_compat", "train.py").splitlines() == [
        "None [1.0, 2.0] False True True",
        "[10.0, 3.0]",
        "[[2.0, 2.0], [2.0, 2.0]] [[1.0, 1.0], [1.0, 1.0]] True True",
        "paddle.Size([3]) True False",
        "True False True",
    ]
