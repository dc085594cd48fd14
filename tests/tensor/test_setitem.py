"""`paddle.static.setitem` does what numpy's assignment does, and in-place functions give new Variables in a Program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid, static

X = np.arange(20, dtype="float32").reshape(4, 5)
ROWS = np.array([0, 2])
MASK = np.array([True, False, True, False])
FIVE = np.arange(5, dtype="float32") * 10

INDICES: dict[str, Any] = {
    "a row": 1,
    "the last row": -1,
    "a block": (slice(0, 2), 1),
    "steps": (Ellipsis, slice(0, 5, 2)),
    "backwards": (slice(None, None, -1),),
    "a new dimension": (None, 0),
    "a list": [0, 2],
    "an array": ROWS,
    "two lists": ([0, 2], [1, 3]),
    "the second dimension": (slice(None), ROWS),
    "an array and a slice": (ROWS, slice(1, 3)),
    "a slice and an array": (slice(1, 3), ROWS),
    "a number and an array": (1, ROWS),
    "a mask": MASK,
    "a mask of every element": X > 7,
    "true": True,
}


@pytest.fixture(autouse=True)
def program() -> Iterator[Any]:
    """A Program to record into."""
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()):
        yield


def run(*fetches: Any, **feed: Any) -> list[Any]:
    """What a run of the Program gives."""
    return static.Executor(paddle.CPUPlace()).run(feed={"x": X, **feed}, fetch_list=list(fetches))


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_numbers(index: Any) -> None:
    expected = X.copy()
    expected[index] = 7.5
    (found,) = run(static.setitem(static.data("x", [4, 5]), index, 7.5))
    assert (found == expected).all()


@pytest.mark.parametrize("name", ["a row", "backwards", "steps", "a list", "a mask", "true"])
@pytest.mark.parametrize("kind", ["array", "Variable"])
def test_parts(name: str, kind: str) -> None:
    index = INDICES[name]
    value = FIVE[:3] if name == "steps" else FIVE
    expected = X.copy()
    expected[index] = value
    given = static.data("v", list(value.shape)) if kind == "Variable" else value
    (found,) = run(static.setitem(static.data("x", [4, 5]), index, given), v=value)
    assert (found == expected).all()


def test_bounds_that_are_variables() -> None:
    x, at = static.data("x", [4, 5]), static.data("at", [], "int64")
    found = run(static.setitem(x, at, 1.0), static.setitem(x, slice(at, None), 1.0), at=np.array(2))
    for index, value in zip((2, slice(2, None)), found):
        expected = X.copy()
        expected[index] = 1.0
        assert (value == expected).all()


def test_gradients_reach_the_value_and_what_is_kept() -> None:
    x, v = static.data("x", [4, 5]), static.data("v", [5])
    x.stop_gradient = v.stop_gradient = False
    loss = (static.setitem(x, slice(0, 2), v) * static.setitem(x, slice(0, 2), v)).sum()
    dx, dv = run(*static.gradients(loss, [x, v]), v=FIVE)
    assert (dx[:2] == 0).all() and (dx[2:] == 2 * X[2:]).all()
    assert (dv == 4 * FIVE).all()


def test_other_data_types() -> None:
    x = static.data("x", [4, 5])
    whole, truth = run(static.setitem(x.astype("int32"), (0, 1), 5), static.setitem(x > 3, 0, True))
    assert whole.dtype == "int32" and whole[0, 1] == 5
    assert truth[0].all()


@pytest.mark.parametrize(
    ("index", "value", "error"),
    [
        ("a", 1.0, IndexError), (1.5, 1.0, IndexError), (4, 1.0, IndexError), ((0, 0, 0), 1.0, IndexError), ([True], 1.0, IndexError),
        ([1.5], 1.0, TypeError), (0, "a", TypeError), (0, [1.0], TypeError), ([0], "a", TypeError),
    ],
)  # fmt: skip
def test_wrong_use(index: Any, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        static.setitem(static.data("x", [4, 5]), index, value)
    if error is IndexError:
        with pytest.raises(error):
            static.data("x", [4, 5])[index]


def test_assignment_in_a_program() -> None:
    """As Paddle 3.3.1 has it; Paddle 2.6.2 refuses it."""
    x = static.data("x", [4, 5])
    before = x * 1
    row, held = x[1], x
    x[1] = 7.0
    x[:, 0] = x[:, 1] * 2
    x[x > 15] = 0.0
    expected = X.copy()
    expected[1] = 7
    expected[:, 0] = expected[:, 1] * 2
    expected[expected > 15] = 0
    for found, value in zip(run(x, x + 1, before, row, held), (expected, expected + 1, X, X[1], expected)):
        assert (found == value).all()


def test_gradients_of_an_assignment_in_a_program() -> None:
    x, v = static.data("x", [4, 5]), static.data("v", [5])
    x.stop_gradient = v.stop_gradient = False
    y = x * 2
    squares = (y * y).sum()
    y[0] = v
    y[1] += y[2]
    dx, dv = run(*static.gradients(squares + (y * y).sum(), [x, v]), v=FIVE)
    after = X * 2
    after[0] = FIVE
    after[1] += after[2]
    by_y = 2 * after
    by_y[2] += by_y[1]
    by_y[0] = 0
    np.testing.assert_allclose(dx, 2 * (2 * X * 2 + by_y), rtol=1e-6)
    np.testing.assert_allclose(dv, 2 * FIVE, rtol=1e-6)


def test_an_assignment_that_would_be_lost_names_what_to_use() -> None:
    x = static.data("x", [4, 5])
    weight = paddle.create_parameter([4, 5], "float32")
    with pytest.raises(RuntimeError, match=r"paddle\.static\.setitem"):
        weight[0] = 1.0

    def branch() -> Any:
        x[0] = 1.0
        return x * 1

    with pytest.raises(RuntimeError, match=r"branch or loop.*paddle\.static\.setitem"):
        static.nn.cond(x.sum() > 0, branch, lambda: x * 1)


def test_variables_of_paddle_1_take_no_assignment() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError, match="static mode"):
        fluid.data("x", [2, 3])[0] = 1.0


def test_in_place_functions_give_new_variables() -> None:
    x = static.data("x", [4, 5])
    made = [x.exp_(), x.unsqueeze_(0), x.reshape_([5, 4]), x.clip_(2.0, 4.0), x.add_(x), paddle.tanh_(x)]
    expected = [np.exp(X), X[None], X.reshape(5, 4), X.clip(2, 4), X + X, np.tanh(X)]
    for found, want in zip(run(*made), expected):
        np.testing.assert_allclose(found, want, rtol=1e-6)
    assert (run(x)[0] == X).all()
