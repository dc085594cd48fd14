"""Integers whose `stop_gradient` is False have gradients, which are whole numbers, as in Paddle 2.6.2.

The figures are that wheel's, but where an integer is read twice: it refuses to add such gradients up.
"""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core import eager


def _open(values: Any, dtype: str = "int64") -> Any:
    return paddle.to_tensor(values, dtype=dtype, stop_gradient=False)


def test_an_operator_of_integers() -> None:
    x = _open([1, 2, 3])
    y = x * 2
    assert (y.dtype, y.stop_gradient, y.is_leaf, x.is_leaf) == (paddle.int64, False, False, True)
    y.sum().backward()
    assert (x.grad.dtype, x.grad.tolist(), x.grad.stop_gradient) == (paddle.int64, [2, 2, 2], False)
    (x * x).sum().backward()
    assert x.grad.tolist() == [4, 6, 8]
    x.clear_grad()
    assert x.grad.tolist() == [0, 0, 0]


def test_through_floats_and_back() -> None:
    x, w = _open([1, 2, 3]), paddle.to_tensor([0.5, 1.5, 2.5], stop_gradient=False)
    y = x.astype("float32")
    assert not y.stop_gradient
    z = (y * w).sum()
    z.backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([0, 1, 2], [1.0, 2.0, 3.0])  # cut, not rounded


def test_each_use_is_cut() -> None:
    x = _open([1, 2])
    (x.astype("float32") * 0.75 + x.astype("float32") * 0.75).sum().backward()
    assert x.grad.tolist() == [0, 0]


def test_asked_for() -> None:
    x, w = _open([1, 2, 3]), paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    found = paddle.grad((w * x).sum(), [x, w])
    assert [g.tolist() for g in found] == [[1, 2, 3], [1.0, 2.0, 3.0]]
    assert [g.dtype for g in found] == [paddle.int64, paddle.float32]
    assert x.grad is None


def test_several_starts_and_blocked_ways() -> None:
    x = _open([1, 2, 3])
    paddle.autograd.backward([x * 2, x * 3], [paddle.to_tensor([1, 1, 0]), None])
    assert x.grad.tolist() == [5, 5, 3]
    y = x * 2
    assert paddle.grad((y * 4).sum(), x, no_grad_vars=[y], allow_unused=True) == [None]  # 2.6.2 ends the process


def test_parts() -> None:
    x = _open([[1, 2], [3, 4]])
    (x[1] * paddle.to_tensor([5, 7])).sum().backward()
    assert x.grad.tolist() == [[0, 0], [5, 7]]
    y = x * 1
    y[0] = 9
    y.sum().backward()
    assert (y.tolist(), x.grad.tolist()) == ([[9, 9], [3, 4]], [[0, 0], [6, 8]])


def test_in_place() -> None:
    x = _open([1, 2])
    with pytest.raises(ValueError, match="can't use inplace strategy"):
        x.add_(x)
    with pytest.raises(ValueError, match="can't use inplace strategy"):
        x[0] = 1
    y = x * 3
    y += x
    y.sum().backward()
    assert (y.tolist(), x.grad.tolist()) == ([4, 8], [4, 4])


def test_hooks_and_kept_gradients() -> None:
    x = _open([1, 2])
    seen = []
    x.register_hook(lambda grad: seen.append(grad.dtype) or grad * 10)
    y = x * 2
    y.retain_grads()
    y.sum().backward()
    assert (seen, x.grad.tolist(), y.grad.tolist()) == ([paddle.int64], [20, 20], [1, 1])


def test_stopped() -> None:
    x = _open([1, 2])
    assert x.detach().stop_gradient and not copy.deepcopy(x).stop_gradient and not x.clone().stop_gradient
    with paddle.no_grad():
        assert (x + 1).stop_gradient
    x.stop_gradient = True
    assert (x + 1).stop_gradient


_OPERATIONS: dict[str, tuple[Callable[[Any], Any], list[int]]] = {
    "reshape": (lambda x: x.reshape([3, 1]) * paddle.to_tensor([[1], [2], [3]]), [1, 2, 3]),
    "concat": (lambda x: paddle.concat([x, x]), [2, 2, 2]),
    "stack": (lambda x: paddle.stack([x, x * 2]), [3, 3, 3]),
    "split": (lambda x: x.split(3)[1], [0, 1, 0]),
    "max": (lambda x: x.max(), [0, 0, 1]),
    "square": (lambda x: x.square(), [2, 4, 6]),
    "negative": (lambda x: -x, [-1, -1, -1]),
    "scale": (lambda x: x.scale(3), [3, 3, 3]),
    "number on the left": (lambda x: 5 - x, [-1, -1, -1]),
    "gather": (lambda x: x.gather(paddle.to_tensor([2, 2])), [0, 0, 2]),
    "where": (lambda x: paddle.where(x > 1, x, x * 4), [4, 1, 1]),
    "cast": (lambda x: x.cast("int32") * 2, [2, 2, 2]),
    "sort": (lambda x: x.sort(descending=True)[0], [0, 0, 1]),
    "cumsum": (lambda x: x.cumsum(), [3, 2, 1]),
    "tile": (lambda x: x.tile([2]), [2, 2, 2]),
    "quotient": (lambda x: x / 2, [0, 0, 0]),
    "matmul": (lambda x: x.matmul(x), [2, 4, 6]),
}


@pytest.mark.parametrize("name", _OPERATIONS)
def test_gradients(name: str) -> None:
    operation, expected = _OPERATIONS[name]
    x = _open([1, 2, 3])
    operation(x).sum().backward()
    assert x.grad.tolist() == expected


def test_the_short_ways_are_open_again_afterwards() -> None:
    gc.collect()
    x = _open([1, 2, 3])
    y = x * 2
    del x
    assert eager.follow is not None
    del y
    gc.collect()
    assert eager.follow is None


def test_written_to_twice() -> None:
    x, y = paddle.to_tensor([1, 2]), _open([3, 4])
    x.add_(y)
    x.add_(y)
    x[0] = y[1]
    assert (x.tolist(), x.stop_gradient) == ([4, 10], False)
    (x.astype("float32") * 3).sum().backward()
    assert y.grad.tolist() == [0, 9]
