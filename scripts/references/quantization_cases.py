"""Networks with rounded values, trained so or made so afterwards; eager_quantization_2.6.2.json.gz is {case: answer}."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable

import numpy as np
from eager_answers import Case, answer, refused

WHEELS = ("2.6.2",)
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


def numbers(*shape: int, seed: int = 3) -> Any:
    """Normal numbers."""
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def lenet(paddle: Any) -> Any:
    """A small network for images of 12 x 12."""
    nn = paddle.nn

    class LeNet(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.Sequential(
                nn.Conv2D(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(4, 6, 3), nn.BatchNorm2D(6), nn.ReLU6()
            )
            self.fc = nn.Sequential(nn.Linear(96, 20), nn.Linear(20, 10))
            self.stub = nn.quant.Stub()

        def forward(self, x: Any) -> Any:
            return self.stub(self.fc(paddle.flatten(self.features(x), 1)))

    return LeNet()


def state(network: Any, most: int = 30) -> list[Any]:
    """Names, and small values."""
    held = network.state_dict().items()
    return [[key, value.name, list(value.shape), value.numpy() if value.size <= most else None] for key, value in held]


def trained(paddle: Any, network: Any, steps: int = 3) -> list[float]:
    """The losses of some steps."""
    optimizer = paddle.optimizer.Momentum(0.05, parameters=network.parameters())
    x, y = paddle.to_tensor(numbers(4, 1, 12, 12)), paddle.to_tensor(np.arange(4))
    losses = []
    for _ in range(steps):
        loss = paddle.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def quanter(paddle: Any, **settings: Any) -> Any:
    from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver  # type: ignore[import-not-found]

    return FakeQuanterWithAbsMaxObserver(**settings)


@case
def qat(paddle: Any) -> Any:
    q = quanter(paddle, moving_rate=0.9)
    made = paddle.quantization.QAT(paddle.quantization.QuantConfig(activation=q, weight=q))
    network = made.quantize(lenet(paddle))
    before = repr(network), [[n, s.full_name()] for n, s in network.named_sublayers()], state(network, 1)
    losses = trained(paddle, network)
    network.eval()
    x = paddle.to_tensor(numbers(4, 1, 12, 12, seed=4))
    out = network(x)
    converted, kept = made.convert(network), made.convert(network, remain_weight=True)
    after = repr(converted), state(converted), converted(x), kept(x), repr(kept), list(kept.state_dict())
    return [before, losses, state(network), out, after, repr(made), refused(lambda: made.quantize(network))]


@case
def qat_of_some_layers(paddle: Any) -> Any:
    nn = paddle.nn
    config = paddle.quantization.QuantConfig(activation=None, weight=None)
    network = lenet(paddle)
    config.add_layer_config([network.fc[0]], activation=quanter(paddle), weight=quanter(paddle, bit_length=4))
    config.add_name_config(network.fc[1].full_name(), weight=quanter(paddle, moving_rate=0.5))
    config.add_type_config(nn.Conv2D, activation=quanter(paddle, name="mine"))
    config.add_type_config([nn.MaxPool2D, nn.ReLU6], activation=quanter(paddle))
    made = paddle.quantization.QAT(config)
    changed = made.quantize(network, inplace=True)
    losses = trained(paddle, changed)
    same = changed is network
    changed = made.convert(changed, inplace=True)
    return [same, changed is network, losses, config.details().count("activation"), repr(made), repr(changed), state(changed, 1)]


@case
def which_settings_count(paddle: Any) -> Any:
    nn = paddle.nn
    a, b, c, d = (quanter(paddle, moving_rate=rate) for rate in (0.1, 0.2, 0.3, 0.4))

    class Net(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 4)))
            self.b, self.c, self.d = nn.Linear(4, 4), nn.LayerNorm(4), nn.Dropout(0.5)
            self.e = nn.Conv2D(1, 1, 1)

    network, config = Net(), paddle.quantization.QuantConfig(a, None)
    config.add_layer_config(network.a, activation=b, weight=b)
    config.add_type_config([nn.Linear, nn.LayerNorm], activation=c, weight=c)
    config.add_layer_config([network.b], activation=d)
    config.add_name_config([network.e.full_name()])
    config._specify(network)
    without = paddle.quantization.QuantConfig(None, None)
    texts = [str(without), without.details()]
    without._specify(network)
    return [config.details(), repr(paddle.quantization.QAT(config).quantize(network)), texts, without.details(), str(config.global_config)]


@case
def leaves_and_mappings(paddle: Any) -> Any:
    nn, a = paddle.nn, quanter(paddle)

    class Mine(nn.Linear):  # type: ignore[misc,name-defined]
        pass

    class Quanted(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self, layer: Any, config: Any) -> None:
            super().__init__()
            self.layer = layer

        def forward(self, x: Any) -> Any:
            return self.layer(x)

    config = paddle.quantization.QuantConfig(a, a)
    config.add_qat_layer_mapping(Mine, Quanted)
    config.add_customized_leaf(nn.Sequential)
    network = nn.LayerList([Mine(3, 3), nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3))])
    mapped = [source.__name__ for source in config.qat_layer_mappings], [s.__name__ for s in config.default_qat_layer_mapping]
    wrong = [refused(lambda: config.add_qat_layer_mapping(3, 4)), refused(lambda: config.add_qat_layer_mapping(nn.Linear, 3))]
    return [repr(paddle.quantization.QAT(config).quantize(network)), mapped, [c.__name__ for c in config.customized_leaves], wrong]


@case
def ptq(paddle: Any) -> Any:
    from paddle.quantization.observers import AbsmaxObserver  # type: ignore[import-not-found]

    observer = AbsmaxObserver(quant_bits=8)
    made = paddle.quantization.PTQ(paddle.quantization.QuantConfig(activation=observer, weight=observer))
    network = lenet(paddle)
    wrong = refused(lambda: made.quantize(network))
    network.eval()
    watched = made.quantize(network)
    texts = [repr(observer), repr(watched), list(watched.state_dict())]
    x = paddle.to_tensor(numbers(4, 1, 12, 12))
    outs = [watched(x), watched(x * 0.5)]
    converted = made.convert(watched)
    return [wrong, texts, outs, repr(converted), state(converted), converted(x)]


@case
def observers(paddle: Any) -> Any:
    from paddle.quantization.observers import AbsmaxObserver, GroupWiseWeightObserver

    one = AbsmaxObserver(4)._instance(paddle.nn.ReLU())
    found = [float(one.scales())]
    for factor in (1.0, 3.0, 2.0):
        one(paddle.to_tensor([0.5, -1.5]) * factor)
        one.cal_thresholds()
        found.append(float(one.scales()))
    groups = GroupWiseWeightObserver(quant_bits=4)._instance(paddle.nn.Linear(256, 3))
    groups(paddle.to_tensor(numbers(256, 3)))
    facts = [one.bit_length(), one.quant_axis(), one.zero_points(), groups.scales(), groups.zero_points(), groups.quant_axis()]
    wrong = refused(lambda: GroupWiseWeightObserver()._instance(paddle.nn.Linear(5, 3))(paddle.ones([5, 3])))
    return [found, facts, repr(groups), repr(GroupWiseWeightObserver(8, 64)), wrong]


@case
def quanters_of_ones_own(paddle: Any) -> Any:
    from paddle.quantization.factory import ObserverFactory, QuanterFactory, quanter  # type: ignore[import-not-found]

    global MyQuanterLayer  # the wheel's factory looks the class up in its module

    @quanter("MyQuanter")
    class MyQuanterLayer(paddle.quantization.BaseQuanter):  # type: ignore[misc,name-defined]
        def __init__(self, layer: Any, bits: int = 8, k: float = 1.0) -> None:
            super().__init__()
            self.bits, self.k = bits, k

        def forward(self, x: Any) -> Any:
            return x * self.k

        def scales(self) -> Any:
            return None

        def bit_length(self) -> int:
            return self.bits

        def quant_axis(self) -> int:
            return -1

        def zero_points(self) -> Any:
            return None

    factory = globals()["MyQuanter"]
    made = factory(bits=4, k=2.0)
    layer = made._instance(paddle.nn.ReLU())
    config = paddle.quantization.QuantConfig(quanters(paddle), made)
    network = paddle.quantization.QAT(config).quantize(paddle.nn.Sequential(paddle.nn.Linear(4, 2)))
    network(paddle.ones([1, 4]))
    converted = paddle.quantization.QAT(config).convert(network)
    return [
        repr(made), [c.__name__ for c in factory.__mro__], made.args, made.kwargs, type(layer).__name__, layer.bits, layer.k,
        repr(factory("a", k=2)), refused(lambda: factory(no=1)._instance(None)), refused(lambda: paddle.quantization.BaseQuanter()),
        refused(lambda: QuanterFactory()), refused(lambda: ObserverFactory()), repr(network), repr(converted),
    ]  # fmt: skip


def quanters(paddle: Any) -> Any:
    return quanter(paddle)


@case
def formats(paddle: Any) -> Any:
    from paddle.nn.quant.format import LinearDequanter, LinearQuanter, LinearQuanterDequanter  # type: ignore[import-not-found]
    from paddle.quantization.quanters.abs_max import FakeQuanterWithAbsMaxObserverLayer  # type: ignore[import-not-found]

    x = paddle.to_tensor(np.linspace(-2, 2, 12).astype("float32").reshape(3, 4))
    one = [LinearQuanter(paddle.to_tensor([1.5])), LinearDequanter(paddle.to_tensor([1.5]))]
    each = LinearQuanter(np.array([1.0, 2.0, 3.0], "float32"), None, 0, 4)
    both = LinearQuanterDequanter(*one)
    moved = FakeQuanterWithAbsMaxObserverLayer(paddle.nn.ReLU(), bit_length=4)
    rounded = [moved(x), moved(2 * x)]
    moved.eval()
    x.stop_gradient = False
    (moved(x) * paddle.arange(12).reshape([3, 4])).sum().backward()
    halves = paddle.to_tensor([0.5, 1.5, 2.5, -0.5, -1.5, 126.5, -127.5, -130.0])
    return [
        one[0](x), both(x), each(x), repr(both), [list(q.state_dict()) for q in (*one, each)], one[0]._scales.name, rounded, moved(x),
        x.grad, list(LinearQuanterDequanter.from_quanter(moved).state_dict()), LinearQuanter(paddle.to_tensor([127.0]))(halves),
        each._zero_point, each._quant_axis, one[0]._bit_length, LinearQuanter(paddle.to_tensor(1.5), paddle.to_tensor([3.0]))(x),
    ]  # fmt: skip


@case
def saved_networks(paddle: Any) -> Any:
    nn, q = paddle.nn, quanter(paddle)
    made = paddle.quantization.QAT(paddle.quantization.QuantConfig(q, q))
    network = made.quantize(nn.Sequential(nn.Conv2D(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(108, 4)))
    x = paddle.to_tensor(numbers(2, 1, 8, 8))
    network(x)
    network.eval()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for place, layer in enumerate((network, made.convert(network))):
            path = os.path.join(folder, str(place))
            paddle.jit.save(layer, path, input_spec=[paddle.static.InputSpec([None, 1, 8, 8], "float32", "x")])
            loaded = paddle.jit.load(path)
            operators = [
                (op.type, [op.attr(a) for a in ("bit_length", "quant_axis") if a in op.attr_names]) for op in operators_of(paddle, path)
            ]
            found.append([layer(x), loaded(x), operators, sorted(list(p.shape) for p in loaded.parameters())])
    return found


def operators_of(paddle: Any, path: str) -> Any:
    """The operators of a saved network."""
    with open(path + ".pdmodel", "rb") as file:
        content = file.read()
    paddle.enable_static()
    program = paddle.static.deserialize_program(content)
    paddle.disable_static()
    return program.global_block().ops


@case
def fake_quant_layers(paddle: Any) -> Any:
    from paddle.nn.quant import quant_layers as layers

    x = paddle.to_tensor(numbers(2, 3, 4, 4))
    x.stop_gradient = False
    found = []
    for layer in (
        layers.FakeQuantAbsMax(), layers.FakeQuantAbsMax(quant_on_weight=True, name="w", quant_bits=4),
        layers.FakeQuantMovingAverageAbsMax(quant_bits=4), layers.FakeQuantMovingAverageAbsMax(name="a", moving_rate=0.5),
        layers.FakeQuantChannelWiseAbsMax(channel_num=3, quant_on_weight=True, quant_axis=1), layers.MovingAverageAbsMaxScale(),
        layers.QuantStub(name="s"),
    ):  # fmt: skip
        outs = [layer(x), layer(2 * x)]
        outs[1].sum().backward()
        after = state(layer)
        layer.eval()
        found.append([repr(layer), outs[0].sum(), outs[1].sum(), after, layer(5 * x).sum(), state(layer), x.grad])
        x.clear_gradient()
    return [found, refused(lambda: layers.FakeQuantChannelWiseAbsMax(channel_num=3)), refused(lambda: layers._get_fake_quant_type("no"))]


def wrapped(paddle: Any, **settings: Any) -> list[Any]:
    """What the layers of paddle.nn.quant.quant_layers give around layers with weights."""
    from paddle.nn.quant import quant_layers as layers

    nn, found = paddle.nn, []
    x = paddle.to_tensor(numbers(2, 3, 8, 8))
    x.stop_gradient = False
    for source, kind in (
        (nn.Conv2D(3, 4, 3, padding=1, padding_mode="reflect"), layers.QuantizedConv2D), (nn.Linear(8, 5), layers.QuantizedLinear),
        (nn.Conv2DTranspose(3, 4, 3, stride=2), layers.QuantizedConv2DTranspose),
        (nn.Conv2DTranspose(3, 6, 3, groups=3), layers.QuantizedConv2DTranspose),
    ):  # fmt: skip
        if "channel_wise_lsq_weight" in settings.values() and "Transpose" in kind.__name__:
            continue
        layer = kind(source, **settings)
        outs = [layer(x), layer(x)]
        (outs[1] ** 2).mean().backward()
        found.append([repr(layer), outs[0].mean(), outs[1].mean(), state(layer, 6), x.grad.mean(), source.weight.grad.mean()])
        x.clear_gradient()
    return found


@case
def layers_rounded_by_the_largest(paddle: Any) -> Any:
    return wrapped(paddle)


@case
def layers_rounded_by_channels(paddle: Any) -> Any:
    return wrapped(paddle, weight_quantize_type="channel_wise_abs_max", activation_quantize_type="moving_average_abs_max", weight_bits=4)


@case
def layers_rounded_by_learnt_steps(paddle: Any) -> Any:
    return wrapped(paddle, weight_quantize_type="channel_wise_lsq_weight", activation_quantize_type="lsq_act")


@case
def layers_around_layers(paddle: Any) -> Any:
    from paddle.nn.quant import quant_layers as layers

    class Twice(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def forward(self, x: Any) -> Any:
            return x * 2

    class Pair(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def forward(self, x: Any) -> Any:
            return x, x

    linear, x = paddle.nn.Linear(8, 5), paddle.to_tensor(numbers(3, 8))
    found = []
    for layer in (
        layers.QuantizedLinear(linear, weight_pre_layer=Twice, act_pre_layer=Twice),
        layers.QuantizedLinear(linear, weight_quant_layer=Twice, act_quant_layer=Twice), layers.MAOutputScaleLayer(linear),
        layers.FakeQuantMAOutputScaleLayer(linear, activation_bits=4), layers.MAOutputScaleLayer(Pair(), name="pair"),
        layers.FakeQuantMAOutputScaleLayer(Pair()),
    ):  # fmt: skip
        found.append([repr(layer), layer(x), state(layer, 6)])
    product = layers.QuantizedMatmul(activation_quantize_type="moving_average_abs_max")
    return [found, repr(product), product(x, x, transpose_y=True), state(product)]


@case
def learnt_steps(paddle: Any) -> Any:
    from paddle.nn.quant.lsq import FakeQuantActLSQPlus, FakeQuantWeightLSQPlus, LsqFunc, LsqPlusActFunc, round  # type: ignore[import-not-found]

    x, g = paddle.to_tensor(numbers(3, 40)), paddle.to_tensor(numbers(3, 40, seed=5))
    x.stop_gradient = False
    found: list[Any] = []
    for layer in (
        FakeQuantActLSQPlus(8), FakeQuantActLSQPlus(8, symmetric=True), FakeQuantActLSQPlus(4, all_postive=True, batch_init=1),
        FakeQuantWeightLSQPlus(8, per_channel=True, channel_num=3),
        FakeQuantWeightLSQPlus(8, per_channel=True, channel_num=40, quant_linear=True),
        FakeQuantWeightLSQPlus(4, per_channel=True, all_postive=True, channel_num=3, batch_init=2, name="w"),
    ):  # fmt: skip
        for step in range(3):
            out = layer(x * (1 + step))
            (out * g).sum().backward()
            found.append([out.sum(), x.grad.sum(), [[n, p.name, p, p.grad, p.stop_gradient] for n, p in layer.named_parameters()][:2]])
            x.clear_gradient()
            layer.clear_gradients()
    for size in (0.1, 0.02):
        alpha, beta = paddle.to_tensor([size]), paddle.to_tensor([0.3])
        alpha.stop_gradient = beta.stop_gradient = False
        (LsqFunc.apply(x, alpha, 0.01, -128, 127) * g).sum().backward()
        (LsqPlusActFunc.apply(x, alpha, beta, 0.01, -8, 7) * g).sum().backward()
        found.append([float(alpha.grad), float(beta.grad), x.grad])
        x.clear_gradient()
    return [found, round(paddle.to_tensor([0.5, 1.5, -0.5, -1.5, 2.4, 2.6]))]


@case
def learnt_steps_of_images(paddle: Any) -> Any:
    """The images stop gradients, as they do in training."""
    from paddle.quantization import ImperativeQuantAware

    network = lenet(paddle)
    settings = {"weight_quantize_type": "channel_wise_lsq_weight", "activation_quantize_type": "lsq_act"}
    ImperativeQuantAware(**settings).quantize(network)
    return [trained(paddle, network), [[name, type(layer).__name__] for name, layer in network.named_sublayers()]]


@case
def functional_layers(paddle: Any) -> Any:
    nn, x = paddle.nn, paddle.to_tensor(numbers(2, 3))
    q = nn.quant
    return [
        q.add()(x, x), q.subtract()(x, 2 * x), q.multiply()(x, x), q.divide()(x, x + 5), q.reshape()(x, [3, 2]), q.transpose()(x, [1, 0]),
        q.concat()([x, x], axis=1), q.flatten()(x), q.matmul()(x, x, False, True), repr(q.add()), q.Stub()(x), repr(q.Stub()),
    ]  # fmt: skip


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_quantization_{version}.json.gz": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
