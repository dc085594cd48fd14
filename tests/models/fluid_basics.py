"""First steps in `paddle.fluid`: linear regression, the MLP of the Fleet trainer, LeNet."""

from __future__ import annotations

from typing import Any

import datasets
import paddle.fluid as fluid
from fluid_training import FluidModel


def linear_regression() -> list[Any]:
    """House prices from 13 features, one fully connected layer, SGD."""
    x = fluid.layers.data(name="x", shape=[13], dtype="float32")
    y = fluid.layers.data(name="y", shape=[1], dtype="float32")
    y_predict = fluid.layers.fc(input=x, size=1, act=None)
    cost = fluid.layers.square_error_cost(input=y_predict, label=y)
    avg_loss = fluid.layers.mean(cost)
    sgd_optimizer = fluid.optimizer.SGD(learning_rate=0.05)
    sgd_optimizer.minimize(avg_loss)
    return [avg_loss, y_predict]


def mlp(input_x: Any, input_y: Any, hid_dim: int = 128, label_dim: int = 2) -> Any:
    """The network of the Fleet trainer."""
    fc_1 = fluid.layers.fc(input=input_x, size=hid_dim, act="tanh")
    fc_2 = fluid.layers.fc(input=fc_1, size=hid_dim, act="tanh")
    prediction = fluid.layers.fc(input=[fc_2], size=label_dim, act="softmax")
    cost = fluid.layers.cross_entropy(input=prediction, label=input_y)
    return fluid.layers.mean(x=cost)


def fleet_mlp() -> list[Any]:
    """The Fleet trainer; its cost is fetched by name."""
    input_x = fluid.layers.data(name="x", shape=[32], dtype="float32")
    input_y = fluid.layers.data(name="y", shape=[1], dtype="int64")
    cost = mlp(input_x, input_y)
    optimizer = fluid.optimizer.SGD(learning_rate=0.01)
    optimizer.minimize(cost)
    return [cost.name]


def lenet() -> list[Any]:
    """The convolutional network of the handwritten digits tutorial, Adam."""
    img = fluid.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    conv_pool_1 = fluid.nets.simple_img_conv_pool(
        input=img, filter_size=5, num_filters=20, pool_size=2, pool_stride=2, act="relu"
    )
    conv_pool_1 = fluid.layers.batch_norm(conv_pool_1)
    conv_pool_2 = fluid.nets.simple_img_conv_pool(
        input=conv_pool_1, filter_size=5, num_filters=50, pool_size=2, pool_stride=2, act="relu"
    )
    prediction = fluid.layers.fc(input=conv_pool_2, size=10, act="softmax")
    cost = fluid.layers.cross_entropy(input=prediction, label=label)
    avg_cost = fluid.layers.mean(cost)
    acc = fluid.layers.accuracy(input=prediction, label=label)
    optimizer = fluid.optimizer.Adam(learning_rate=0.001)
    optimizer.minimize(avg_cost)
    return [avg_cost, acc]


MODELS = {
    "linear_regression": FluidModel(linear_regression, datasets.houses),
    "fleet_mlp": FluidModel(fleet_mlp, datasets.fleet),
    "lenet_adam": FluidModel(lenet, datasets.digits, seed=91),
}
