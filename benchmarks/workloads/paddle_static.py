"""The workloads as scripts for Paddle 2.x: a static Program and an Executor.

    python -m paddle_compat benchmarks/workloads/paddle_static.py mlp

A wheel's own Python runs it too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import harness
import paddle
import paddle.nn.functional as F
from harness import CONVNET, CTR, MLP, RESNET, SLOTS, TRANSFORMER
from paddle import ParamAttr, static


def fc(x: Any, size: int, name: str, activation: str | None = None) -> Any:
    """A dense layer on the last dimension of a matrix."""
    weight, bias = ParamAttr(name=name + ".weight"), ParamAttr(name=name + ".bias")
    return static.nn.fc(x, size, activation=activation, weight_attr=weight, bias_attr=bias)


def probabilities(x: Any) -> Any:
    """The MLP of the Fleet example up to its softmax."""
    for i in (1, 2):
        x = fc(x, MLP["hidden"], f"hidden{i}", "tanh")
    return F.softmax(fc(x, MLP["classes"], "out"))


def mlp() -> Any:
    """Loss of the MLP."""
    x = static.data("x", [None, MLP["features"]], "float32")
    y = static.data("y", [None, 1], "int64")
    return paddle.mean(F.cross_entropy(probabilities(x), y, use_softmax=False, reduction="none"))


def conv_norm(x: Any, filters: int, size: int, stride: int, name: str, act: str | None = None) -> Any:
    """A convolution without bias, then batch norm."""
    weight = ParamAttr(name=name + ".conv.weight")
    x = static.nn.conv2d(x, filters, size, stride, (size - 1) // 2, param_attr=weight, bias_attr=False)
    scale, bias = ParamAttr(name=name + ".norm.weight"), ParamAttr(name=name + ".norm.bias")
    return static.nn.batch_norm(x, act=act, param_attr=scale, bias_attr=bias)


def resnet18() -> Any:
    """Loss of ResNet-18."""
    x = static.data("image", [None, 3, RESNET["size"], RESNET["size"]], "float32")
    label = static.data("label", [None, 1], "int64")
    x = F.max_pool2d(conv_norm(x, 64, 7, 2, "stem", "relu"), 3, 2, 1)
    for stage, filters in enumerate(RESNET["stages"]):
        for block in (0, 1):
            name = f"blocks.{2 * stage + block}"
            stride = 2 if stage and not block else 1
            h = conv_norm(x, filters, 3, stride, name + ".first", "relu")
            h = conv_norm(h, filters, 3, 1, name + ".second")
            x = F.relu(h + (x if stride == 1 else conv_norm(x, filters, 1, stride, name + ".short")))
    x = paddle.flatten(F.adaptive_avg_pool2d(x, 1), 1)
    return F.cross_entropy(fc(x, RESNET["classes"], "out"), label)


def convnet() -> Any:
    """Loss of two convolutions with biases, each with a pooling behind it."""
    x = static.data("image", [None, 3, CONVNET["size"], CONVNET["size"]], "float32")
    label = static.data("label", [None, 1], "int64")
    for i, filters in enumerate(CONVNET["filters"]):
        weight, bias = ParamAttr(name=f"convs.{i}.weight"), ParamAttr(name=f"convs.{i}.bias")
        x = F.max_pool2d(static.nn.conv2d(x, filters, 3, padding=1, param_attr=weight, bias_attr=bias, act="relu"), 2)
    return F.cross_entropy(fc(x, CONVNET["classes"], "out"), label)


def linear(x: Any, inputs: int, outputs: int, name: str) -> Any:
    """A dense layer on the last dimension of anything."""
    weight, bias = ParamAttr(name=name + ".weight"), ParamAttr(name=name + ".bias")
    return paddle.nn.Linear(inputs, outputs, weight_attr=weight, bias_attr=bias)(x)


def norm(x: Any, name: str) -> Any:
    """Layer norm over the last dimension."""
    weight, bias = ParamAttr(name=name + ".weight"), ParamAttr(name=name + ".bias")
    return paddle.nn.LayerNorm(TRANSFORMER["width"], weight_attr=weight, bias_attr=bias)(x)


def encoder(x: Any, name: str) -> Any:
    """One layer of a transformer encoder, written out as papers do."""
    width, heads = TRANSFORMER["width"], TRANSFORMER["heads"]

    def split(part: str) -> Any:
        whole = linear(x, width, width, name + "." + part)
        return paddle.transpose(paddle.reshape(whole, [0, 0, heads, width // heads]), [0, 2, 1, 3])

    scores = paddle.matmul(split("query"), split("key"), transpose_y=True) * (width // heads) ** -0.5
    mixed = paddle.transpose(paddle.matmul(F.softmax(scores), split("value")), [0, 2, 1, 3])
    mixed = paddle.reshape(mixed, [0, 0, width])
    x = norm(x + linear(mixed, width, width, name + ".mix"), name + ".norm1")
    inner = F.relu(linear(x, width, TRANSFORMER["inner"], name + ".wide"))
    return norm(x + linear(inner, TRANSFORMER["inner"], width, name + ".narrow"), name + ".norm2")


def transformer() -> Any:
    """Loss of a text classifier on two encoder layers."""
    text = static.data("text", [None, TRANSFORMER["length"]], "int64")
    label = static.data("label", [None, 1], "int64")
    width = TRANSFORMER["width"]
    words = paddle.nn.Embedding(TRANSFORMER["words"], width, weight_attr=ParamAttr(name="table.words.weight"))
    places = paddle.nn.Embedding(TRANSFORMER["length"], width, weight_attr=ParamAttr(name="table.places.weight"))
    x = words(text) + places(paddle.arange(TRANSFORMER["length"], dtype="int64"))
    for i in range(TRANSFORMER["layers"]):
        x = encoder(x, f"layers.{i}")
    return F.cross_entropy(linear(paddle.mean(x, axis=1), width, TRANSFORMER["classes"], "out"), label)


def ctr() -> Any:
    """Loss of a wide and deep click model: 26 slots look up one table with sparse gradients."""
    dense = static.data("dense", [None, CTR["dense"]], "float32")
    ids = [static.data(slot, [None, 1], "int64") for slot in SLOTS]
    click = static.data("click", [None, 1], "float32")
    size, attr = [CTR["rows"], CTR["columns"]], ParamAttr(name="table.weight")
    rows = [static.nn.embedding(i, size, is_sparse=True, param_attr=attr) for i in ids]
    x = paddle.concat([paddle.reshape(row, [-1, CTR["columns"]]) for row in rows] + [dense], axis=1)
    for i, width in enumerate(CTR["hidden"]):
        x = fc(x, width, f"deep.{i}", "relu")
    return F.binary_cross_entropy_with_logits(fc(x, 1, "out") + fc(dense, 1, "wide"), click)


TRAINED: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "mlp": (mlp, lambda: paddle.optimizer.SGD(0.1)),
    "resnet18": (resnet18, lambda: paddle.optimizer.Momentum(0.01, 0.9)),
    "convnet": (convnet, lambda: paddle.optimizer.SGD(0.001)),
    "transformer": (transformer, lambda: paddle.optimizer.Adam(1e-3)),
    "ctr_sgd": (ctr, lambda: paddle.optimizer.SGD(0.05)),
    "ctr_adam": (ctr, lambda: paddle.optimizer.Adam(1e-3, lazy_mode=True)),
}


def start(exe: Any, startup: Any, main: Any, scope: Any) -> None:
    """Run the startup program, then put the start values of the benchmark into the scope."""
    exe.run(startup, scope=scope)
    for param in main.all_parameters():
        if param.trainable:
            value = harness.start_value(param.name, tuple(param.shape))
            scope.find_var(param.name).get_tensor().set(value, paddle.CPUPlace())


def make(workload: str) -> Callable[[harness.Batch], Any]:
    """One step of a workload, in a Scope of its own."""
    exe, scope = static.Executor(paddle.CPUPlace()), static.Scope()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        if workload == "infer":
            x = static.data("x", [None, MLP["features"]], "float32")
            out = probabilities(x)
        else:
            network, optimizer = TRAINED[workload]
            loss = network()
            optimizer().minimize(loss)
    start(exe, startup, main, scope)
    if workload != "infer":
        return lambda batch: exe.run(main, feed=batch, fetch_list=[loss], scope=scope)[0]
    with tempfile.TemporaryDirectory() as folder, static.scope_guard(scope):
        static.save_inference_model(folder + "/mlp", [x], [out], exe, program=main)
        program, _, fetched = static.load_inference_model(folder + "/mlp", exe)
    return lambda batch: exe.run(program, feed=batch, fetch_list=fetched, scope=scope)[0]


if __name__ == "__main__":
    paddle.enable_static()
    harness.main(paddle.__version__, make, [*TRAINED, "infer"])
