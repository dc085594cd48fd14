"""Two Variables of different data types under Python's operators and the functions of the same meaning."""

from __future__ import annotations

import itertools
import operator
from typing import Any, Dict

WHEELS = ("2.6.2",)
DTYPES = ("float16", "float32", "float64", "int32", "int64")
SYMBOLS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lt", "eq")
FUNCTIONS = ("add", "subtract", "multiply", "divide", "pow", "floor_divide", "mod", "maximum", "less_than")


def promotions() -> Dict[str, Any]:
    """For each operator or function and pair of types: the type of the result and the operators, or the refusal."""
    import paddle

    paddle.enable_static()
    found = {}  # type: Dict[str, Any]
    functions = [("operator." + s, getattr(operator, s)) for s in SYMBOLS]
    functions += [("paddle." + f, getattr(paddle, f)) for f in FUNCTIONS]
    for (name, function), x, y in itertools.product(functions, DTYPES, DTYPES):
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            try:
                out = function(paddle.static.data("x", [2, 2], x), paddle.static.data("y", [2, 2], y))
            except TypeError:
                found["%s %s %s" % (name, x, y)] = "TypeError"
                continue
        ops = [[op.type, *[op.attr(a) for a in ("in_dtype", "out_dtype") if op.has_attr(a)]] for op in main.global_block().ops]
        found["%s %s %s" % (name, x, y)] = [int(out.dtype), ops]
    return found


def recordings(version: str) -> Dict[str, Any]:
    """One data file."""
    return {"promotions_" + version + ".json": promotions}
