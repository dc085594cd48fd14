"""Second derivatives that the wheel does not have are those of finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.nn import functional as F

EXPRESSIONS = {
    "softmax": lambda x, w: F.softmax(x * w),
    "log_softmax": lambda x, w: F.log_softmax(x * w),
    "exp": lambda x, w: paddle.exp(x * w),
    "elementwise_pow": lambda x, w: paddle.pow(x * x + 1, w),
    "gelu": lambda x, w: F.gelu(x * w),
    "max": lambda x, w: (x * x * w).max(1),
    "stack": lambda x, w: paddle.stack([x * w, x * x]),
    "gather": lambda x, w: paddle.gather(x * x * w, paddle.to_tensor([0, 2, 2])),
    "where": lambda x, w: paddle.where(x > 0, x * w, x * x),
    "maximum": lambda x, w: paddle.maximum(x, w) * x,
    "norm": lambda x, w: paddle.norm(x * w, axis=1) * x[:, 0],
    "cumsum": lambda x, w: paddle.cumsum(x * x * w, 0),
    "bmm": lambda x, w: paddle.bmm(x.unsqueeze(0), (w * x).t().unsqueeze(0)),
    "smooth_l1": lambda x, w: F.smooth_l1_loss(x * x, w),
    "layer_norm": lambda x, w: F.layer_norm(x * w, [4]),
    "einsum": lambda x, w: paddle.einsum("ij,kj->ik", x, w) ** 2,
    "flatten": lambda x, w: (x * w * x).flatten(),
    "erf": lambda x, w: paddle.erf(x * w),
    "minimum": lambda x, w: paddle.minimum(x, w) * x,
    "cross_entropy": lambda x, w: F.cross_entropy(x * w, paddle.to_tensor([0, 1, 2])),
    "embedding": lambda x, w: F.embedding(paddle.to_tensor([0, 2, 2]), x * w),
    "conv2d_transpose": lambda x, w: F.conv2d_transpose(x.reshape([1, 3, 2, 2]), w.reshape([3, 1, 2, 2])) ** 2,
    "interpolate": lambda x, w: F.interpolate((x * x * w).reshape([1, 3, 2, 2]), scale_factor=2, mode="bilinear"),
    "prod": lambda x, w: paddle.prod(x * w, 1),
    "logsumexp": lambda x, w: paddle.logsumexp(x * w, 1),
}
X = np.sin(np.arange(12.0) * 0.75 + 0.75).reshape(3, 4) * 2
W = np.cos(np.arange(12.0) * 1.25 + 1.25).reshape(3, 4)


def slopes(function: Any, x: Any) -> Any:
    """The gradient of the squares of what a function gives."""
    y = function(x, paddle.to_tensor(W))
    return paddle.grad((y * y).sum(), x, create_graph=True)[0]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_second_derivatives(name: str) -> None:
    function, direction = EXPRESSIONS[name], np.cos(np.arange(12.0) * 2).reshape(3, 4)
    x = paddle.to_tensor(X, stop_gradient=False)
    g = slopes(function, x)
    found = paddle.grad((g * paddle.to_tensor(direction)).sum(), x)[0].numpy()
    step = 1e-5
    high, low = (slopes(function, paddle.to_tensor(X + s * direction, stop_gradient=False)).numpy() for s in (step, -step))
    np.testing.assert_allclose(found, (high - low) / (2 * step), rtol=1e-4, atol=1e-5)
