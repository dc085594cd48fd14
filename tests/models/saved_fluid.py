"""Models in the 1.8 spelling that are saved: what each builds, with the names to feed and the variables to fetch."""

from __future__ import annotations

from typing import Any

import paddle.fluid as fluid
from paddle.fluid import layers


def mlp() -> Any:
    """Two layers with dropout between them, trained with Adam."""
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1], "int64")
    hidden = layers.dropout(layers.fc(x, 3, act="relu"), 0.3)
    prediction = layers.fc(hidden, 2, act="softmax")
    loss = layers.mean(layers.cross_entropy(prediction, y))
    fluid.optimizer.Adam(0.01).minimize(loss)
    return ["x"], [prediction], loss


def convolution() -> Any:
    """A convolution with batch norm and a pool."""
    image = fluid.data("image", [None, 3, 8, 8])
    maps = layers.batch_norm(layers.conv2d(image, 4, 3, padding=1), act="relu")
    return ["image"], [layers.fc(layers.pool2d(maps, 2, "max", 2), 2)]


def sequence() -> Any:
    """Sequences of ids, looked up and pooled."""
    ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
    return ["ids"], [layers.fc(layers.sequence_pool(layers.embedding(ids, [7, 3]), "max"), 2)]


def loop() -> Any:
    """A while loop."""
    n = fluid.data("n", [1], "int64")
    i, total = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "float32", 1)
    condition = layers.less_than(i, n)
    block = layers.While(condition)
    with block.block():
        layers.assign(layers.scale(total, 1.5), total)
        layers.increment(i, 1)
        layers.less_than(i, n, cond=condition)
    return ["n"], [total]
