"""What the rows of the tables `rows_eager_*.py` mean: little eager scripts, whose last expression is what is compared.

`leaf()` is a Tensor of three floats that has a gradient.

Read by the recording script under the real wheels as well, so this stays within Python 3.7 and imports nothing but numpy.
"""

from __future__ import annotations

import math
import re
import warnings
from typing import Any

import numpy as np


def kinds(error: BaseException) -> list[str]:
    """The exception's class and its bases."""
    return [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException)]


def described(value: Any, paddle: Any) -> Any:
    """A result as JSON takes it."""
    if isinstance(value, paddle.Tensor):
        name = re.sub(r"^paddle\.", "", str(value.dtype))
        values = described(np.asarray(value.astype("float32").numpy() if name == "bfloat16" else value.numpy()), paddle)
        return {"Tensor": name, "stop": value.stop_gradient, **values}
    if isinstance(value, np.ndarray):
        flat = value.reshape(-1)
        data = [[number(v.real), number(v.imag)] for v in flat] if value.dtype.kind == "c" else [number(v) for v in flat]
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": data}
    if isinstance(value, np.generic):
        return {"dtype": str(value.dtype), "data": number(value)}
    if isinstance(value, complex):
        return {"complex": [number(value.real), number(value.imag)]}
    if isinstance(value, (list, tuple)):
        kind = type(value).__name__.replace("TopKRetType", "tuple")  # which 2.6's is, and 3.3's has names besides
        return [kind] + [described(v, paddle) for v in value]
    if type(value).__name__ == "VarType":
        return str(value)
    if type(value).__name__ == "TensorSize":  # an int in 2.6, and in 3.3 one that can be called
        return int(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return number(value)
    if isinstance(value, type):
        return value.__name__
    return str(value)


def number(value: Any) -> Any:
    """One element; infinities and what is no number as text, which JSON has no numbers for."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return float(f"{value:.8g}") if math.isfinite(value) else repr(value)
    return value


def outcome(row: str, names: dict[str, Any]) -> dict[str, Any]:
    """What a row gives: its value, or the exception that it raises; and the kinds of its warnings."""
    paddle = names["paddle"]
    before, _, line = row.rpartition("\n")
    first, _, last = line.rpartition("; ")
    names = dict(names, leaf=lambda: paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(before + "\n" + first, names)
            found = {"value": described(eval(last, names), paddle)}
        except Exception as error:
            found = {"error": kinds(error)}
    told = sorted({w.category.__name__ for w in caught if w.category is not DeprecationWarning})
    return dict(found, warnings=told) if told else found
