"""A layer that the wheel's `paddle.jit.save` wrote: jit_models_2.6.2.npz holds its files' bytes, an input and the outputs."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2",)


def saved() -> dict[str, Any]:
    """Files by name, `input`, and what the loaded layer gives in inference mode."""
    import paddle

    paddle.disable_static()

    class Net(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.fc = paddle.nn.Linear(4, 3)
            self.bn = paddle.nn.BatchNorm1D(3)
            self.drop = paddle.nn.Dropout(0.5)
            self.register_buffer("shift", paddle.ones([3]))

        def forward(self, x: Any) -> Any:
            y = self.drop(self.bn(self.fc(x))) + self.shift
            if y.sum() > 0:
                y = y * 2
            return y, y.sum()

        def other(self, z: Any) -> Any:
            return self.bn(z)

    paddle.seed(5)
    net = Net()
    spec = paddle.static.InputSpec
    net.forward = paddle.jit.to_static(net.forward, input_spec=[spec([None, 4])], full_graph=True)
    net.other = paddle.jit.to_static(net.other, input_spec=[spec([None, 3])], full_graph=True)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        paddle.jit.save(net, os.path.join(folder, "net"))
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as stream:
                found[name] = np.frombuffer(stream.read(), "uint8")
        loaded = paddle.jit.load(os.path.join(folder, "net"))
        x = np.linspace(-1, 1, 8).astype("float32").reshape(2, 4)
        found["input"] = x
        found["output"], found["sum"] = (value.numpy() for value in loaded(paddle.to_tensor(x)))
        found["other"] = loaded.other(paddle.to_tensor(x[:, :3])).numpy()
        found["state"] = np.array(list(loaded.state_dict()))
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    return {f"jit_models_{version}.npz": saved}
