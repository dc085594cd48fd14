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


# Calls that ours refuses and a wheel takes, or takes until later, or the other way round, each with the reason.
_NOISE = "what the wheel computes is no result: "
_AT_ONCE = "refused where it is written; the wheel stumbles over it where it is used"
KNOWN = {
    "1.8.5": {
        "layers.conv2d(image, 4, 3, dilation=0)": _NOISE + "every weight of the filter falls on the same element",
        "layers.pool2d(image, 0)": _NOISE + "the least float32 everywhere",
        "fluid.ParamAttr(initializer=3)": _AT_ONCE,
        "fluid.ParamAttr(regularizer=3)": _AT_ONCE,
    },
    "2.6.2": {
        "F.batch_norm(image, f, f)": _NOISE + "it reads statistics of 3 channels beyond the end of 2",
        "nn.BatchNorm2D(3, data_format='NC')": _AT_ONCE,
        "F.pad(a, [1])": "lists of any length are taken since Paddle 3 (tensor/rows_accepted.py)",
        "F.pad(image, [1, 1, 1])": "lists of any length are taken since Paddle 3 (tensor/rows_accepted.py)",
        "paddle.mean(y)": "whole numbers have a mean since Paddle 3 (tensor/rows_accepted.py)",
        "optimizer.Adam(parameters=paddle.ones([2]))": _NOISE + "`minimize` updates nothing and says nothing",
    },
}
