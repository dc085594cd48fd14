"""Functions whose loops Paddle's unit tests take apart, and what is inside of wrapped functions. Part of jit_interface.py's table."""

# mypy: ignore-errors
# ruff: noqa: B023

from __future__ import annotations

import functools
import importlib
from typing import Any

LOOPS = {
    "while": """
def f(x):
    i = start(x)
    flag = 1
    while x < 10:
        i = i + x if flag else None
        x = x + 1
    return i
""",
    "for": """
def f(max_len):
    for i in range(max_len):
        ret = paddle.zeros(shape=[1], dtype="float32")
        ret = paddle.increment(ret, value=2.0)
    return ret
""",
    "comprehensions": """
def f(array):
    a = 1
    for j in range(array):
        res = [x for x in range(j)]
        res = [i for i in array]
        x = 1
    b = [i for i in array]
    print(x)
    return res
""",
    "nested": """
def f():
    two = paddle.full([1], 2, "int32")
    three = paddle.full([1], 3, "int32")
    for j in range(two):
        for i in range(10):
            a = 2 + j
    for i in range(three):
        b = paddle.zeros(shape=[1], dtype="float32")
    return b
""",
    "pairs": """
def f(x):
    s = 0
    for i, v in enumerate(x):
        if v > 0:
            t = v * 2
        else:
            t = v
        s += t
        q = t
    return s
""",
    "left behind": """
def f(x):
    while x < 10:
        if x > 5:
            x += 1
        y = x
        z = y + 1
    return z
""",
    "attributes": """
class Net:
    def forward(self, x):
        out = []
        for layer in self.layers:
            x = layer(x)
            out.append(x)
        return out, self.k
""",
    "writes": """
def f(x):
    for i in range(3):
        x[i] = 2
        x.k = 3
        for j in range(i):
            w = j
        w2 = w
    return x
""",
}


def ask(paddle: Any, show: Any) -> None:
    """Questions for 2.6.2."""
    gast = importlib.import_module(f"{paddle.__name__}.utils.gast")
    visitor = importlib.import_module(f"{paddle.__name__}.jit.dy2static.loop_transformer").NameVisitor
    unwrap = importlib.import_module(f"{paddle.__name__}.jit.dy2static.origin_info").unwrap
    for name, source in LOOPS.items():

        def carried():
            tree = gast.parse(source)
            loops = [node for node in gast.walk(tree) if isinstance(node, (gast.While, gast.For))]
            return [[sorted(names) for names in visitor(tree).get_loop_var_names(loop)] for loop in loops]

        show(f"loop {name}", carried)

    def inner(x):
        return x

    @functools.wraps(inner)
    def outer(x):
        return inner(x)

    show("unwrapped", lambda: [unwrap(f) is inner for f in (inner, outer, paddle.jit.to_static(inner), paddle.jit.to_static(outer))])
    show("unwrapped number", lambda: unwrap(3))
