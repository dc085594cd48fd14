"""What short pieces of eager code return, warn of and raise, as plain values.

A case is a function of the `paddle` module. `answer` runs it with fresh names and a seed: `{"value": ..., "warnings": [...]}`, or
`{"raises": the builtin class of the exception}`.
"""

from __future__ import annotations

import builtins
import warnings
from typing import Any, Callable

import numpy as np

Case = Callable[[Any], Any]


def answer(paddle: Any, case: Case) -> dict[str, Any]:
    """Run one case."""
    paddle.disable_static()
    paddle.set_device("cpu")
    with paddle.utils.unique_name.guard(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        paddle.seed(7)
        try:
            found: dict[str, Any] = {"value": plain(case(paddle))}
        except Exception as error:
            found = {"raises": kind(error)}
    # the wheel says at every call of a batch norm what it does anyway
    heard = [w for w in caught if issubclass(w.category, UserWarning) and "we now always track" not in str(w.message)]
    if heard:
        found["warnings"] = [w.category.__name__ for w in heard]
    return found


def refused(call: Callable[[], Any]) -> str:
    """The builtin classes of what a call raises; "" when it does not."""
    try:
        call()
    except Exception as error:
        return kind(error)
    return ""


def kind(error: Exception) -> str:
    """The builtin classes of an exception, without those that say little: ours may have several."""
    found = [c.__name__ for c in type(error).__mro__ if getattr(builtins, c.__name__, None) is c]
    told = [name for name in found if name not in ("RuntimeError", "Exception", "BaseException", "object")]
    return "|".join(told) or "RuntimeError"


def plain(value: Any) -> Any:
    """A value as JSON has it; floats as float32 holds them."""
    if hasattr(value, "stop_gradient") and hasattr(value, "numpy"):
        array = value.astype("float32") if "bfloat16" in str(value.dtype).lower() or "bf16" in str(value.dtype).lower() else value
        return {"shape": list(value.shape), "dtype": str(value.dtype).split(".")[-1].lower(), "values": elements(array.numpy())}
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "dtype": str(value.dtype), "values": elements(value)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, float):
        return float(f"{value:.7g}")
    return str(value)


def elements(array: Any) -> list[Any]:
    """At most 24 of the elements, evenly spread."""
    flat = np.asarray(array).reshape(-1)
    if flat.dtype.kind in "biu":
        return flat[:: max(1, -(-flat.size // 24))].tolist()
    return [float(f"{value:.9g}") for value in flat.astype("float64")[:: max(1, -(-flat.size // 24))]]
