"""Rows of the operator tables: an operator's type with inputs and attributes, to record references from and test.

The tables (`cases_*.py` beside this file) are read by the recording script under the real wheels, so they stay within
Python 3.7 and import nothing but numpy.
"""

from __future__ import annotations

import zlib
from typing import Any, Dict, List, Optional, Union

import numpy as np


class Value:
    """An input: literal data, or numbers drawn from a generator that is seeded by the case and the slot."""

    def __init__(self, shape: Any, dtype: str, low: float = 0.0, high: float = 0.0, data: Any = None) -> None:
        self.shape, self.dtype, self.low, self.high, self.data = tuple(shape), dtype, low, high, data

    def array(self, key: str) -> np.ndarray:
        """The input's content; `key` decides the numbers."""
        if self.data is not None:
            return np.array(self.data, self.dtype).reshape(self.shape)
        random = np.random.RandomState(zlib.crc32(key.encode()) & 0x7FFFFFFF)
        if self.dtype == "bool":
            return random.randint(0, 2, self.shape).astype("bool")
        if self.dtype.startswith("int") or self.dtype == "uint8":
            return random.randint(int(self.low), int(self.high), self.shape).astype(self.dtype)
        real = random.uniform(self.low, self.high, self.shape)
        if self.dtype.startswith("complex"):
            return (real + 1j * random.uniform(self.low, self.high, self.shape)).astype(self.dtype)
        return real.astype(self.dtype)


def f(*shape: int, **options: Any) -> Value:
    """Floats in [-1, 1) (or [low, high))."""
    return Value(shape, options.get("dtype", "float32"), options.get("low", -1.0), options.get("high", 1.0))


def i(*shape: int, **options: Any) -> Value:
    """Integers in [0, 10) (or [low, high))."""
    return Value(shape, options.get("dtype", "int64"), options.get("low", 0), options.get("high", 10))


def b(*shape: int) -> Value:
    """Booleans."""
    return Value(shape, "bool")


def a(data: Any, dtype: str = "float32") -> Value:
    """Literal data."""
    return Value(np.array(data).shape, dtype, data=data)


Inputs = Dict[str, Union[Value, List[Value]]]


class Case:
    """One row: an operator call. `key` names it in the data files."""

    def __init__(
        self,
        type: str,
        inputs: Optional[Inputs] = None,
        attrs: Optional[Dict[str, Any]] = None,
        age: int = 0,
        outs: Optional[Dict[str, int]] = None,
        grad: bool = True,
        tol: float = 2e-6,
        gtol: float = 1e-5,
    ) -> None:
        self.type, self.inputs, self.attrs = type, inputs or {}, attrs or {}
        self.ages = (age,) if age else (1, 2)  # 1: Paddle 1.8, 2: Paddle 2.6
        self.outs = outs or {}  # how many variables a list output has
        self.grad, self.tol, self.gtol = grad, tol, gtol
        self.key = type

    def arrays(self) -> Dict[str, List[np.ndarray]]:
        """The inputs' contents, as a list for each slot."""
        found: Dict[str, List[np.ndarray]] = {}
        for slot, values in self.inputs.items():
            rows = values if isinstance(values, list) else [values]
            found[slot] = [v.array("%s %s %d" % (self.key, slot, n)) for n, v in enumerate(rows)]
        return found


def table(*cases: Case) -> List[Case]:
    """Number the rows of each operator: `relu.0`, `relu.1`, ..."""
    seen: Dict[str, int] = {}
    for case in cases:
        number = seen.get(case.type, 0)
        seen[case.type] = number + 1
        case.key = "%s.%d" % (case.type, number)
    return list(cases)


def cotangent(key: str, shape: Any, dtype: str) -> np.ndarray:
    """The gradient that is handed to an output when gradients are recorded and compared."""
    return Value(shape, dtype, -1.0, 1.0).array("gradient of " + key)
