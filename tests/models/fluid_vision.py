"""Images in `paddle.fluid`: ResNet-18 with piecewise decay, and a GAN of two programs."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import paddle.fluid as fluid
from fluid_training import FluidModel
from paddle.fluid.param_attr import ParamAttr
from training import Session

NOISE = 8


def conv_bn_layer(
    input: Any, num_filters: int, filter_size: int, stride: int = 1, act: Any = None, name: str = ""
) -> Any:
    """Convolution without bias and batch norm, named as in the model zoo."""
    conv = fluid.layers.conv2d(
        input=input,
        num_filters=num_filters,
        filter_size=filter_size,
        stride=stride,
        padding=(filter_size - 1) // 2,
        act=None,
        param_attr=ParamAttr(name=name + "_weights"),
        bias_attr=False,
        name=name + ".conv2d.output.1",
    )
    bn_name = "bn" + name[3:] if name.startswith("res") else "bn_" + name
    return fluid.layers.batch_norm(
        input=conv,
        act=act,
        name=bn_name + ".output.1",
        param_attr=ParamAttr(name=bn_name + "_scale"),
        bias_attr=ParamAttr(bn_name + "_offset"),
        moving_mean_name=bn_name + "_mean",
        moving_variance_name=bn_name + "_variance",
    )


def basic_block(input: Any, num_filters: int, stride: int, name: str) -> Any:
    """Two convolutions beside a shortcut."""
    conv0 = conv_bn_layer(input, num_filters, 3, stride, act="relu", name=name + "_branch2a")
    conv1 = conv_bn_layer(conv0, num_filters, 3, name=name + "_branch2b")
    short = input
    if input.shape[1] != num_filters or stride != 1:
        short = conv_bn_layer(input, num_filters, 1, stride, name=name + "_branch1")
    return fluid.layers.elementwise_add(x=short, y=conv1, act="relu")


def resnet18() -> list[Any]:
    """ResNet-18 on images of 48 x 48: Momentum, L2 decay, learning rate by piecewise decay."""
    image = fluid.data(name="image", shape=[None, 3, 48, 48], dtype="float32")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    conv = conv_bn_layer(input=image, num_filters=64, filter_size=7, stride=2, act="relu", name="conv1")
    conv = fluid.layers.pool2d(input=conv, pool_size=3, pool_stride=2, pool_padding=1, pool_type="max")
    for stage, num_filters in enumerate([64, 128, 256, 512]):
        for block in range(2):
            name = "res" + str(stage + 2) + chr(97 + block)
            conv = basic_block(conv, num_filters, stride=2 if block == 0 and stage != 0 else 1, name=name)
    pool = fluid.layers.pool2d(input=conv, pool_type="avg", global_pooling=True)
    stdv = 1.0 / (pool.shape[1] ** 0.5)
    out = fluid.layers.fc(
        input=pool, size=10, param_attr=ParamAttr(initializer=fluid.initializer.Uniform(-stdv, stdv), name="fc_weights")
    )
    cost, prob = fluid.layers.softmax_with_cross_entropy(out, label, return_softmax=True)
    avg_cost = fluid.layers.mean(cost)
    acc = fluid.layers.accuracy(input=prob, label=label, k=1)
    learning_rate = fluid.layers.piecewise_decay(boundaries=[1, 2], values=[0.005, 0.002, 0.001])
    optimizer = fluid.optimizer.Momentum(
        learning_rate=learning_rate, momentum=0.9, regularization=fluid.regularizer.L2Decay(1e-4)
    )
    optimizer.minimize(avg_cost)
    return [avg_cost, acc, learning_rate]


def generator(noise: Any) -> Any:
    """From noise to a point; its parameters are found again by their names."""
    hidden = fluid.layers.fc(noise, size=16, act="relu", param_attr="g_w1", bias_attr="g_b1")
    return fluid.layers.fc(hidden, size=2, param_attr="g_w2", bias_attr="g_b2")


def discriminator(point: Any) -> Any:
    """How real a point looks."""
    hidden = fluid.layers.fc(point, size=16, param_attr="d_w1", bias_attr="d_b1")
    hidden = fluid.layers.leaky_relu(hidden, alpha=0.2)
    return fluid.layers.fc(hidden, size=1, param_attr="d_w2", bias_attr="d_b2")


def judged(logit: Any, value: float) -> Any:
    """The loss of calling all of these real (1) or made up (0)."""
    target = fluid.layers.fill_constant_batch_size_like(logit, shape=[-1, 1], dtype="float32", value=value)
    return fluid.layers.mean(fluid.layers.sigmoid_cross_entropy_with_logits(x=logit, label=target))


class Gan(FluidModel):
    """Two programs over one scope, trained in turn, each by an optimizer of its own."""

    def __init__(self) -> None:
        super().__init__(list, lambda i: {})

    def networks(self, session: Session) -> dict[str, Any]:
        """Build both programs; the startup program initialises both."""
        d_program, g_program = fluid.Program(), fluid.Program()
        d_program.random_seed = g_program.random_seed = self.seed
        with fluid.program_guard(d_program, session.startup):
            real = fluid.data(name="real", shape=[None, 2], dtype="float32")
            fake = fluid.data(name="fake", shape=[None, 2], dtype="float32")
            d_loss = judged(discriminator(real), 1.0) + judged(discriminator(fake), 0.0)
            fluid.optimizer.Adam(learning_rate=0.005, beta1=0.5).minimize(d_loss)
        with fluid.program_guard(g_program, session.startup):
            noise = fluid.data(name="noise", shape=[None, NOISE], dtype="float32")
            made = generator(noise)
            g_test = g_program.clone(for_test=True)
            g_loss = judged(discriminator(made), 1.0)
            parameters = [p.name for p in g_program.global_block().all_parameters() if p.name.startswith("g_")]
            fluid.optimizer.Adam(learning_rate=0.002, beta1=0.5).minimize(g_loss, parameter_list=parameters)
        return {
            "programs": {
                "discriminator": d_program,
                "generator": g_program,
                "test": g_test,
                "startup": session.startup,
            },
            "fetch": (made, d_loss, g_loss),
        }

    def programs(self) -> dict[str, Any]:
        """Both programs, the generator as it was cloned for use, and the startup program."""
        with self.session() as session:
            return dict(self.networks(session)["programs"])

    def run(self, steps: int) -> dict[str, Any]:
        """Make points, teach the discriminator, teach the generator."""
        with self.session() as session:
            built = self.networks(session)
            made, d_loss, g_loss = built["fetch"]
            programs = [built["programs"]["discriminator"], built["programs"]["generator"]]
            exe = session.executor
            exe.run(session.startup)
            initial = session.parameters(programs)
            results = []
            for i in range(steps):
                rng = datasets.draw(i)
                noise = rng.randn(32, NOISE).astype("float32")
                real = (rng.randn(32, 2) * [0.5, 0.2] + [1.0, -1.0]).astype("float32")
                fake = exe.run(built["programs"]["test"], feed={"noise": noise}, fetch_list=[made])[0]
                d = exe.run(programs[0], feed={"real": real, "fake": fake}, fetch_list=[d_loss])[0]
                g = exe.run(programs[1], feed={"noise": noise}, fetch_list=[g_loss])[0]
                results.append([np.concatenate([d, g]), fake])
            return self.report(results, initial, session.parameters(programs))


MODELS = {
    "resnet18_momentum": FluidModel(resnet18, datasets.photos, steps=3, seed=95),
    "gan": Gan(),
}
