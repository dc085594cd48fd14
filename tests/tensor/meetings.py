"""Operands of two data types: every pair, with and without dimensions, under operators and functions; and Tensors beside numbers.

Read by the recording script under the real wheel as well, so this imports nothing but numpy. An outcome is a type, a shape and
numbers as text, and None where it is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
RECORDED = ("bool", "int32", "int64", "float32", "float64", "complex64")  # in Programs
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "==": operator.eq, "<": operator.lt,
}  # fmt: skip
FUNCTIONS = ("add", "divide", "div", "true_divide", "floor_divide", "remainder", "pow", "maximum", "where", "equal", "less_than")
IN_PROGRAMS = (*OPERATORS, "floor_divide")
NUMBERS = {"True": True, "2": 2, "2.5": 2.5, "1+2j": 1 + 2j, "np.float64": np.float64(2.5)}
SHAPES = ("vv", "v0", "0v", "00")
LEFT, RIGHT = [1, 3, 2], [2, 2, 1]


def function(paddle: Any, name: str) -> Callable[..., Any]:
    """What is called."""
    if name == "where":
        return lambda x, y: paddle.where(x == x, x, y)
    return OPERATORS.get(name) or getattr(paddle, name)


def shown(dtype: Any, value: Any) -> str:
    """An outcome as text."""
    kind = str(dtype).replace("paddle.", "")
    numbers = np.round(np.asarray(value, "complex128"), 2) + 0.0  # -0 is 0
    return f"{kind} {list(value.shape)} {numbers.ravel().tolist()}"


def tensor(paddle: Any, values: list[int], dtype: str, flat: bool) -> Any:
    """A Tensor, with or without dimensions."""
    made = paddle.to_tensor(np.array(values, "float64" if "complex" not in dtype else dtype)).astype(dtype)
    return made[0] if flat else made


def attempt(call: Callable[..., Any], *operands: Any) -> str | None:
    """What a call gives."""
    try:
        out = call(*operands)
    except Exception:
        return None
    return shown(out.dtype, (out.astype("float32") if "bfloat16" in str(out.dtype) else out).numpy())


def at_once(paddle: Any, name: str) -> dict[str, str | None]:
    """Of every pair of types."""
    call, found = function(paddle, name), {}
    for left in DTYPES:
        for right in DTYPES:
            for shapes in SHAPES:
                x, y = tensor(paddle, LEFT, left, shapes[0] == "0"), tensor(paddle, RIGHT, right, shapes[1] == "0")
                found[f"{left} {right} {shapes}"] = attempt(call, x, y)
    return found


def beside_numbers(paddle: Any, name: str) -> dict[str, str | None]:
    """Of every type and number, in either order if Python's operators make one of it."""
    call, found = function(paddle, name), {}
    for dtype in DTYPES:
        for shape in "v0":
            x = tensor(paddle, LEFT, dtype, shape == "0")
            for number, value in NUMBERS.items():
                found[f"{dtype} {number} {shape}"] = attempt(call, x, value)
                if number != "np.float64" and name in OPERATORS:
                    found[f"{number} {dtype} {shape}"] = attempt(call, value, x)
    return found


def run(paddle: Any, call: Callable[..., Any], *operands: Any) -> str | None:
    """What a call of arrays, and of numbers, gives in a Program of its own."""
    main, feed = paddle.static.Program(), {f"x{i}": value for i, value in enumerate(operands) if isinstance(value, np.ndarray)}
    with paddle.static.program_guard(main, paddle.static.Program()):
        data = {name: paddle.static.data(name, value.shape, str(value.dtype)) for name, value in feed.items()}
        try:
            out = call(*(data.get(f"x{i}", value) for i, value in enumerate(operands)))
            return shown(out.dtype, *paddle.static.Executor().run(main, feed=feed, fetch_list=[out]))
        except Exception:
            return None


def in_programs(paddle: Any, name: str) -> dict[str, str | None]:
    """Of pairs of types in a Program, and of types and numbers."""
    call, found = function(paddle, name), {}
    for left in RECORDED:
        for right in RECORDED:
            for shapes in SHAPES[:3]:
                x, y = (np.array(v[0] if s == "0" else v).astype(k) for v, s, k in zip((LEFT, RIGHT), shapes, (left, right)))
                found[f"{left} {right} {shapes}"] = run(paddle, call, x, y)
        for number, value in NUMBERS.items() if name in OPERATORS else ():
            found[f"{left} {number}"] = run(paddle, call, np.array(LEFT).astype(left), value)
    return found


def outcomes(paddle: Any) -> dict[str, dict[str, str | None]]:
    """All of them."""
    found = {f"at once: {name}": at_once(paddle, name) for name in (*OPERATORS, *FUNCTIONS)}
    for name in (*OPERATORS, "where"):
        found[f"beside numbers: {name}"] = beside_numbers(paddle, name)
    paddle.enable_static()
    for name in IN_PROGRAMS:
        found[f"in a Program: {name}"] = in_programs(paddle, name)
    paddle.disable_static()
    return found
