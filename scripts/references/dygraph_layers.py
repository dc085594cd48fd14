"""The calls of tests/fluid/layers' tables in eager mode: what the functions of `fluid.layers` give there, and their gradients.

dygraph_layers_1.8.5.json.gz: {case: observation}; a call that the wheel refuses in eager mode says with what.
"""

from __future__ import annotations

import random
import warnings
import zlib
from typing import Any, Callable, Dict, List

import fluid_cases_detection
import fluid_cases_loss
import fluid_cases_math
import fluid_cases_tensor
import fluid_cases_vision
import numpy as np
from dygraph_cases import plain
from fluid_recording import BATCH, SEED, Bench, outputs_of

WHEELS = ("1.8.5",)
CASES: Dict[str, str] = {
    name: code
    for module in (fluid_cases_math, fluid_cases_tensor, fluid_cases_loss, fluid_cases_vision, fluid_cases_detection)
    for name, code in module.CASES.items()
    if "lens" not in code and "lod" not in code and "py_func" not in code
}


class Desk(Bench):
    """Fed variables are values."""

    def data(
        self, name: str, shape: List[int], dtype: str = "float32", low: float = -1.0, high: Any = None, value: Any = None,
        lens: Any = None, grad: bool = True, batch: int = BATCH,
    ) -> Any:  # fmt: skip
        """A value that depends on its name and shape alone."""
        is_float = dtype.startswith("float")
        if value is None:
            draw = np.random.RandomState(zlib.crc32(name.encode()) & 0xFFFF)
            size = [batch if d is None or d < 0 else d for d in shape]
            if is_float:
                value = np.round(draw.uniform(low, 1.0 if high is None else high, size), 4)
            else:
                value = draw.randint(max(int(low), 0), 2 if high is None else int(high), size)
        var = self.fluid.dygraph.to_variable(np.ascontiguousarray(np.asarray(value).astype(dtype)))
        if is_float and grad:
            var.stop_gradient = False
        self.fed.append(var)
        return var


def observe(fluid: Any, code: str) -> Any:
    """What a call gives in eager mode, and the gradients of its inputs; or the names of the exception's classes."""
    variable = fluid.core.VarBase
    with fluid.dygraph.guard(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.random.seed(SEED)
        random.seed(SEED)
        fluid.default_main_program().random_seed = SEED
        desk = Desk(fluid)
        try:
            exec(code, desk.names)
            found = outputs_of(desk, variable)
            seen = {"out": [plain(value, variable) for value in found]}
            for value in found:
                if not value.stop_gradient and value.numpy().dtype.kind == "f":
                    fluid.layers.reduce_sum(value * value * value).backward()
                    seen["grads"] = [plain(fed.gradient(), variable) for fed in desk.fed]
                    break
        except Exception as error:
            return {"raises": [kind.__name__ for kind in type(error).__mro__], "says": str(error)[-200:]}
        return seen


def observed() -> Dict[str, Any]:
    """Every call under the wheel that runs this."""
    import paddle.fluid as fluid

    return {name: observe(fluid, code) for name, code in CASES.items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The data file."""
    return {f"dygraph_layers_{version}.json.gz": observed}
