"""Real floats behind a complex Tensor in `add_n` and `stack`: what Paddle 2.6.2 and 3.3.1 give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

Z = np.array([1 + 1j, 2], "complex64")


@pytest.mark.parametrize(
    ("function", "expected"),
    [(paddle.add_n, [5 + 1j, 8]), (paddle.stack, [[1 + 1j, 2], [1, 2], [3, 4]])],
    ids=["add_n", "stack"],
)  # fmt: skip
def test_floats_become_complex(function: Any, expected: Any) -> None:
    paddle.disable_static()
    z, x = paddle.to_tensor(Z, stop_gradient=False), paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    out = function([z, x, paddle.to_tensor([3.0, 4.0], "float64")])
    paddle.real(out).sum().backward()
    assert str(out.dtype) == "paddle.complex64" and out.tolist() == expected
    assert z.grad.tolist() == [1, 1]
    assert str(x.grad.dtype) == "paddle.float32" and x.grad.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("function", [paddle.add_n, paddle.stack], ids=["add_n", "stack"])
def test_nothing_else_meets(function: Any) -> None:
    paddle.disable_static()
    z, x = paddle.to_tensor(Z), paddle.to_tensor([1.0, 2.0])
    for others in ([x, z], [z, x.astype("int64")], [z, x.astype("float64"), x.astype("int32")], [x, x.astype("float64")]):
        with pytest.raises(ValueError):
            function(others)
