"""What `paddle.fluid` does to graphs: gradients, gradients of gradients, clones for a test, layers with states."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import paddle.fluid as fluid
from fluid_training import FluidModel

layers = fluid.layers


def points() -> Any:
    """Points and their classes."""
    x = fluid.data(name="x", shape=[None, 8], dtype="float32")
    y = fluid.data(name="y", shape=[None, 1], dtype="int64")
    return x, y


def first_gradients() -> list[Any]:
    """gradients() with respect to an input and a parameter."""
    x, y = points()
    x.stop_gradient = False
    hidden = layers.fc(x, size=4, act="tanh", param_attr="w")
    loss = layers.reduce_sum(hidden * hidden)
    by_x, by_w = fluid.gradients([loss], [x, fluid.default_main_program().global_block().var("w")])
    return [loss, by_x, by_w]


def given_gradients() -> list[Any]:
    """gradients() with target gradients and a variable that stops them."""
    x, y = points()
    x.stop_gradient = False
    weight = layers.fc(x, size=8, bias_attr=False)
    hidden = layers.relu(x * weight)
    start = layers.fill_constant_batch_size_like(hidden, shape=[-1, 8], dtype="float32", value=0.5)
    by_x = fluid.gradients(hidden, x, target_gradients=[start], no_grad_set={weight.name})
    return [layers.reduce_sum(hidden), by_x[0]]


def second_gradients() -> list[Any]:
    """The gradient penalty of a WGAN: a loss that holds a gradient, minimised."""
    x, y = points()
    x.stop_gradient = False
    hidden = layers.fc(x, size=16, act="leaky_relu")
    score = layers.fc(hidden, size=1)
    slope = fluid.gradients(score, x)[0]
    length = layers.sqrt(layers.reduce_sum(layers.square(slope), dim=1) + 1e-6)
    penalty = layers.reduce_mean(layers.square(length - 1.0))
    loss = layers.mean(score) + penalty * 10.0
    fluid.optimizer.SGD(0.01).minimize(loss)
    return [loss, penalty]


def many_uses() -> list[Any]:
    """A variable used several times: its gradients are summed; two losses are added."""
    x, y = points()
    hidden = layers.fc(x, size=8, act="sigmoid")
    more = layers.elementwise_add(layers.scale(hidden, 2.0), layers.square(hidden))
    joined = layers.concat([hidden, more, hidden], axis=1)
    left, right = layers.split(joined, num_or_sections=[8, 16], dim=1)
    first = layers.softmax_with_cross_entropy(layers.fc([left, right], size=datasets.CLASSES), y)
    second = layers.reduce_mean(layers.abs(hidden), dim=[1], keep_dim=True)
    stopped = layers.scale(hidden, 3.0)
    stopped.stop_gradient = True
    loss = layers.mean(layers.sums([first, second, layers.reduce_sum(stopped, dim=1, keep_dim=True)]))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return [loss, hidden.name + "@GRAD"]


class Cloned(FluidModel):
    """A model whose test program is a clone: dropout and batch norm change what they do."""

    def more_programs(self, session: Any) -> dict[str, Any]:
        """Clones for a test taken before and after minimize, and a full copy."""
        main = session.main
        return {"test": self.test, "late_test": main.clone(for_test=True), "copy": main.clone()}

    def network(self, dropout: float) -> list[Any]:
        """Convolutions with dropout and every normalisation; the test program is cloned before minimize."""
        image = fluid.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
        label = fluid.data(name="label", shape=[None, 1], dtype="int64")
        hidden = layers.conv2d(image, num_filters=4, filter_size=5, stride=2, act="relu")
        hidden = layers.batch_norm(hidden, momentum=0.8, epsilon=1e-3)
        hidden = layers.pool2d(hidden, pool_size=2, pool_type="avg", pool_stride=2)
        hidden = layers.dropout(hidden, dropout_prob=dropout)
        hidden = layers.dropout(hidden, dropout_prob=dropout, dropout_implementation="upscale_in_train")
        hidden = layers.conv2d(hidden, num_filters=8, filter_size=3, padding=1, groups=2, bias_attr=False)
        hidden = layers.group_norm(hidden, groups=4)
        hidden = layers.instance_norm(hidden)
        hidden = layers.fc(hidden, size=16)
        hidden = layers.layer_norm(hidden)
        hidden = layers.prelu(hidden, mode="all")
        prediction = layers.fc(hidden, size=10, act="softmax")
        self.test = fluid.default_main_program().clone(for_test=True)
        loss = layers.mean(layers.cross_entropy(prediction, label))
        fluid.optimizer.Momentum(0.05, 0.9).minimize(loss)
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
    init = fluid.initializer
    made = {
        "constant": init.Constant(0.3),
        "uniform": init.Uniform(-0.5, 0.5),
        "uniform_seed": init.Uniform(-0.5, 0.5, seed=7),
        "normal": init.Normal(0.1, 2.0),
        "normal_seed": init.Normal(0.0, 1.0, seed=3),
        "truncated": init.TruncatedNormal(0.0, 0.5),
        "xavier": init.Xavier(),
        "xavier_normal": init.Xavier(uniform=False, fan_in=4),
        "msra": init.MSRA(),
        "msra_normal": init.MSRA(uniform=False),
        "given": init.NumpyArrayInitializer(datasets.draw(1).rand(6, 5).astype("float32")),
    }
    parameters = [
        layers.create_parameter([6, 5], "float32", name=name, default_initializer=value) for name, value in made.items()
    ]
    kernel = layers.create_parameter([4, 3, 3, 3], "float32", name="kernel", default_initializer=init.MSRA())
    bilinear = layers.create_parameter([2, 2, 4, 4], "float32", name="bilinear", default_initializer=init.Bilinear())
    total = layers.sums([layers.reduce_sum(p) for p in [*parameters, kernel, bilinear]])
    return [total]


def random_layers() -> list[Any]:
    """Random operators: those with a seed of their own repeat their numbers, the others ignore the program's seed."""
    x, y = points()
    layers.uniform_random([3, 4], min=-2.0, max=2.0)
    layers.gaussian_random([3, 4], mean=1.0, std=2.0)
    layers.uniform_random_batch_size_like(x, shape=[-1, 5])
    return [
        layers.uniform_random([3, 4], seed=5),
        layers.gaussian_random([3, 4], mean=1.0, std=2.0, seed=6),
        layers.uniform_random_batch_size_like(x, shape=[-1, 5], seed=8),
        layers.gaussian_random_batch_size_like(x, shape=[-1, 5], seed=9),
        layers.sampling_id(layers.softmax(x), seed=4),
    ]


def python_op() -> list[Any]:
    """py_func in the forward and in the backward pass."""
    x, y = points()
    hidden = layers.fc(x, size=4)
    out = fluid.default_main_program().current_block().create_var(name="doubled", dtype="float32", shape=hidden.shape)
    # 1.8 refuses functions with annotations here
    layers.py_func(
        func=lambda value: np.array(value) * 2.0,
        x=hidden,
        out=out,
        backward_func=lambda value, result, gradient: np.array(gradient) * 2.0,
    )
    loss = layers.mean(layers.softmax_with_cross_entropy(out, y))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return [loss]


MODELS = {
    "gradients": FluidModel(first_gradients, datasets.points, steps=2),
    "gradients_given": FluidModel(given_gradients, datasets.points, steps=2),
    "gradient_penalty": FluidModel(second_gradients, datasets.points, steps=6),
    "repeated_gradients": FluidModel(many_uses, datasets.points, steps=10),
    "clone_for_test": Steady(),
    "clone_with_dropout": Dropped(),
    "initializers": FluidModel(initializers, lambda i: {}, steps=1),
    "random_layers": FluidModel(random_layers, datasets.points, steps=2),
    "py_func": FluidModel(python_op, datasets.points, steps=5),
}
