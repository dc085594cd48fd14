"""Images in `paddle.static`: ResNet-18 in two spellings, and a GAN of two programs."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import ParamAttr, nn, static
from static_training import StaticModel
from training import Session

NOISE = 8


def conv_bn(x: Any, num_filters: int, filter_size: int, stride: int = 1, act: Any = None, name: str = "") -> Any:
    """Convolution without bias and batch norm, by `static.nn`."""
    conv = static.nn.conv2d(
        input=x,
        num_filters=num_filters,
        filter_size=filter_size,
        stride=stride,
        padding=(filter_size - 1) // 2,
        param_attr=ParamAttr(name=name + ".conv.weight"),
        bias_attr=False,
    )
    return static.nn.batch_norm(
        input=conv,
        act=act,
        param_attr=ParamAttr(name=name + ".bn.weight"),
        bias_attr=ParamAttr(name=name + ".bn.bias"),
        moving_mean_name=name + ".bn.mean",
        moving_variance_name=name + ".bn.variance",
    )


def basic_block(x: Any, num_filters: int, stride: int, name: str) -> Any:
    """Two convolutions beside a shortcut."""
    y = conv_bn(x, num_filters, 3, stride, act="relu", name=name + ".0")
    y = conv_bn(y, num_filters, 3, name=name + ".1")
    if x.shape[1] != num_filters or stride != 1:
        x = conv_bn(x, num_filters, 1, stride, name=name + ".down")
    return F.relu(paddle.add(x, y))


def functional_resnet18(image: Any) -> Any:
    """The network as functions."""
    x = conv_bn(image, 64, 7, 2, act="relu", name="stem")
    x = F.max_pool2d(x, kernel_size=3, stride=2, padding=1)
    for stage, num_filters in enumerate([64, 128, 256, 512]):
        for block in range(2):
            stride = 2 if block == 0 and stage > 0 else 1
            x = basic_block(x, num_filters, stride, name=f"layer{stage + 1}.{block}")
    x = F.adaptive_avg_pool2d(x, 1)
    return static.nn.fc(paddle.squeeze(x, axis=[2, 3]), size=10, name="head")


class BasicBlock(nn.Layer):
    """Two convolutions beside a shortcut, as a layer."""

    def __init__(self, inplanes: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(planes)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(
                nn.Conv2D(inplanes, planes, 1, stride=stride, bias_attr=False), nn.BatchNorm2D(planes)
            )

    def forward(self, x: Any) -> Any:
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + identity)


class ResNet18(nn.Layer):
    """The network as layers."""

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.conv1 = nn.Conv2D(3, 64, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        stages = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
        blocks = [nn.Sequential(BasicBlock(i, o, s), BasicBlock(o, o, 1)) for i, o, s in stages]
        self.layers = nn.Sequential(*blocks)
        self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        self.fc = nn.Linear(512, num_classes)

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.avgpool(self.layers(x))
        return self.fc(paddle.flatten(x, 1))


def resnet18(network: Any) -> Any:
    """Momentum, L2 decay, learning rate by piecewise decay."""

    def build(scheduler: Any) -> list[Any]:
        image = static.data(name="image", shape=[None, 3, 48, 48], dtype="float32")
        label = static.data(name="label", shape=[None, 1], dtype="int64")
        logits = network(image)
        loss = F.cross_entropy(logits, label)
        acc = static.accuracy(F.softmax(logits), label)
        optimizer = paddle.optimizer.Momentum(
            learning_rate=scheduler, momentum=0.9, weight_decay=paddle.regularizer.L2Decay(1e-4)
        )
        optimizer.minimize(loss)
        return [loss, acc]

    return build


def piecewise() -> Any:
    """The schedule of both ResNets."""
    return paddle.optimizer.lr.PiecewiseDecay(boundaries=[1, 2], values=[0.005, 0.002, 0.001])


def generator(noise: Any) -> Any:
    """From noise to a point; its parameters are found again by their names."""
    hidden = static.nn.fc(noise, size=16, activation="relu", weight_attr=ParamAttr("g_w1"), bias_attr=ParamAttr("g_b1"))
    return static.nn.fc(hidden, size=2, weight_attr=ParamAttr("g_w2"), bias_attr=ParamAttr("g_b2"))


def discriminator(point: Any) -> Any:
    """How real a point looks."""
    hidden = static.nn.fc(point, size=16, weight_attr=ParamAttr("d_w1"), bias_attr=ParamAttr("d_b1"))
    hidden = F.leaky_relu(hidden, negative_slope=0.2)
    return static.nn.fc(hidden, size=1, weight_attr=ParamAttr("d_w2"), bias_attr=ParamAttr("d_b2"))


def judged(logit: Any, value: float) -> Any:
    """The loss of calling all of these real (1) or made up (0)."""
    return F.binary_cross_entropy_with_logits(logit, paddle.full_like(logit, value))


class Gan(StaticModel):
    """Two programs over one scope, trained in turn, each by an optimizer of its own."""

    def __init__(self) -> None:
        super().__init__(list, lambda i: {})

    def networks(self, session: Session) -> dict[str, Any]:
        """Build both programs; the startup program initialises both."""
        d_program, g_program = static.Program(), static.Program()
        with static.program_guard(d_program, session.startup):
            real = static.data(name="real", shape=[None, 2], dtype="float32")
            fake = static.data(name="fake", shape=[None, 2], dtype="float32")
            d_loss = judged(discriminator(real), 1.0) + judged(discriminator(fake), 0.0)
            paddle.optimizer.Adam(learning_rate=0.005, beta1=0.5).minimize(d_loss)
        with static.program_guard(g_program, session.startup):
            noise = static.data(name="noise", shape=[None, NOISE], dtype="float32")
            made = generator(noise)
            g_test = g_program.clone(for_test=True)
            g_loss = judged(discriminator(made), 1.0)
            parameters = [p for p in g_program.all_parameters() if p.name.startswith("g_")]
            paddle.optimizer.Adam(learning_rate=0.002, beta1=0.5).minimize(g_loss, parameters=parameters)
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
                results.append([np.array([d, g]), fake])
            return self.report(results, initial, session.parameters(programs))


MODELS = {
    "resnet18_momentum": StaticModel(
        resnet18(functional_resnet18), datasets.photos, scheduler=piecewise, steps=3, seed=94
    ),
    "resnet18_layers": StaticModel(
        resnet18(lambda image: ResNet18()(image)), datasets.photos, scheduler=piecewise, steps=3, seed=94
    ),
    "gan": Gan(),
}
