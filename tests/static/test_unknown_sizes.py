"""What Programs record of sizes that only a run tells: as Paddle 2.6.2 does, or 3.3.1 where that one refuses; and what runs give then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn, static

F = paddle.nn.functional


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
        yield


def data(name: str, *shape: int) -> Any:
    """What is fed."""
    return static.data(name, list(shape), "float32")


# shapes declared; what is computed; the shape recorded; shapes fed; the result's shape
LAYERS: list[tuple[tuple[int, ...], Callable[[Any], Any], list[int], tuple[int, ...], tuple[int, ...]]] = [
    ((-1, -1, -1, -1), lambda x: nn.Conv2D(4, 6, 3)(x), [-1, 6, -1, -1], (2, 4, 6, 5), (2, 6, 4, 3)),
    ((1, -1, 6, 6), lambda x: nn.Conv2D(4, 6, 3, padding=1, stride=2, groups=2)(x), [1, 6, 3, 3], (1, 4, 6, 6), (1, 6, 3, 3)),
    ((1, 6, 6, -1), lambda x: nn.Conv2D(4, 6, 3, data_format="NHWC")(x), [1, 4, 4, 6], (1, 6, 6, 4), (1, 4, 4, 6)),
    ((1, -1, 6, 6), lambda x: nn.Conv2D(4, 6, 3, padding="SAME", stride=2)(x), [1, 6, 3, 3], (1, 4, 6, 6), (1, 6, 3, 3)),
    ((-1, -1, -1), lambda x: nn.Conv1D(4, 6, 3)(x), [-1, 6, -1], (2, 4, 6), (2, 6, 4)),
    ((-1, -1, -1, -1, -1), lambda x: nn.Conv3D(4, 6, 3)(x), [-1, 6, -1, -1, -1], (1, 4, 4, 4, 4), (1, 6, 2, 2, 2)),
    ((-1, -1, -1, -1), lambda x: nn.BatchNorm2D(4)(x), [-1, -1, -1, -1], (2, 4, 3, 3), (2, 4, 3, 3)),
    ((3, -1), lambda x: nn.BatchNorm1D(4)(x), [3, -1], (3, 4), (3, 4)),
    ((2, -1, 4), lambda x: nn.LayerNorm([3, 4])(x), [2, -1, 4], (2, 3, 4), (2, 3, 4)),
    ((1, -1, 6, 6), lambda x: nn.GroupNorm(2, 4)(x), [1, 4, 6, 6], (1, 4, 6, 6), (1, 4, 6, 6)),
    ((-1, 4, 3, 3), lambda x: nn.SpectralNorm([2, 4, 3, 3])(x), [-1, 4, 3, 3], (2, 4, 3, 3), (2, 4, 3, 3)),
    ((4, -1), lambda x: paddle.shard_index(x.cast("int64"), 20, 2, 0), [4, -1], (4, 1), (4, 1)),
]


@pytest.mark.parametrize(("declared", "build", "recorded", "fed", "made"), LAYERS)
def test_sizes_that_a_run_tells(declared: Any, build: Any, recorded: list[int], fed: Any, made: Any) -> None:
    out = build(data("x", *declared))
    assert list(out.shape) == recorded
    executor = static.Executor()
    executor.run(static.default_startup_program())
    numbers = np.random.RandomState(0).rand(*fed).astype("float32")
    assert executor.run(feed={"x": numbers}, fetch_list=[out])[0].shape == made


@pytest.mark.parametrize(
    ("weight", "recorded"),
    [((6, 4, -1, 3), [1, 6, -1, 4]), ((6, 4, 3, -1), [1, 6, 4, -1]), ((6, -1, 3, 3), [1, 6, 4, 4]), ((-1, -1, -1, -1), [1, -1, -1, -1])],
)
def test_filters_that_a_run_tells(weight: tuple[int, ...], recorded: list[int]) -> None:
    assert list(F.conv2d(data("x", 1, 4, 6, 6), data("w", *weight)).shape) == recorded


def test_matrices_that_a_run_tells() -> None:
    x, y = data("x", -1, -1), data("y", 3, 2)
    factor, solved = paddle.linalg.cholesky(x), paddle.linalg.solve(x, y)
    assert (list(factor.shape), list(solved.shape)) == ([-1, -1], [-1, 2])
    matrix = 2 * np.eye(3, dtype="float32")
    found = static.Executor().run(feed={"x": matrix, "y": np.ones((3, 2), "float32")}, fetch_list=[factor, solved])
    np.testing.assert_allclose(found[0], np.sqrt(matrix), rtol=1e-6)
    np.testing.assert_allclose(found[1], np.full((3, 2), 0.5), rtol=1e-6)
