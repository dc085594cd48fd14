"""First steps in `paddle.static`: linear regression, the MLP of the Fleet trainer, LeNet."""

from __future__ import annotations

from typing import Any

import datasets
import paddle
import paddle.nn.functional as F
from static_training import StaticModel


def linear_regression() -> list[Any]:
    """House prices from 13 features, one fully connected layer, SGD."""
    x = paddle.static.data(name="x", shape=[None, 13], dtype="float32")
    y = paddle.static.data(name="y", shape=[None, 1], dtype="float32")
    y_predict = paddle.static.nn.fc(x, size=1)
    loss = F.square_error_cost(y_predict, y)
    avg_loss = paddle.mean(loss)
    paddle.optimizer.SGD(learning_rate=0.05).minimize(avg_loss)
    return [avg_loss, y_predict]


def mlp(input_x: Any, input_y: Any, hid_dim: int = 128, label_dim: int = 2) -> Any:
    """The network of the Fleet trainer."""
    fc_1 = paddle.static.nn.fc(x=input_x, size=hid_dim, activation="tanh")
    fc_2 = paddle.static.nn.fc(x=fc_1, size=hid_dim, activation="tanh")
    prediction = paddle.static.nn.fc(x=[fc_2], size=label_dim, activation="softmax")
    cost = F.cross_entropy(input=prediction, label=input_y)
    avg_cost = paddle.mean(x=cost)
    return avg_cost


def fleet_mlp() -> list[Any]:
    """The Fleet trainer; its cost is fetched by name."""
    input_x = paddle.static.data(name="x", shape=[None, 32], dtype="float32")
    input_y = paddle.static.data(name="y", shape=[None, 1], dtype="int64")
    cost = mlp(input_x, input_y)
    optimizer = paddle.optimizer.SGD(learning_rate=0.01)
    optimizer.minimize(cost)
    return [cost.name]


def lenet() -> list[Any]:
    """The convolutional network of the handwritten digits tutorial, Adam."""
    img = paddle.static.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
    label = paddle.static.data(name="label", shape=[None, 1], dtype="int64")
    conv1 = paddle.static.nn.conv2d(img, num_filters=6, filter_size=3, padding=1, act="relu")
    pool1 = F.max_pool2d(conv1, kernel_size=2, stride=2)
    conv2 = paddle.static.nn.conv2d(pool1, num_filters=16, filter_size=5, bias_attr=False)
    norm2 = paddle.static.nn.batch_norm(conv2, act="relu")
    pool2 = F.avg_pool2d(norm2, kernel_size=2, stride=2)
    flat = paddle.flatten(pool2, start_axis=1)
    hidden = paddle.static.nn.fc(flat, size=120, activation="relu")
    logits = paddle.static.nn.fc(hidden, size=10)
    loss = paddle.mean(F.softmax_with_cross_entropy(logits=logits, label=label))
    acc = paddle.static.accuracy(input=F.softmax(logits), label=label)
    paddle.optimizer.Adam(learning_rate=0.001).minimize(loss)
    return [loss, acc]


def lenet_layers() -> list[Any]:
    """The same with layers of `paddle.nn` in a Sequential."""
    img = paddle.static.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
    label = paddle.static.data(name="label", shape=[None, 1], dtype="int64")
    net = paddle.nn.Sequential(
        paddle.nn.Conv2D(1, 6, 3, stride=1, padding=1),
        paddle.nn.ReLU(),
        paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Conv2D(6, 16, 5, stride=1, padding=0),
        paddle.nn.ReLU(),
        paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Flatten(),
        paddle.nn.Linear(400, 120),
        paddle.nn.Linear(120, 84),
        paddle.nn.Linear(84, 10),
    )
    predicted = net(img)
    loss = paddle.nn.CrossEntropyLoss()(predicted, label)
    acc = paddle.metric.accuracy(predicted, label, k=2)
    paddle.optimizer.Adam(learning_rate=0.001, parameters=net.parameters()).minimize(loss)
    return [loss, acc]


MODELS = {
    "linear_regression": StaticModel(linear_regression, datasets.houses),
    "fleet_mlp": StaticModel(fleet_mlp, datasets.fleet),
    "lenet_adam": StaticModel(lenet, datasets.digits),
    "lenet_layers": StaticModel(lenet_layers, datasets.digits),
}
