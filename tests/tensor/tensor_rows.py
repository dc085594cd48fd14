"""What the rows of the tables beside this file mean: expressions over these inputs.

Read by the recording script under the real wheels as well, so this stays within Python 3.7 and imports nothing but numpy.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

import numpy as np

# name: shape (-1: fed as 2), data type, lowest, highest
INPUTS: dict[str, tuple[list[int], str, float, float]] = {
    "x": ([2, 3], "float32", -1, 1),
    "y": ([2, 3], "float32", -1, 1),
    "p": ([2, 3], "float32", 0.2, 2),
    "r": ([2, 3], "float32", 0.2, 2),
    "v": ([3], "float32", -1, 1),
    "w": ([3], "float32", -1, 1),
    "m": ([3, 3], "float32", -1, 1),
    "n": ([3, 4], "float32", -1, 1),
    "t": ([2, 3, 4], "float32", -1, 1),
    "u": ([2, 3, 4], "float32", -1, 1),
    "o": ([1, 3, 1], "float32", -1, 1),
    "h": ([-1, 3], "float32", -1, 1),
    "g": ([-1, 3, 4], "float32", -1, 1),
    "d": ([2, 3], "float64", -1, 1),
    "s": ([], "float32", -1, 1),
    "one": ([1], "float32", -1, 1),
    "i": ([2, 3], "int64", 0, 9),
    "j": ([2, 3], "int64", 1, 5),
    "k": ([2], "int64", 0, 2),
    "ks": ([2, 3], "int64", 0, 2),
    "rows": ([2, 1], "int64", 0, 2),
    "hi": ([-1, 3], "int64", 0, 9),
    "q": ([2, 3], "int32", 0, 9),
    "q2": ([2, 3], "int32", 1, 5),
    "n1": ([1], "int32", 2, 3),
    "b": ([2, 3], "bool", 0, 2),
    "b2": ([2, 3], "bool", 0, 2),
    "bh": ([-1, 3], "bool", 0, 2),
    "c": ([2, 3], "complex64", -1, 1),
    "pairs": ([3, 2], "float32", -1, 1),
    "spd": ([3, 3], "float32", 0, 0),
}


def value(name: str) -> np.ndarray:
    """The content of an input."""
    shape, dtype, low, high = INPUTS[name]
    known = [2 if d == -1 else d for d in shape]
    random = np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)
    if name == "spd":
        root = random.uniform(-1, 1, (3, 3))
        return (root.dot(root.T) + 2 * np.eye(3)).astype("float32")
    if dtype.startswith("int"):
        return random.randint(int(low), int(high), known).astype(dtype)
    if dtype == "bool":
        return random.randint(0, 2, known).astype("bool")
    real = random.uniform(low, high, known)
    if dtype.startswith("complex"):
        return (real + 1j * random.uniform(low, high, known)).astype(dtype)
    return np.asarray(real, dtype)


def names_in(expression: str) -> list[str]:
    """The inputs that an expression uses, in order of their first use."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)
    words = re.findall(r"(?<![\w.])([a-z]\w*)(?!\s*=[^=])", bare)
    found: list[str] = []
    for word in words:
        if word in INPUTS and word not in found:
            found.append(word)
    return found


def leaves(result: Any) -> list[Any]:
    """The tensors (and plain values) in a result, in order."""
    if isinstance(result, (list, tuple)):
        return [leaf for item in result for leaf in leaves(item)]
    return [result]
