"""Models in the 2.x spelling that are saved: what each builds, as the variables to feed and to fetch."""

from __future__ import annotations

from typing import Any

import paddle
from paddle import static
from paddle.nn import functional


def mlp() -> Any:
    """Two layers with dropout between them, trained with Adam."""
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
    hidden = functional.dropout(static.nn.fc(x, 3, activation="relu"), 0.3)
    prediction = static.nn.fc(hidden, 2, activation="softmax")
    loss = paddle.mean(functional.cross_entropy(prediction, y, use_softmax=False))
    paddle.optimizer.Adam(0.01).minimize(loss)
    return [x], [prediction], loss


def line() -> Any:
    """A linear regression, trained with Momentum; the gradient of its scale is an ordinary operator."""
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
    prediction = static.nn.fc(x, 1) * 0.5
    loss = paddle.mean(functional.square_error_cost(prediction, paddle.cast(y, "float32")))
    paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
    return [x], [prediction], loss


def convolution() -> Any:
    """A convolution with batch norm and a pool."""
    image = static.data("image", [None, 3, 8, 8])
    maps = static.nn.batch_norm(static.nn.conv2d(image, 4, 3, padding=1), act="relu")
    return [image], [static.nn.fc(functional.max_pool2d(maps, 2), 2)]


def loop() -> Any:
    """A while loop and a condition."""
    n = static.data("n", [1], "int64")
    i, total = paddle.full([1], 0, "int64"), paddle.full([1], 1.0)
    total = static.nn.while_loop(lambda i, _: i < n, lambda i, total: [i + 1, total * 1.5], [i, total])[1]
    return [n], [static.nn.cond(n > 3, lambda: total + 1, lambda: total - 1)]
