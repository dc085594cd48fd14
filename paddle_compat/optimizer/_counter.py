"""The step counters of Programs, which count their own runs."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.static.variables import make_global_var


def step_counter(age: int, name: str = "@STEP_COUNTER@", begin: int = 1, step: int = 1) -> Any:
    """The counter variable of the main program, made with the operator that advances it where there is none yet.

    Args:
        age: 1 for a Program of Paddle 1.x, 2 for one of 2.x.
        name: the counter's name.
        begin: its value in the first run.
        step: what each run adds.
    Returns:
        An int64 Variable of shape [1].
    """
    helper = LayerHelper("global_step_counter", age=age)
    block = helper.main_program.global_block()
    if block.has_var(name):
        return block.var(name)
    counter = make_global_var(age, [1], begin - 1, "int64", True, True, name)
    counter.belong_to_optimizer = True
    block._prepend_op("increment", {"X": [counter]}, {"Out": [counter]}, {"step": float(step)})
    return counter
