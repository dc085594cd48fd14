"""Eager scripts on images, in the manner of Paddle 1.8's own tests and model zoo."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle.fluid as fluid
from dygraph_training import EagerModel, numbers
from paddle.fluid.dygraph import BatchNorm, Conv2D, Conv2DTranspose, InstanceNorm, Layer, Linear, Pool2D, to_variable

layers = fluid.layers


def images(step: int, count: int, channels: int, size: int) -> Any:
    """A batch of images that depends on the step alone."""
    return to_variable(np.random.RandomState(step).uniform(-1, 1, (count, channels, size, size)).astype("float32"))


class ConvPool(Layer):
    """A convolution and a pooling."""

    def __init__(self, channels: int, filters: int, filter_size: int) -> None:
        super(ConvPool, self).__init__()
        self._conv = Conv2D(channels, filters, filter_size, act="relu")
        self._pool = Pool2D(pool_size=2, pool_type="max", pool_stride=2)

    def forward(self, inputs: Any) -> Any:
        return self._pool(self._conv(inputs))


class Mnist(Layer):
    """The handwritten digits network of Paddle's tests."""

    def __init__(self) -> None:
        super(Mnist, self).__init__()
        self._first = ConvPool(1, 8, 5)
        self._second = ConvPool(8, 16, 5)
        scale = (2.0 / (256**2 * 10)) ** 0.5
        start = fluid.ParamAttr(initializer=fluid.initializer.NormalInitializer(loc=0.0, scale=scale))
        self._fc = Linear(256, 10, param_attr=start, act="softmax")

    def forward(self, inputs: Any, label: Any = None) -> Any:
        x = self._second(self._first(inputs))
        x = self._fc(layers.reshape(x, shape=[-1, 256]))
        return (x, layers.accuracy(input=x, label=label)) if label is not None else x


def mnist() -> Any:
    """Digits with Adam."""
    net = Mnist()
    adam = fluid.optimizer.AdamOptimizer(learning_rate=0.001, parameter_list=net.parameters())

    def step(index: int) -> Any:
        img, label = images(index, 16, 1, 28), numbers(index, 16, 1, high=10)
        label.stop_gradient = True
        cost, acc = net(img, label)
        loss = layers.mean(layers.cross_entropy(cost, label))
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        return loss, acc

    return [net], step


class ConvNorm(Layer):
    """A convolution without bias and a batch norm."""

    def __init__(self, channels: int, filters: int, size: int, stride: int = 1, act: Any = None) -> None:
        super(ConvNorm, self).__init__()
        self._conv = Conv2D(channels, filters, size, stride, (size - 1) // 2, bias_attr=False)
        self._norm = BatchNorm(filters, act=act)

    def forward(self, inputs: Any) -> Any:
        return self._norm(self._conv(inputs))


class Bottleneck(Layer):
    """Three convolutions beside a short cut."""

    def __init__(self, channels: int, filters: int, stride: int, shortcut: bool) -> None:
        super(Bottleneck, self).__init__()
        self.conv0 = ConvNorm(channels, filters, 1, act="relu")
        self.conv1 = ConvNorm(filters, filters, 3, stride, act="relu")
        self.conv2 = ConvNorm(filters, filters * 4, 1)
        if not shortcut:
            self.short = ConvNorm(channels, filters * 4, 1, stride)
        self.shortcut = shortcut

    def forward(self, inputs: Any) -> Any:
        y = self.conv2(self.conv1(self.conv0(inputs)))
        short = inputs if self.shortcut else self.short(inputs)
        return layers.relu(layers.elementwise_add(x=short, y=y))


class ResNet(Layer):
    """A residual network with few filters."""

    def __init__(self, depths: Any = (2, 2), filters: Any = (8, 16)) -> None:
        super(ResNet, self).__init__()
        self.conv = ConvNorm(3, 8, 7, 2, act="relu")
        self.pool = Pool2D(pool_size=3, pool_stride=2, pool_padding=1, pool_type="max")
        self.blocks = []
        channels = 8
        for stage, depth in enumerate(depths):
            for number in range(depth):
                stride = 2 if number == 0 and stage else 1
                block = self.add_sublayer("bb_%d_%d" % (stage, number), Bottleneck(channels, filters[stage], stride, number > 0))
                channels = filters[stage] * 4
                self.blocks.append(block)
        self.last = Pool2D(pool_type="avg", global_pooling=True)
        bound = 1.0 / channels**0.5
        start = fluid.param_attr.ParamAttr(initializer=fluid.initializer.Uniform(-bound, bound))
        self.width = channels
        self.out = Linear(channels, 10, act="softmax", param_attr=start)

    def forward(self, inputs: Any) -> Any:
        y = self.pool(self.conv(inputs))
        for block in self.blocks:
            y = block(y)
        return self.out(layers.reshape(self.last(y), shape=[-1, self.width]))


def resnet() -> Any:
    """A ResNet with momentum, decay and a piecewise rate."""
    net = ResNet()
    rate = fluid.dygraph.PiecewiseDecay([1, 2], [0.1, 0.05, 0.01], begin=0)
    optimizer = fluid.optimizer.Momentum(
        learning_rate=rate, momentum=0.9, regularization=fluid.regularizer.L2Decay(1e-4), parameter_list=net.parameters()
    )

    def step(index: int) -> Any:
        loss = layers.mean(layers.cross_entropy(net(images(index, 8, 3, 32)), numbers(index, 8, 1, high=10)))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class Generator(Layer):
    """Noise to images."""

    def __init__(self) -> None:
        super(Generator, self).__init__()
        self.fc, self.norm0 = Linear(8, 8 * 4 * 4), BatchNorm(8, act="relu")
        self.conv1, self.norm1 = Conv2DTranspose(8, 4, 4, stride=2, padding=1), BatchNorm(4, act="relu")
        self.conv2 = Conv2DTranspose(4, 1, 4, stride=2, padding=1, act="tanh")

    def forward(self, noise: Any) -> Any:
        x = self.norm0(layers.reshape(self.fc(noise), [-1, 8, 4, 4]))
        return self.conv2(self.norm1(self.conv1(x)))


class Discriminator(Layer):
    """Images to a chance."""

    def __init__(self) -> None:
        super(Discriminator, self).__init__()
        self.conv1, self.conv2 = Conv2D(1, 4, 4, stride=2, padding=1), Conv2D(4, 8, 4, stride=2, padding=1)
        self.norm, self.fc = BatchNorm(8), Linear(8 * 4 * 4, 1)

    def forward(self, x: Any) -> Any:
        x = layers.leaky_relu(self.conv1(x), alpha=0.2)
        x = layers.leaky_relu(self.norm(self.conv2(x)), alpha=0.2)
        return self.fc(layers.reshape(x, [-1, 8 * 4 * 4]))


def dcgan() -> Any:
    """Two networks against each other, with an optimizer each."""
    maker, judge = Generator(), Discriminator()
    first = fluid.optimizer.Adam(2e-3, beta1=0.5, parameter_list=judge.parameters())
    second = fluid.optimizer.Adam(2e-3, beta1=0.5, parameter_list=maker.parameters())

    def cost(logits: Any, value: float) -> Any:
        label = layers.fill_constant([8, 1], "float32", value)
        return layers.mean(layers.sigmoid_cross_entropy_with_logits(logits, label))

    def step(index: int) -> Any:
        noise = to_variable(np.random.RandomState(index).normal(size=(8, 8)).astype("float32"))
        fake = maker(noise)
        loss = cost(judge(images(index, 8, 1, 16)), 1.0) + cost(judge(fake.detach()), 0.0)
        loss.backward()
        first.minimize(loss)
        judge.clear_gradients()
        maker.clear_gradients()
        other = cost(judge(maker(noise)), 1.0)
        other.backward()
        second.minimize(other)
        judge.clear_gradients()
        maker.clear_gradients()
        return loss, other

    return [maker, judge], step


class Translator(Layer):
    """Images of one kind to another, with instance norms."""

    def __init__(self) -> None:
        super(Translator, self).__init__()
        self.down, self.norm1 = Conv2D(3, 4, 3, stride=2, padding=1), InstanceNorm(4)
        self.same, self.norm2 = Conv2D(4, 4, 3, padding=1), InstanceNorm(4)
        self.up = Conv2DTranspose(4, 3, 4, stride=2, padding=1, act="tanh")

    def forward(self, x: Any) -> Any:
        x = layers.tanh(self.norm1(self.down(x)))
        return self.up(x + layers.tanh(self.norm2(self.same(x))))


def cyclegan() -> Any:
    """There and back; losses of squares and distances; a rate that the script lets fall."""
    there, back, judge = Translator(), Translator(), Conv2D(3, 1, 4, stride=2)
    adam = fluid.optimizer.Adam(5e-3, beta1=0.5, parameter_list=there.parameters() + back.parameters())
    other = fluid.optimizer.Adam(5e-3, beta1=0.5, parameter_list=judge.parameters())

    def step(index: int) -> Any:
        x = images(index, 2, 3, 8)
        fake = there(x)
        cycle = layers.reduce_mean(layers.abs(layers.elementwise_sub(x, back(fake)))) * 10.0
        loss = layers.reduce_mean(layers.square(judge(fake) - 1)) + cycle
        loss.backward()
        adam.minimize(loss)
        for net in (there, back, judge):
            net.clear_gradients()
        with fluid.dygraph.no_grad():
            made = there(x)
        wrong = (layers.square(judge(images(77 + index, 2, 3, 8)) - 1) + layers.square(judge(made))) / 2.0
        wrong = layers.reduce_mean(wrong)
        wrong.backward()
        other.minimize(wrong)
        judge.clear_gradients()
        return loss, wrong

    return [there, back, judge], step


MODELS = {
    "mnist": EagerModel(mnist),
    "resnet": EagerModel(resnet, steps=3),
    # a bias in front of a norm has no gradient but rounding
    "dcgan": EagerModel(dcgan, loose=("0.fc.bias", "0.norm0._mean", "0.conv1.bias", "0.norm1._mean", "1.conv2.bias", "1.norm._mean")),
    "cyclegan": EagerModel(cyclegan, loose=("down.bias", "same.bias")),
}
