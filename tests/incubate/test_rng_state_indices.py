"""`paddle.incubate.framework`: generators that keep several rows; the numbers are what Paddle 3.3.1 draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core import random


@pytest.fixture(autouse=True)
def generator(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A CPU generator that nobody has registered rows with."""
    monkeypatch.setattr(random, "_generators", {})
    yield
    paddle.seed(0)


def drawn() -> list[float]:
    return [round(number, 6) for number in paddle.rand([3]).tolist()]


def test_each_row_goes_on_from_the_point_that_it_had_reached() -> None:
    framework = paddle.incubate.framework
    paddle.seed(7)
    first = framework.get_rng_state(use_index=True)
    assert first == [0] and drawn() == [0.014892, 0.657883, 0.802539]
    second = framework.register_rng_state_as_index()
    assert second == [1] == framework.get_rng_state(use_index=True)
    assert drawn() == [0.46905, 0.666695, 0.925366]
    paddle.seed(9)
    assert drawn() == [0.921359, 0.29555, 0.110999]
    third = framework.register_rng_state_as_index(framework.get_rng_state())
    assert third == [2] and drawn() == [0.920459, 0.42894, 0.546749]
    framework.set_rng_state(first, use_index=True)
    assert drawn() == [0.46905, 0.666695, 0.925366]
    framework.set_rng_state(second, use_index=True)
    assert framework.get_rng_state(use_index=True) == [1] and drawn() == [0.920459, 0.42894, 0.546749]
    framework.set_rng_state(third, use_index=True)
    assert drawn() == [0.537469, 0.559505, 0.553918]


def test_a_seed_starts_the_row_that_is_in_use_again_and_no_other() -> None:
    paddle.seed(7)
    second = paddle.incubate.register_rng_state_as_index(device="cpu")
    first_of_7 = drawn()
    paddle.incubate.set_rng_state([0], paddle.CPUPlace(), use_index=True)
    paddle.seed(9)
    assert drawn() == [0.921359, 0.29555, 0.110999]
    paddle.incubate.set_rng_state(second, use_index=True)
    assert first_of_7 == [0.014892, 0.657883, 0.802539] and drawn() == [0.46905, 0.666695, 0.925366]


def test_states_by_value_are_those_of_the_row_in_use() -> None:
    paddle.seed(7)
    states = paddle.incubate.get_rng_state("cpu")
    first = drawn()
    paddle.incubate.register_rng_state_as_index()
    paddle.incubate.set_rng_state(states)
    assert drawn() == first
    paddle.incubate.set_rng_state([0], use_index=True)
    assert drawn() == [0.46905, 0.666695, 0.925366]


@pytest.mark.parametrize(
    ("states", "by_index", "error"),
    [([99], True, RuntimeError), ([-1], True, TypeError), (["a"], True, TypeError), ([0, 0], True, ValueError), ([1], False, TypeError),
     ([], True, ValueError), ([], False, ValueError)],
)  # fmt: skip
def test_what_is_no_state_is_refused(states: list[Any], by_index: bool, error: type[Exception]) -> None:
    with pytest.raises(error):
        paddle.incubate.set_rng_state(states, use_index=by_index)
    assert paddle.incubate.get_rng_state(use_index=True) == [0]
    if not by_index:
        with pytest.raises(error):
            paddle.incubate.register_rng_state_as_index(states)
