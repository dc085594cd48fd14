"""Sizes one after another, some of which are Tensors: what Paddle 3.3.1 takes, and what functions with unknown sizes record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.static import InputSpec


def _two() -> Any:
    return paddle.to_tensor(2)


@pytest.mark.parametrize("name", ["zeros", "ones", "rand", "randn", "empty"])
@pytest.mark.parametrize("last", [_two, lambda: np.int64(2)])
def test_new_tensors(name: str, last: Any) -> None:
    assert getattr(paddle, name)(3, last()).shape == [3, 2]


@pytest.mark.parametrize("name", ["new_zeros", "new_ones"])
def test_new_tensors_of_a_kind(name: str) -> None:
    assert getattr(paddle.ones([6]), name)(3, _two()).shape == [3, 2]


def test_other_shapes() -> None:
    x = paddle.ones([6])
    assert x.reshape(_two(), 3).shape == x.view(_two(), 3).shape == paddle.reshape(x, _two(), 3).shape == [2, 3]
    assert x.reshape(3, _two()).shape == x.view(3, _two()).shape == [3, 2]
    assert paddle.ones([1, 3]).expand(_two(), 3).shape == [2, 3]
    assert x.repeat(3, _two()).shape == [3, 12]


def test_one_tensor_is_a_whole_shape() -> None:
    assert paddle.ones([6]).reshape(paddle.to_tensor([2, 3])).shape == [2, 3]
    assert paddle.zeros(paddle.to_tensor([2, 3]), "int64").dtype == paddle.int64


def test_recorded_with_an_unknown_size() -> None:
    def repeated(x: Any, like: Any) -> Any:
        return x.repeat(like.shape[0], 1)

    recorded = paddle.jit.to_static(repeated, input_spec=[InputSpec([1, None]), InputSpec([None, 2])], full_graph=True)
    x = paddle.to_tensor([[1.0, 2.0, 3.0]])
    assert recorded(x, paddle.ones([2, 2])).tolist() == [[1.0, 2.0, 3.0]] * 2
    assert recorded(x, paddle.ones([3, 2])).tolist() == [[1.0, 2.0, 3.0]] * 3
