"""Parts of eager values in scripts of Paddle 1.8, as 1.8.5 cuts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.core.errors import EnforceNotMet

X = np.arange(24, dtype="float32").reshape(2, 3, 4)
ALL = slice(None)

# what numbers pick loses its dimension, but not beside a slice with a step; such a slice counts back from the last position it reaches
PARTS: dict[str, tuple[Any, list[int], list[float]]] = {
    "a number": ((0, slice(0, 2)), [2, 4], [0, 1, 2, 3, 4, 5, 6, 7]),
    "beside a step": ((0, slice(None, None, 2)), [1, 2, 4], [0, 1, 2, 3, 8, 9, 10, 11]),
    "around a step": ((0, slice(None, None, 2), 1), [1, 2, 1], [1, 9]),
    "beside a reversed dimension": ((-1, slice(None, None, -1)), [1, 3, 4], [20, 21, 22, 23, 16, 17, 18, 19, 12, 13, 14, 15]),
    "behind a reversed dimension": ((ALL, slice(None, None, -1), 0), [2, 3, 1], [8, 4, 0, 20, 16, 12]),
    "backwards by two": ((0, 0, slice(3, None, -2)), [1, 1, 2], [2, 0]),
    "backwards by two, to an end": ((0, 0, slice(3, 0, -2)), [1, 1, 2], [3, 1]),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_keeps_the_dimensions_that_paddle_keeps(name: str) -> None:
    item, shape, values = PARTS[name]
    with fluid.dygraph.guard():
        part = fluid.dygraph.to_variable(X)[item]
        assert part.shape == shape
        assert part.numpy().ravel().tolist() == values


BACKWARDS = [((6, -8, -4), [4, 0]), ((5, 0, -3), [4, 1]), ((3, -7, -2), [3, 1]), ((9, 2, -3), [6, 3]), ((-2, 1, -4), [2])]


@pytest.mark.parametrize(("bounds", "expected"), BACKWARDS)
def test_steps_backwards_count_from_the_last_position(bounds: tuple[int, int, int], expected: list[int]) -> None:
    start, end, step = bounds
    with fluid.dygraph.guard():
        part = fluid.layers.strided_slice(fluid.dygraph.to_variable(np.arange(7, dtype="float32")), [0], [start], [end], [step])
        assert part.numpy().tolist() == expected


@pytest.mark.parametrize(("axes", "starts", "ends"), [([0], [5], [10]), ([0], [2], [3]), ([1], [2], [1]), ([1, 2], [1, 5], [3, 9])])
def test_a_slice_of_nothing_is_refused(axes: list[int], starts: list[int], ends: list[int]) -> None:
    with fluid.dygraph.guard(), pytest.raises(EnforceNotMet, match="an end behind the start"):
        fluid.layers.slice(fluid.dygraph.to_variable(X), axes, starts, ends)


@pytest.mark.parametrize("cut", [lambda x: x[5:], lambda x: x[7], lambda x: fluid.layers.slice(x, [0], [4], [9])])
def test_a_program_refuses_a_slice_of_nothing_when_it_knows_the_size(cut: Any) -> None:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        out = cut(fluid.data("x", [None, 3]))
        with pytest.raises(EnforceNotMet, match="an end behind the start"):
            fluid.Executor(fluid.CPUPlace()).run(program, feed={"x": np.ones((4, 3), "float32")}, fetch_list=[out])


def test_only_eager_values_become_int16() -> None:
    with fluid.dygraph.guard():
        made = fluid.layers.cast(fluid.dygraph.to_variable(np.float32([-3.7, 0.5, 300])), "int16")
        assert made.numpy().tolist() == [-3, 0, 300]
        assert made.numpy().dtype == np.int16
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError, match="int16"):
        fluid.layers.cast(fluid.data("x", [3]), "int16")
