"""What `paddle.static` does to graphs: gradients, gradients of gradients, clones for a test, layers with states."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import nn, static
from static_training import StaticModel


def points() -> Any:
    """Points and their classes."""
    x = static.data(name="x", shape=[None, 8], dtype="float32")
    y = static.data(name="y", shape=[None, 1], dtype="int64")
    return x, y


def first_gradients() -> list[Any]:
    """gradients() with respect to an input and a parameter."""
    x, y = points()
    x.stop_gradient = False
    hidden = static.nn.fc(x, size=4, activation="tanh", weight_attr=paddle.ParamAttr("w"))
    loss = paddle.sum(hidden * hidden)
    by_x, by_w = static.gradients([loss], [x, static.default_main_program().global_block().var("w")])
    return [loss, by_x, by_w]


def given_gradients() -> list[Any]:
    """gradients() with target gradients and a variable that stops them."""
    x, y = points()
    x.stop_gradient = False
    weight = static.nn.fc(x, size=8, bias_attr=False)
    hidden = F.relu(x * weight)
    start = paddle.full_like(hidden, 0.5)
    by_x = static.gradients(hidden, x, target_gradients=[start], no_grad_set={weight.name})
    return [paddle.sum(hidden), by_x[0]]


def second_gradients() -> list[Any]:
    """The gradient penalty of a WGAN: a loss that holds a gradient, minimised."""
    x, y = points()
    x.stop_gradient = False
    hidden = static.nn.fc(x, size=16, activation="leaky_relu")
    score = static.nn.fc(hidden, size=1)
    slope = static.gradients(score, x)[0]
    length = paddle.sqrt(paddle.sum(paddle.square(slope), axis=1) + 1e-6)
    penalty = paddle.mean(paddle.square(length - 1.0))
    loss = paddle.mean(score) + penalty * 10.0
    paddle.optimizer.SGD(0.01).minimize(loss)
    return [loss, penalty]


def many_uses() -> list[Any]:
    """A variable used several times: its gradients are summed; two losses are added."""
    x, y = points()
    hidden = static.nn.fc(x, size=8, activation="sigmoid")
    more = paddle.add(paddle.scale(hidden, 2.0), paddle.square(hidden))
    joined = paddle.concat([hidden, more, hidden], axis=1)
    left, right = paddle.split(joined, [8, 16], axis=1)
    logits = static.nn.fc([left, right], size=datasets.CLASSES)
    first = F.cross_entropy(logits, y, reduction="none")
    second = paddle.mean(paddle.abs(hidden), axis=[1], keepdim=True)
    stopped = paddle.scale(hidden, 3.0)
    stopped.stop_gradient = True
    loss = paddle.mean(paddle.add_n([first, second, paddle.sum(stopped, axis=1, keepdim=True)]))
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [loss, hidden.name + "@GRAD"]


def operators() -> list[Any]:
    """Operators of Python: arithmetic with numbers, comparison, indexing, matrix product."""
    x, y = points()
    x.stop_gradient = False
    part = x[:, 1:5] * 2.0 - 0.5 / (x[:, 0:4] ** 2 + 1.0)
    row = x[0] + paddle.ones([8])
    product = paddle.matmul(part, part, transpose_y=True) @ part
    chosen = paddle.where(product > 0, product, -product)
    picked = paddle.gather(chosen, paddle.to_tensor([0, 2, 3]))
    stacked = paddle.stack([picked, paddle.tile(row[:4], [3, 1])], axis=0)
    loss = paddle.mean(paddle.transpose(stacked, [1, 0, 2]).reshape([3, -1])) + paddle.max(x) - paddle.prod(row[0:2])
    by_x = static.gradients(loss, x)[0]
    return [loss, by_x, (y == 1).astype("float32").sum()]


class Cloned(StaticModel):
    """A model whose test program is a clone: dropout and batch norm change what they do."""

    def more_programs(self, session: Any) -> dict[str, Any]:
        """Clones for a test taken before and after minimize, and a full copy."""
        main = session.main
        return {"test": self.test, "late_test": main.clone(for_test=True), "copy": main.clone()}

    def network(self, dropout: float) -> list[Any]:
        """Convolutions with dropout and every normalisation; the test program is cloned before minimize."""
        image = static.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
        label = static.data(name="label", shape=[None, 1], dtype="int64")
        hidden = static.nn.conv2d(image, num_filters=4, filter_size=5, stride=2, act="relu")
        hidden = static.nn.batch_norm(hidden, momentum=0.8, epsilon=1e-3)
        hidden = F.avg_pool2d(hidden, kernel_size=2, stride=2)
        hidden = F.dropout(hidden, p=dropout)
        hidden = F.dropout(hidden, p=dropout, mode="downscale_in_infer")
        hidden = static.nn.conv2d(hidden, num_filters=8, filter_size=3, padding=1, groups=2, bias_attr=False)
        hidden = static.nn.group_norm(hidden, groups=4)
        hidden = static.nn.instance_norm(hidden)
        hidden = static.nn.fc(hidden, size=16)
        hidden = static.nn.layer_norm(hidden)
        hidden = static.nn.prelu(hidden, mode="all")
        prediction = static.nn.fc(hidden, size=10, activation="softmax")
        self.test = static.default_main_program().clone(for_test=True)
        loss = paddle.mean(F.cross_entropy(prediction, label, use_softmax=False))
        paddle.optimizer.Momentum(0.05, 0.9).minimize(loss)
        self.prediction = prediction
        return [loss]

    def step(self, session: Any, fetch: list[Any], i: int) -> list[Any]:
        """A training step, then the prediction of the test program."""
        outs = super().step(session, fetch, i)
        test = session.executor.run(self.test, feed=datasets.digits(50), fetch_list=[self.prediction])
        return [*outs, *test]


class Steady(Cloned):
    """Without dropout, so that every number can be compared."""

    def __init__(self) -> None:
        super().__init__(lambda: self.network(0.0), datasets.digits, steps=6)


class Dropped(Cloned):
    """With dropout; only its programs are compared."""

    def __init__(self) -> None:
        super().__init__(lambda: self.network(0.3))


def initializers() -> list[Any]:
    """A parameter from each initializer; nothing is trained."""
    init = nn.initializer
    made = {
        "constant": init.Constant(0.3),
        "uniform": init.Uniform(-0.5, 0.5),
        "normal": init.Normal(0.1, 2.0),
        "truncated": init.TruncatedNormal(0.0, 0.5),
        "xavier_uniform": init.XavierUniform(),
        "xavier_normal": init.XavierNormal(fan_in=4),
        "kaiming_uniform": init.KaimingUniform(),
        "kaiming_normal": init.KaimingNormal(nonlinearity="leaky_relu", negative_slope=0.1),
        "given": init.Assign(datasets.draw(1).rand(6, 5).astype("float32")),
        "orthogonal": init.Orthogonal(gain=1.5),
    }
    parameters = [
        static.create_parameter([6, 5], "float32", name=name, default_initializer=value) for name, value in made.items()
    ]
    kernel = static.create_parameter([4, 3, 3, 3], "float32", name="kernel", default_initializer=init.KaimingNormal())
    dirac = static.create_parameter([4, 3, 3], "float32", name="dirac", default_initializer=init.Dirac())
    bilinear = static.create_parameter([2, 2, 4, 4], "float32", name="bilinear", default_initializer=init.Bilinear())
    return [paddle.add_n([paddle.sum(p) for p in [*parameters, kernel, dirac, bilinear]])]


def random_functions() -> list[Any]:
    """Random functions draw from one stream that paddle.seed starts; each run goes on in it."""
    points()
    return [
        paddle.uniform([3, 4], min=-2.0, max=2.0),
        paddle.normal(mean=1.0, std=2.0, shape=[3, 4]),
        paddle.randn([5]),
        paddle.rand([5]),
        paddle.randint(0, 10, [6]),
        paddle.randperm(7),
        paddle.standard_normal([3]),
        paddle.bernoulli(paddle.full([8], 0.5)),
    ]


def python_op() -> list[Any]:
    """py_func in the forward and in the backward pass, and Print."""
    x, y = points()
    hidden = static.nn.fc(x, size=4)
    block = static.default_main_program().current_block()
    out = block.create_var(name="doubled", dtype="float32", shape=hidden.shape)

    def double(value: Any) -> Any:
        return np.array(value) * 2.0

    def double_back(value: Any, result: Any, gradient: Any) -> Any:
        return np.array(gradient) * 2.0

    static.py_func(func=double, x=hidden, out=out, backward_func=double_back)
    loss = F.cross_entropy(out, y)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [loss]


MODELS = {
    "gradients": StaticModel(first_gradients, datasets.points, steps=2),
    "gradients_given": StaticModel(given_gradients, datasets.points, steps=2),
    "gradient_penalty": StaticModel(second_gradients, datasets.points, steps=10),
    "repeated_gradients": StaticModel(many_uses, datasets.points, steps=10),
    "operators": StaticModel(operators, datasets.points, steps=3),
    "clone_for_test": Steady(),
    "clone_with_dropout": Dropped(),
    "initializers": StaticModel(initializers, lambda i: {}, steps=1),
    "random_functions": StaticModel(random_functions, datasets.points, steps=2),
    "py_func": StaticModel(python_op, datasets.points, steps=5),
}
