"""What takes the name of a place, and names, right and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NAMES = (
    "cpu", "CPU", "gpu:0", "gpu:1", "GPU:0", "gpu", "cpu:0", "xpu", "npu", "gpux", "", " cpu", "gpu:", "gpu:a", "gpu:-1", "gpu_pinned",
    "gpu_pinned:0", "undefined", 0, 3.5, b"cpu",
)  # fmt: skip


def callers(paddle: Any) -> dict[str, Callable[[Any], Any]]:
    """Functions from the name of a place to a place."""
    dataset = paddle.io.TensorDataset([paddle.ones([2, 1])])

    def disable_static(name: Any) -> str:
        paddle.enable_static()
        paddle.disable_static(name)
        return str(paddle.get_device())

    return {
        "set_device": paddle.set_device,
        "to_tensor": lambda name: paddle.to_tensor([1.0], place=name).place,
        "Tensor.to": lambda name: paddle.to_tensor([1.0]).to(name).place,
        "Layer.to": lambda name: paddle.nn.Linear(1, 1).to(name).weight.place,
        "DataLoader": lambda name: paddle.io.DataLoader(dataset, places=name).places,
        "DataLoader of several": lambda name: paddle.io.DataLoader(dataset, places=[name, "cpu"]).places,
        "Executor": lambda name: paddle.static.Executor(name).place,
        "disable_static": disable_static,
        "get_rng_state": lambda name: len(paddle.get_rng_state(name)),
        "is_float16_supported": paddle.amp.is_float16_supported,
        "_get_paddle_place": paddle.base.framework._get_paddle_place,
    }


def answers(paddle: Any) -> dict[str, dict[str, str]]:
    """The place, or the kind of error with a ! in front, of every caller and name."""
    found: dict[str, dict[str, str]] = {}
    for caller, function in callers(paddle).items():
        row = found[caller] = {}
        for name in NAMES:
            paddle.disable_static()
            try:
                row[repr(name)] = repr(function(name))
            except Exception as error:
                row[repr(name)] = "!ValueError" if isinstance(error, ValueError) else "!" + type(error).__name__
            paddle.set_device("cpu")
    return found
