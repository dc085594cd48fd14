"""What a transpiler puts into a backward pass leaves it one call; what changes gradients on their way does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.engine.executor import prepare


def _sums(block: Any, grads: set[str]) -> None:
    """A sum right behind whatever makes each gradient, as 1.8's GradAllReduce puts it."""
    for i, op in reversed(list(enumerate(block.ops))):
        for name in grads.intersection(op.output_arg_names) if op.attr("op_role") == 1 else ():
            attrs = {"ring_id": 0, "op_role": 1}
            block._insert_op(i + 1, type="c_allreduce_sum", inputs={"X": name}, outputs={"Out": name}, attrs=attrs)


def _halved(block: Any, grads: set[str]) -> None:
    """Half the gradient of the loss."""
    place, op = next((i, op) for i, op in enumerate(block.ops) if op.attr("op_role") == 257)
    name = op.output("Out")[0]
    block._insert_op(place + 1, type="scale", inputs={"X": name}, outputs={"Out": name}, attrs={"scale": 0.5, "op_role": 257})


def _rounded(block: Any, grads: set[str]) -> None:
    """Sums in half precision, by way of a variable of their own."""
    for i, op in reversed(list(enumerate(block.ops))):
        for name in grads.intersection(op.output_arg_names) if op.attr("op_role") == 1 else ():
            half = block.create_var(name=name + "@HALF", dtype="float16", shape=block.var(name).shape).name
            back, there = {"in_dtype": 4, "out_dtype": 5, "op_role": 1}, {"in_dtype": 5, "out_dtype": 4, "op_role": 1}
            block._insert_op(i + 1, type="cast", inputs={"X": half}, outputs={"Out": name}, attrs=back)
            block._insert_op(i + 1, type="c_allreduce_sum", inputs={"X": half}, outputs={"Out": half}, attrs={"ring_id": 0, "op_role": 1})
            block._insert_op(i + 1, type="cast", inputs={"X": name}, outputs={"Out": half}, attrs=there)


def _doubled_on_the_way(block: Any, grads: set[str]) -> None:
    """A gradient is doubled before the pass reads it."""
    place, op = next((i, op) for i, op in enumerate(block.ops) if op.type == "tanh_grad")
    name = op.input("Out@GRAD")[0]
    block._insert_op(place, type="scale", inputs={"X": name}, outputs={"Out": name}, attrs={"scale": 2.0, "op_role": 1})


def _trained(edits: list[Callable[[Any, set[str]], None]]) -> tuple[list[float], str]:
    """Losses of three steps, and the code that ran."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard(), fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 4])
        hidden = fluid.layers.fc(x, 5, act="tanh")
        loss = fluid.layers.mean(fluid.layers.fc(hidden, 3) * fluid.layers.fc(hidden, 3))
        _, pairs = fluid.optimizer.SGD(0.1).minimize(loss)
        for edit in edits:
            edit(main.global_block(), {grad.name for _, grad in pairs})
        exe = fluid.Executor()
        exe.run(startup)
        feed = {"x": np.arange(8, dtype="float32").reshape(2, 4) / 8}
        losses = [exe.run(main, feed, [loss])[0].item() for _ in range(3)]
        return losses, prepare(main, ("x",), (), (loss.name,), fluid.global_scope()).lowered.module.code


def test_sums_and_a_weight_leave_one_call_that_makes_the_sums_too() -> None:
    losses, code = _trained([_sums])
    assert losses == _trained([])[0]
    assert code.count("backward_and_sums(") == 1 and "all_reduce" not in code and "summed = [0, 1, 2, 3, 4, 5]" in code
    halved, code = _trained([_sums, _halved])
    assert code.count("backward_and_sums(") == 1 and halved[0] == losses[0] and halved[1] > losses[1]


def test_sums_by_way_of_other_variables_wait_for_the_pass() -> None:
    losses, code = _trained([_rounded])
    assert losses == pytest.approx(_trained([])[0], rel=1e-3) and losses != _trained([])[0]
    assert code.count("backward(") == 1 and "all_reduce" in code


def test_what_changes_gradients_on_their_way_is_seen_by_the_rest() -> None:
    losses, code = _trained([_doubled_on_the_way, _sums])
    assert code.count("backward(") > 5
    assert losses[1] < _trained([])[0][1]
