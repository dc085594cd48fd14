"""Networks of `paddle.vision.models` in figures: structure, initial weights, a training step and a prediction."""

from __future__ import annotations

from typing import Any

import numpy as np

WHEELS = ("2.6.2",)

# name of the network: its arguments, and the size of the images
NETWORKS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "LeNet": ({}, (8, 1, 28, 28)),
    "resnet18": ({"num_classes": 10}, (8, 3, 64, 64)),
    "resnext50_32x4d": ({"num_classes": 10}, (8, 3, 64, 64)),
    "vgg11": ({"num_classes": 0}, (4, 3, 64, 64)),
    "vgg16": ({"num_classes": 0, "batch_norm": True, "with_pool": False}, (4, 3, 64, 64)),
    "mobilenet_v1": ({"scale": 0.25, "num_classes": 10}, (8, 3, 64, 64)),
    "mobilenet_v2": ({"scale": 0.5, "num_classes": 10}, (8, 3, 64, 64)),
    "alexnet": ({"num_classes": 0}, (4, 3, 64, 64)),
    "squeezenet1_1": ({"num_classes": 10}, (4, 3, 64, 64)),
    "shufflenet_v2_x0_25": ({"num_classes": 10}, (8, 3, 64, 64)),
    "mobilenet_v3_small": ({"scale": 0.5, "num_classes": 10}, (8, 3, 64, 64)),
}
STRUCTURES = (
    "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_64x4d", "resnext101_32x4d", "resnext101_64x4d", "vgg13", "vgg19",
    "wide_resnet50_2", "wide_resnet101_2", "alexnet", "densenet161", "densenet169", "mobilenet_v3_large", "shufflenet_v2_x0_33",
    "shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0",
)  # fmt: skip
# networks whose weights are given: their arguments, and the size of the images
GIVEN: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "densenet121": ({"num_classes": 10, "dropout": 0.2}, (1, 3, 32, 32)),
    "googlenet": ({"num_classes": 0}, (1, 3, 96, 96)),
    "inception_v3": ({"num_classes": 10}, (1, 3, 75, 75)),
    "shufflenet_v2_swish": ({"num_classes": 10}, (1, 3, 32, 32)),
    "mobilenet_v3_large": ({"num_classes": 10, "scale": 0.35}, (1, 3, 32, 32)),
    "squeezenet1_0": ({"num_classes": 10}, (1, 3, 64, 64)),
}


def structure(paddle: Any, name: str, options: dict[str, Any]) -> tuple[Any, list[Any]]:
    """A new network, and the names, shapes and parameter names of its state, as if it were the first of its process."""
    with paddle.utils.unique_name.guard():
        net: Any = getattr(paddle.vision.models, name)(**options)
    return net, [[key, list(value.shape), value.name] for key, value in net.state_dict().items()]


def empty(paddle: Any, name: str) -> list[Any]:
    """The structure of a network whose weights are not worth the time that they take to draw."""
    paddle.nn.initializer.set_global_initializer(paddle.nn.initializer.Constant(0.0))
    try:
        return structure(paddle, name, {"num_classes": 0})[1]
    finally:
        paddle.nn.initializer.set_global_initializer(None)


def figures(value: Any) -> list[float]:
    """Sum and sum of magnitudes."""
    wide = value.numpy().astype("float64")
    return [float(wide.sum()), float(np.abs(wide).sum())]


def trained(paddle: Any, name: str) -> dict[str, Any]:
    """What a network is, and what it does in three steps of training (dropout aside) and in a prediction."""
    options, size = NETWORKS[name]
    paddle.seed(7)
    net, state = structure(paddle, name, options)
    found: dict[str, Any] = {"state": state, "repr": repr(net), "initial": {k: figures(v) for k, v in net.state_dict().items()}}
    for layer in net.sublayers():
        if isinstance(layer, paddle.nn.Dropout):
            layer.eval()
    images = paddle.to_tensor(np.random.RandomState(0).uniform(-1, 1, size).astype("float32"))
    optimizer = paddle.optimizer.Momentum(1e-7, 0.9, parameters=net.parameters())
    found["losses"] = []
    for _ in range(3):
        out = net(images)
        loss = (out * out).mean()
        loss.backward()
        if "gradients" not in found:
            found["gradients"] = {k: figures(v.grad) for k, v in net.named_parameters() if v.grad is not None}
            found["output"] = [list(out.shape), *figures(out)]
        optimizer.step()
        optimizer.clear_grad()
        found["losses"].append(float(loss))
    net.eval()
    found["prediction"] = figures(net(images))
    return found


def predicted(paddle: Any, name: str) -> dict[str, Any]:
    """What a network with given weights is, and predicts."""
    options, size = GIVEN[name]
    paddle.nn.initializer.set_global_initializer(paddle.nn.initializer.Constant(0.0))
    try:
        net, state = structure(paddle, name, options)
    finally:
        paddle.nn.initializer.set_global_initializer(None)
    numbers = np.random.RandomState(1)
    for value in net.parameters():
        if value.stop_gradient:  # running statistics
            continue
        reach = (3 / np.prod(value.shape[1:])) ** 0.5 if len(value.shape) == 4 else 0.1
        drawn = numbers.uniform(-reach, reach, value.shape) + (len(value.shape) == 1 and value.name.endswith("w_0"))
        value.set_value(drawn.astype("float32"))
    net.eval()
    out = net(paddle.to_tensor(numbers.uniform(-1, 1, size).astype("float32")))
    outs = out if isinstance(out, (list, tuple)) else [out]
    return {"state": state, "repr": repr(net), "outs": [[list(each.shape), *figures(each)] for each in outs]}


def recordings(version: str) -> dict[str, Any]:
    """The data files of a wheel."""
    import paddle

    def content() -> dict[str, Any]:
        paddle.disable_static()
        return {
            "networks": {name: trained(paddle, name) for name in NETWORKS},
            "given": {name: predicted(paddle, name) for name in GIVEN},
            "structures": {name: empty(paddle, name) for name in STRUCTURES},
        }

    return {f"vision_models_{version}.json.gz": content}
