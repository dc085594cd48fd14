"""Short pieces of Paddle code and the answers they give, in a wheel and in ours.

Each piece runs after the imports of its version and leaves an `answer`: numbers, strings, lists of these. What raises has
its exception's classes for an answer.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import misuse
import numpy as np

IMPORTS = {
    "1.8.5": """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid import layers

main, block, startup = fluid.default_main_program(), fluid.default_main_program().global_block(), fluid.default_startup_program()
exe = fluid.Executor(fluid.CPUPlace())
append_backward = fluid.backward.append_backward
data = fluid.data
multiply = layers.elementwise_mul
""",
    "2.6.2": """
import numpy as np
import paddle
from paddle import static

main, block, startup = static.default_main_program(), static.default_main_program().global_block(), static.default_startup_program()
exe = static.Executor(paddle.CPUPlace())
append_backward = static.append_backward
data = static.data
multiply = paddle.multiply
""",
}


def seed(shape: str) -> str:
    """The first gradient of a loss of a shape: what fills it, its shape, and the gradient that follows from it."""
    return f"""
x = data("x", {shape}, "float32")
x.stop_gradient = False
loss = multiply(x, x)
append_backward(loss)
first = next(op for op in block.ops if op.type == "fill_constant")
grads = exe.run(main, feed={{"x": np.full([abs(d) for d in {shape}], 3.0, "float32")}}, fetch_list=["x@GRAD", loss.name + "@GRAD"])
answer = [first.attr("shape"), block.var(loss.name + "@GRAD").shape, [(g.shape, g) for g in grads]]
"""


# what both versions spell in the same way
BOTH = {
    "seed_of_a_batch": seed("[-1, 1]"),
    "seed_of_a_matrix": seed("[1, 1]"),
    "seed_of_one": seed("[1]"),
}

FLUID_CASES: dict[str, str] = {}

STATIC_CASES = {"seed_of_a_number": seed("[]")}

CASES = {"1.8.5": {**BOTH, **FLUID_CASES}, "2.6.2": {**BOTH, **STATIC_CASES}}


def plain(value: Any) -> Any:
    """The JSON spelling of an answer."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value


def answer(version: str, code: str) -> Any:
    """What a piece of code answers, or the classes of what it raises."""
    with misuse.script(version, IMPORTS[version]) as names:
        names["eager"] = eager
        error = misuse.failure(names, code)
        return plain(names["answer"]) if error is None else {"raises": [kind.__name__ for kind in type(error).__mro__]}


@contextlib.contextmanager
def eager() -> Iterator[None]:
    """Paddle 2's eager mode, put back afterwards."""
    import paddle

    paddle.disable_static()
    try:
        yield
    finally:
        paddle.enable_static()
