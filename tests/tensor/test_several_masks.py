"""Variables indexed by several masks, or by masks beside positions, give what NumPy gives; so does 2.6.2 where masks have one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static

X = np.arange(120, dtype="float32").reshape(2, 3, 4, 5)
TWO, THREE, FOUR, FIVE = [True, False], [True, False, True], [True, True, False, True], [True, False, False, False, True]
BLOCK = [[True, False, True], [False, True, False]]
ALL = slice(None)
INDICES: dict[str, Any] = {
    "neighbours": (TWO, THREE),
    "apart": (TWO, ALL, FOUR),
    "behind": (ALL, THREE, ALL, FIVE),
    "beside a number": (TWO, THREE, ALL, 0),
    "beside positions": (TWO, [0, 2]),
    "positions in front": ([0], THREE),
    "a new dimension between": (TWO, None, THREE),
    "a block": (ALL, [[True, False, True, True]] * 3),
    "a block beside positions": (BLOCK, [0, 1, 2]),
    "a block apart": (BLOCK, ALL, [True, False, False, True, True]),
}


@pytest.mark.parametrize("shape", [[2, 3, 4, 5], [-1, 3, 4, -1]], ids=["known", "unknown"])
@pytest.mark.parametrize("name", INDICES)
def test_as_numpy(name: str, shape: list[int]) -> None:
    paddle.enable_static()
    expected = X[INDICES[name]]
    slopes = np.zeros_like(X)
    slopes[INDICES[name]] = 2 * expected
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", shape)
        x.stop_gradient = False
        y = x[INDICES[name]]
        assert len(y.shape) == expected.ndim
        fetched = [y, *static.gradients((y * y).sum(), x)]
        for found, wanted in zip(static.Executor(paddle.CPUPlace()).run(feed={"x": X}, fetch_list=fetched), (expected, slopes)):
            assert found.shape == wanted.shape
            assert (found == wanted).all()


def test_operators() -> None:
    """One column of a mask's positions for each of its dimensions, by `slice`."""
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()):
        assert static.data("x", [2, 3, 4, 5])[TWO, THREE].shape == (-1, 4, 5)
        found = [op.type for op in static.default_main_program().global_block().ops]
    mask = ["where_index", "slice"]
    assert found == ["assign_value", "assign_value", *mask, *mask, "broadcast_tensors", "stack", "gather_nd"]
