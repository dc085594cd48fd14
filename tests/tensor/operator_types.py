"""Python's operators on Tensors: every pair of data types, and of a type and a number or array.

Read by the recording script under the real wheel as well, so this stays within Python 3.7 and imports nothing but numpy.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from eager_rows import described

DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "@")
NUMBERS = (
    "True", "2", "-3", "2.5", "1+2j", "np.int32(2)", "np.float16(2.5)", "np.float32(2.5)", "np.float64(2.5)", "np.bool_(True)",
    "np.array([2, 1, 3])", "np.array([2.0, 1, 3])", "np.array([2.0, 1, 3], 'float32')", "np.array(2)", "np.array(2.5)",
    "[2, 1, 3]", "(2.0, 1.0, 3.0)", "None",
)  # fmt: skip


def tensor(paddle: Any, dtype: str, values: list[int]) -> Any:
    """A Tensor of a type that numpy may not have."""
    return paddle.to_tensor(np.array(values, "float32")).astype(dtype)


def endless(sign: str, dtype: str, number: str) -> bool:
    """Whether the wheel computes for ever, or divides integers by zero."""
    return sign == "**" and number == "-3" and "float" not in dtype


def outcome(paddle: Any, sign: str, left: Any, right: Any) -> Any:
    """What an operator gives, or the name of Python's exception that it raises."""
    try:
        return described(eval("left %s right" % sign, {"left": left, "right": right}), paddle)  # noqa: UP031
    except Exception as error:
        return next(kind.__name__ for kind in type(error).__mro__ if hasattr(builtins, kind.__name__))


def outcomes(paddle: Any, sign: str, dtype: str) -> dict[str, Any]:
    """What an operator gives for a first operand of a type and every second one; and the other way round for numbers."""
    found = {}
    for other in DTYPES:
        found[f"x {sign} {other}"] = outcome(paddle, sign, tensor(paddle, dtype, [3, 0, 1]), tensor(paddle, other, [2, 1, 3]))
    for number in NUMBERS:
        if not endless(sign, dtype, number):
            value = eval(number, {"np": np})
            found[f"x {sign} {number}"] = outcome(paddle, sign, tensor(paddle, dtype, [2, 1, 3]), value)
            found[f"{number} {sign} x"] = outcome(paddle, sign, value, tensor(paddle, dtype, [2, 1, 3]))
    return found
