"""Predictors as a script for Paddle 2.6.

    python -m paddle_compat benchmarks/workloads/predictors.py mobilenet_v2 mobilenet_v2_as_it_is

Paddle 2.6's own wheel runs it too. One line of JSON for each model: the least and the median milliseconds of process CPU, and
the mean size of the result.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import paddle
from paddle import inference

SECONDS = 1.0
MODELS = ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "densenet121")
PLAIN = "_as_it_is"


def runs(name: str) -> Callable[[], Any]:
    """One image of 96 x 96 through a network."""
    paddle.seed(0)
    net = getattr(paddle.vision.models, name.removesuffix(PLAIN))()
    net.eval()
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "net")
        paddle.jit.save(net, prefix, input_spec=[paddle.static.InputSpec([None, 3, 96, 96], "float32", "x")])
        config = inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
        config.switch_ir_optim(not name.endswith(PLAIN))
        config.disable_glog_info()
        predictor = inference.create_predictor(config)
    image = np.random.RandomState(0).rand(1, 3, 96, 96).astype("float32")
    given, found = predictor.get_input_handle("x"), predictor.get_output_handle(predictor.get_output_names()[0])

    def step() -> Any:
        given.copy_from_cpu(image)
        predictor.run()
        return found.copy_to_cpu()

    return step


def measure(name: str, steps: int) -> dict[str, Any]:
    """Figures of one model."""
    figures, value = harness.repeated(runs(name), steps, SECONDS, 200)
    return {**figures, "size": float(np.abs(value.astype("float64")).mean()), "grads": []}


if __name__ == "__main__":
    harness.operators(paddle.__version__, [name + end for name in MODELS for end in ("", PLAIN)], measure, 5)
