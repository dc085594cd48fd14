"""Eager values of Paddle 1.8 have memory of their own: no update of what they were made from changes them, as Paddle 1.8.5 shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid

MADE: dict[str, Callable[[Any], Any]] = {
    "number": lambda x: x[0],
    "columns": lambda x: x[:, 1:],
    "from_behind": lambda x: x[-1],
    "reshape": lambda x: fluid.layers.reshape(x, [4, 2]),
    "reshape_in_place": lambda x: fluid.layers.reshape(x, [4, 2], inplace=True),
    "transpose": lambda x: fluid.layers.transpose(x, [1, 0]),
    "unsqueeze": lambda x: fluid.layers.unsqueeze(x, [0]),
    "squeeze": lambda x: fluid.layers.squeeze(x, []),
    "slice": lambda x: fluid.layers.slice(x, [0], [0], [1]),
    "strided_slice": lambda x: fluid.layers.strided_slice(x, [0], [0], [2], [1]),
    "split": lambda x: fluid.layers.split(x, 2, 1)[0],
    "unbind": lambda x: fluid.layers.unbind(x)[0],
    "unstack": lambda x: fluid.layers.unstack(x)[0],
    "flatten": fluid.layers.flatten,
    "detach": lambda x: x.detach(),
}


@pytest.mark.parametrize("name", MADE)
def test_values_set_do_not_reach_what_was_made_before(name: str) -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.arange(8).reshape(2, 4).astype("float32"))
        made = MADE[name](x)
        before = made.numpy()
        x.set_value(np.full((2, 4), 100, "float32"))
        assert made.numpy().tolist() == before.tolist()
        made.set_value(np.zeros(made.shape, "float32"))
        assert x.numpy().min() == 100


@pytest.mark.parametrize("name", MADE)
def test_steps_of_an_optimizer_do_not_reach_what_was_made_before(name: str) -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 4, param_attr=fluid.initializer.Constant(1.0))
        before = MADE[name](layer.weight)
        loss = fluid.layers.reduce_sum(layer(fluid.dygraph.to_variable(np.ones((1, 2), "float32"))))
        loss = loss + 2 * fluid.layers.reduce_sum(MADE[name](layer.weight))
        loss.backward()
        fluid.optimizer.SGD(1.0, parameter_list=layer.parameters()).minimize(loss)
        assert set(before.numpy().ravel().tolist()) == {1.0}
        expected = 0.0 if name == "detach" else -2.0
        assert layer.weight.numpy().min() == expected


def test_a_whole_slice_is_the_value_itself() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones((2, 4), "float32"))
        assert x[:] is x and x[:, :] is x
