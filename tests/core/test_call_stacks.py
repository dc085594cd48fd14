"""`op_callstack`: the calls of the user's that wrote an operator, in the forms of Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import fluid

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

SCRIPT = """
def inner(layers, x):
    return layers.relu(x)


def outer(layers, x):
    return inner(layers, x)


outer(layers, x)
"""


@pytest.fixture(autouse=True)
def script() -> Any:
    paddle.enable_static()
    linecache.cache["script.py"] = (len(SCRIPT), None, SCRIPT.splitlines(True), "script.py")
    yield compile(SCRIPT, "script.py", "exec")
    del linecache.cache["script.py"]
    paddle.disable_static()


def test_from_the_operator_outwards(script: Any) -> None:
    with fluid.program_guard(main := fluid.Program()):
        exec(script, {"layers": fluid.layers, "x": fluid.data("x", [2])})
    assert main.global_block().ops[-1].attr("op_callstack")[:3] == [
        '  File "script.py", line 3, in inner\n    return layers.relu(x)\n',
        '  File "script.py", line 7, in outer\n    return inner(layers, x)\n',
        '  File "script.py", line 10, in <module>\n    outer(layers, x)\n',
    ]


def test_towards_the_operator(script: Any) -> None:
    with paddle.static.program_guard(main := paddle.static.Program()):
        exec(script, {"layers": paddle.nn.functional, "x": paddle.static.data("x", [2])})
    op = main.global_block().ops[-1]
    assert op.attr("op_callstack")[-6:] == [
        '  File "script.py", line 10, in <module>', "    outer(layers, x)",
        '  File "script.py", line 7, in outer', "    return inner(layers, x)",
        '  File "script.py", line 3, in inner', "    return layers.relu(x)",
    ]  # fmt: skip
    assert op.where == "script.py:3"
    twin = main.clone().global_block().ops[-1]
    assert twin.attr("op_callstack") == op.attr("op_callstack") and twin.where == op.where
    again = paddle.static.Program.parse_from_string(main.desc.serialize_to_string()).global_block().ops[-1]
    assert again.where == "script.py:3"
