"""Calls of much used functions with a wrong argument: when a wheel refuses them, and how.

A case is an expression; what it returns is fetched. It is refused when it is recorded, or when it runs, or never.
"""

from __future__ import annotations

import warnings
from typing import Any

import misuse
import misuse_calls_fluid
import misuse_calls_static
import numpy as np

FLUID = """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid import layers, initializer, clip, optimizer, regularizer

x = fluid.data("x", [None, 4], "float32")
y = fluid.data("y", [None, 1], "int64")
image = fluid.data("image", [2, 3, 8, 8], "float32")
a, b = layers.fill_constant([2, 3], "float32", 1.0), layers.fill_constant([3, 4], "float32", 1.0)
i, f = layers.fill_constant([2], "int64", 1), layers.fill_constant([2], "float32", 1.0)
"""

STATIC = """
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import nn, static, optimizer
from paddle.nn import initializer

x = static.data("x", [None, 4], "float32")
y = static.data("y", [None, 1], "int64")
image = static.data("image", [2, 3, 8, 8], "float32")
a, b = paddle.full([2, 3], 1.0), paddle.full([3, 4], 1.0)
i, f = paddle.full([2], 1, "int64"), paddle.full([2], 1.0)
"""

PRELUDES = {"1.8.5": FLUID, "2.6.2": STATIC}
FEED = {"x": np.ones((2, 4), "float32"), "y": np.zeros((2, 1), "int64"), "image": np.ones((2, 3, 8, 8), "float32")}

CALLS = {"1.8.5": misuse_calls_fluid.CALLS, "2.6.2": misuse_calls_static.CALLS}


def outcome(version: str, code: str) -> tuple[str, BaseException] | None:
    """When a call is refused ("record" or "run") and with what; None when it is not."""
    with misuse.script(version, PRELUDES[version]) as names, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = eval(code, names)
        except Exception as error:
            return "record", error
        fetches = [v for v in (made if isinstance(made, (list, tuple)) else [made]) if hasattr(v, "block")]
        static: Any = names["fluid" if version == "1.8.5" else "static"]
        exe = static.Executor(static.cpu_places(1)[0])
        try:
            exe.run(static.default_startup_program())
            exe.run(static.default_main_program(), feed=FEED, fetch_list=fetches, return_numpy=False)
        except Exception as error:
            return "run", error
        return None


# Calls that ours still takes, or refuses at another time or with another exception.


# Calls that ours still takes, or refuses at another time or with another exception.
KNOWN = {
    "1.8.5": [
        "layers.fc([], 3)", "layers.conv2d(image, 4, 3, dilation=0)", "layers.pool2d(image, 0)", "layers.transpose(a, (1, 0))",
        "layers.squeeze(a, [0])", "layers.softmax_with_cross_entropy(x, i)", "layers.log_loss(a, a)", "layers.group_norm(image, 2)",
        "layers.embedding(y, [5, 3], padding_idx=5)", "layers.reduce_sum(a, dim=1.0)", "layers.reshape(a, [3.0, 2.0])",
        "layers.accuracy(x, f)", "layers.auc(x, y)", "fluid.data('z', ['2'])", "fluid.data('z', [2, -2])",
        "layers.resize_nearest(image, '2')", "layers.sequence_pool(x, 'some')", "layers.gaussian_random([2], std='1')",
        "layers.uniform_random([2], min=1.0, max=-1.0)", "layers.unique(a)",
        "initializer.Constant('1')(layers.create_parameter([2], 'float32'), 3)", "fluid.ParamAttr(initializer=3)",
        "fluid.ParamAttr(regularizer=3)", "layers.fc(x, 3, param_attr=initializer.Constant)",
    ],
    "2.6.2": [
        "static.nn.conv2d(image, 4, 3, dilation=0)", "F.max_pool2d(image, 9)", "paddle.split(a, [])", "paddle.squeeze(a, '0')",
        "paddle.expand(a, [2.0, 3])", "paddle.slice(a, [2], [0], [1])", "paddle.slice(a, 0, [0], [1])", "F.nll_loss(x, y)",
        "F.binary_cross_entropy(a, i)", "F.binary_cross_entropy_with_logits(a, b)", "F.log_loss(a, a)", "F.ctc_loss(a, i, i, i)",
        "F.gumbel_softmax(a, temperature=0.0)", "F.gumbel_softmax(a, axis=3)", "F.batch_norm(image, f, f)",
        "nn.BatchNorm2D(3, data_format='NC')", "static.nn.embedding(y, [5, 3], padding_idx=5)", "F.embedding(x, b)", "nn.Linear(4, 3)(y)",
        "nn.Conv2D(3, 4, 3, padding='some')", "nn.Conv2D(3, 4, 3, data_format='NC')",
        "nn.MSELoss(reduction='some')", "paddle.einsum('ij,jk->ik', a, a)", "paddle.inverse(a)", "a & a", "~a", "paddle.mean(3)",
        "paddle.max(a, axis='0')", "paddle.min(3)", "paddle.cumsum(a, axis=2)", "paddle.unique(a, axis=2)",
        "paddle.full([2], 1.0, 'int8')", "paddle.linspace(0, 1, '3')", "paddle.to_tensor(object())", "paddle.flatten(3)", "F.pad(a, [1])",
        "F.pad(image, [1, 1, 1])", "paddle.roll(a, 'one')", "paddle.repeat_interleave(a, '2')", "static.auc(x, y)",
        "static.data('z', [2, -2])", "F.interpolate(image, '2')", "optimizer.Adam(parameters=paddle.ones([2]))",
        "initializer.Orthogonal(gain=None)", "paddle.ParamAttr(trainable=3)",
    ],
}  # fmt: skip
