"""Short pieces of eager Paddle code and what they leave in `answer`, in a wheel and in ours: numbers, texts, tensors of any layout."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

KINDS = (
    NotImplementedError, ValueError, TypeError, AttributeError, AssertionError, IndexError, KeyError, OSError, RuntimeError, SystemError,
)  # fmt: skip


def plain(value: Any) -> Any:
    """The JSON spelling of an answer; a tensor as its layout, shape, data type, whether it stops gradients, and its numbers."""
    if hasattr(value, "stop_gradient") and hasattr(value, "numpy"):
        kind = str(value.dtype).rpartition(".")[2].lower()
        facts = [list(value.shape), {"fp32": "float32", "fp64": "float64"}.get(kind, kind), value.stop_gradient]
        if value.is_sparse_coo():
            return ["coo", *facts, plain(value.indices().numpy()), plain(value.values().numpy())]
        if value.is_sparse_csr():
            return ["csr", *facts, plain(value.crows().numpy()), plain(value.cols().numpy()), plain(value.values().numpy())]
        return ["dense", *facts, plain(value.numpy())]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def answer(code: str, names: dict[str, Any]) -> Any:
    """What a piece of code answers; what it raises, as the built-in classes that it is of."""
    names = dict(names)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, names)
            return plain(names["answer"])
    except Exception as error:  # some of the wheel's are plain Exceptions
        return "raises " + " or ".join(kind.__name__ for kind in (*KINDS, Exception) if isinstance(error, kind))


def close(got: Any, expected: Any) -> bool:
    """Whether two answers are one: numbers up to their last bits, of exceptions all the classes, everything else exactly."""
    if isinstance(expected, str) and expected.startswith("raises "):
        return isinstance(got, str) and set(expected.split()) <= set(got.split())
    if isinstance(expected, list):
        numbers = _numbers(expected)
        if numbers is not None and numbers.dtype.kind == "f":
            found = _numbers(got)
            bound = 4e-6 * max(1.0, float(np.abs(numbers).max()))
            return found is not None and found.shape == numbers.shape and np.allclose(found, numbers, rtol=2e-5, atol=bound)
        return isinstance(got, list) and len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, float) and isinstance(got, float):
        return bool(np.isclose(got, expected, rtol=2e-5, atol=2e-6))
    return bool(got == expected and isinstance(got, bool) == isinstance(expected, bool))


def _numbers(value: Any) -> Any:
    """The array of (lists of) numbers; None where there is something else."""
    flat = value
    while isinstance(flat, list) and flat:
        if isinstance(flat[0], list):
            if any(not isinstance(part, list) or len(part) != len(flat[0]) for part in flat):
                return None
            flat = [number for part in flat for number in part]
        else:
            kinds = {type(number) for number in flat}
            return np.array(value) if kinds <= {int, float} else None
    return None
