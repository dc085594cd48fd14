"""Short pieces of eager Paddle code and the answers they give, in a wheel and in ours.

A piece leaves an `answer`: Tensors, arrays, numbers, strings, lists of these. What raises has its exception's classes for an
answer. The tables of pieces are the modules beside this one.
"""

from __future__ import annotations

import contextlib
import importlib
import warnings
from typing import Any

import numpy as np

TABLES = ("modes", "grad", "getitem", "setitem", "pylayer", "functional", "second_order", "names", "operators", "corners")
IMPORTS = """
import numpy as np
import paddle

def X(value=(1.0, 2.0), stop=False, dtype="float32"):
    return paddle.to_tensor(np.asarray(value), dtype=dtype, stop_gradient=stop)

def back(y):
    paddle.autograd.backward(y)

def A(*shape):
    return (np.arange(int(np.prod(shape)), dtype="float32").reshape(shape) + 1) / 4
"""


def cases(table: str) -> dict[str, str]:
    """The pieces of a table, by name."""
    found: dict[str, str] = importlib.import_module("table_" + table).CASES
    return found


def plain(value: Any) -> Any:
    """An answer as JSON has it."""
    if type(value).__name__ in ("Tensor", "EagerParamBase"):
        return ["Tensor", str(value.dtype), list(value.shape), value.stop_gradient, plain(value.numpy())]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), plain(value.ravel().tolist())]
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return type(value).__name__


def answer(code: str) -> Any:
    """What a piece of code answers."""
    import paddle

    paddle.disable_static()
    names: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(IMPORTS + code, names)
        return plain(names["answer"])
    except Exception as error:
        return {"raises": [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException)]}
    finally:
        with contextlib.suppress(Exception):
            paddle.disable_static()
            paddle.set_grad_enabled(True)
