"""The former ways to quantize networks, `paddle.quantization.imperative`; eager_imperative_quantization_2.6.2.json.gz is {case: answer}."""

from __future__ import annotations

import os
import tempfile
import warnings
from typing import Any, Callable

import numpy as np
from eager_answers import Case, answer, refused

WHEELS = ("2.6.2",)
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


def draw(*shape: int, seed: int = 0) -> Any:
    """Uniform numbers."""
    return np.random.RandomState(seed).rand(*shape).astype("float32")


def lenet(paddle: Any) -> Any:
    """A small network for images of 12 x 12."""
    nn = paddle.nn

    class LeNet(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.stub = nn.quant.QuantStub()
            self.features = nn.Sequential(
                nn.Conv2D(1, 6, 3, padding=1, bias_attr=False), nn.BatchNorm2D(6), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(6, 8, 3),
                nn.PReLU(), nn.MaxPool2D(2, 2),
            )  # fmt: skip
            self.fc = nn.Sequential(nn.Linear(32, 12), nn.LeakyReLU(), nn.Linear(12, 10), nn.Softmax())
            self.add = nn.quant.add()

        def forward(self, x: Any) -> Any:
            x = paddle.flatten(self.features(self.stub(x)), 1)
            return self.fc(self.add(x, x))

    return LeNet()


def saved(paddle: Any, save: Callable[..., Any], network: Any) -> list[Any]:
    """The operators of a network as it is saved, with the thresholds that they have, and what it computes."""
    x = draw(4, 1, 12, 12, seed=5)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wheel's about its own call of to_static
        path = os.path.join(folder, "network")
        save(network, path, input_spec=[paddle.static.InputSpec([None, 1, 12, 12], "float32", "x")])
        paddle.enable_static()
        try:
            with paddle.static.scope_guard(paddle.static.Scope()):
                run = paddle.static.Executor()
                program, feeds, fetches = paddle.static.load_inference_model(path, run)
                out = run.run(program, feed={feeds[0]: x}, fetch_list=fetches)[0]
                operators = [
                    [op.type, {n: op.attr(n) for n in op.attr_names if "threshold" in n or n in ("skip_quant", "bit_length")}]
                    for op in program.global_block().ops
                    if op.type not in ("reshape2", "scale", "feed", "fetch")
                ]
        finally:
            paddle.disable_static()
    return [operators, np.asarray(out)]


def trained(paddle: Any, **settings: Any) -> list[Any]:
    """A network trained with rounded values, and saved."""
    made = paddle.quantization.ImperativeQuantAware(**settings)
    network = lenet(paddle)
    same = made.quantize(network) is network
    optimizer = paddle.optimizer.Momentum(0.05, parameters=network.parameters())
    x, label, losses = paddle.to_tensor(draw(4, 1, 12, 12)), paddle.to_tensor(np.arange(4)), []
    network.train()
    for _ in range(3):
        loss = paddle.nn.functional.cross_entropy(network(x), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    network.eval()
    scales = [[key, value.name, value.numpy()] for key, value in network.state_dict().items() if value.size <= 12 and "quant" in key]
    return [same, repr(network), losses, scales, *saved(paddle, made.save_quantized_model, network)]


@case
def training(paddle: Any) -> Any:
    return trained(paddle)


@case
def training_by_channels(paddle: Any) -> Any:
    return trained(paddle, weight_quantize_type="channel_wise_abs_max", weight_bits=4, moving_rate=0.5, fuse_conv_bn=True)


@case
def training_some_layers(paddle: Any) -> Any:
    return trained(paddle, quantizable_layer_type=["Linear"])


@case
def training_with_layers_of_ones_own(paddle: Any) -> Any:
    class Twice(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def forward(self, x: Any) -> Any:
            return x * 2

    return trained(paddle, quantizable_layer_type=[paddle.nn.Linear], weight_preprocess_layer=Twice, act_preprocess_layer=Twice)[:4]


@case
def wrong_settings(paddle: Any) -> Any:
    aware, linear = paddle.quantization.ImperativeQuantAware, paddle.nn.Linear(3, 3)
    linear.skip_quant = True
    network = aware(onnx_format=True).quantize(paddle.nn.Sequential(linear, paddle.nn.Linear(3, 3), paddle.nn.ReLU()))
    config, absmax = paddle.quantization.PTQConfig, paddle.quantization.AbsmaxQuantizer
    return [
        repr(network), refused(lambda: aware(weight_quantize_type="no")), refused(lambda: aware(activation_quantize_type="abs_max")),
        refused(lambda: aware(weight_bits=8.5)), refused(lambda: aware(activation_bits=17)),
        refused(lambda: aware(quantizable_layer_type=["ReLU"])), refused(lambda: aware(weight_preprocess_layer=3)),
        refused(lambda: aware().quantize(3)), refused(lambda: config(3, 4)),
        refused(lambda: config(absmax(), paddle.quantization.KLQuantizer())), refused(lambda: paddle.quantization.ImperativePTQ(3)),
    ]  # fmt: skip


@case
def thresholds(paddle: Any) -> Any:
    q, found = paddle.quantization, []
    samples = [paddle.to_tensor(np.random.RandomState(seed).randn(64, 30).astype("float32") * s) for seed, s in enumerate((1, 1.5, 0.7))]
    for quantizer in (
        q.AbsmaxQuantizer(), q.PerChannelAbsmaxQuantizer(), q.HistQuantizer(), q.HistQuantizer(hist_percent=0.99, bins=512),
        q.KLQuantizer(), q.KLQuantizer(bins=512, upsample_bins=32), q.KLQuantizer(quant_bits=4),
    ):  # fmt: skip
        for sample in samples:
            quantizer.sample_data(paddle.nn.Linear(30, 30), (sample,))
        quantizer.cal_thresholds()
        found.append([quantizer.thresholds, quantizer.abs_max_vals, [h.sum() for h in getattr(quantizer, "hists", [])]])
    two = q.KLQuantizer()
    two.sample_data(None, (paddle.abs(samples[0]), samples[1]))
    two.cal_thresholds()
    zero = q.HistQuantizer()
    zero.sample_data(None, (paddle.zeros([4]),))
    zero.cal_thresholds()
    return [found, two.thresholds, zero.thresholds, refused(lambda: zero.sample_data(None, samples[0]))]


def watched(paddle: Any, config: Any = None, fuse: Any = None) -> list[Any]:
    """A network whose thresholds were found, and saved."""
    network = lenet(paddle)
    network(paddle.to_tensor(draw(4, 1, 12, 12)))
    network.eval()
    made = paddle.quantization.ImperativePTQ(config) if config is not None else paddle.quantization.ImperativePTQ()
    seen = made.quantize(network, fuse=fuse is not None, fuse_list=fuse)
    outs = [seen(paddle.to_tensor(draw(4, 1, 12, 12, seed=seed))) for seed in range(3)]
    before = repr(seen)
    operators, out = saved(paddle, made.save_quantized_model, seen)
    return [before, [o.numpy()[0] for o in outs], repr(seen), operators, out]


@case
def finding_thresholds(paddle: Any) -> Any:
    return watched(paddle)


@case
def finding_the_largest(paddle: Any) -> Any:
    q = paddle.quantization
    return watched(paddle, q.PTQConfig(q.AbsmaxQuantizer(), q.AbsmaxQuantizer()))


@case
def finding_shares_behind_batch_norms(paddle: Any) -> Any:
    q = paddle.quantization
    config = q.PTQConfig(q.HistQuantizer(), q.PerChannelAbsmaxQuantizer())
    return watched(paddle, config, fuse=[["features.0", "features.1"]])


@case
def fused_layers(paddle: Any) -> Any:
    from paddle.quantization.imperative import fuse_utils  # type: ignore[import-not-found]

    nn = paddle.nn
    network = nn.Sequential(nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.Conv2D(2, 2, 1, bias_attr=False), nn.BatchNorm2D(2), nn.ReLU())
    x = paddle.to_tensor(draw(3, 1, 4, 4))
    network(x)
    training = refused(lambda: fuse_utils.fuse_layers(network, [["0", "1"]]))
    network.eval()
    fused = fuse_utils.fuse_layers(network, [["0", "1"], ["2", "3"]])
    same = fuse_utils.fuse_layers(network, [["0", "1"]], inplace=True) is network
    wrong = refused(lambda: fuse_utils.fuse_layers(network, [["4", "0"]]))
    return [training, repr(fused), network(x), fused(x), same, repr(network), wrong]


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_imperative_quantization_{version}.json.gz": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
