"""`reshard` between all pairs of placements and between meshes: values, pieces, gradients, and how many collective calls."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

SCRIPT = ROOT / "tests/models/mesh_layouts.py"
WHEEL = json.loads((ROOT / "tests/references/mesh_moves.json").read_text())
PARTIAL = ("sum", "mean", "max", "min")


def data(shape: list[int]) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) - np.prod(shape) // 2).astype("float32")


def split(case: str) -> tuple[str, str, list[int]]:
    """The placements and the shape of a case."""
    old, _, rest = case.partition(" to ")
    new, _, shape = rest.partition(" ")
    return old, new, json.loads(shape)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(SCRIPT, 2, tmp_path_factory.mktemp("two"), "two")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(SCRIPT, 4, tmp_path_factory.mktemp("four"), "four")


def test_as_the_wheel(tmp_path: Any) -> None:
    assert answers(SCRIPT, 2, tmp_path, "moves") == WHEEL


def test_values_and_gradients(two: dict[str, list[Any]]) -> None:
    assert len(two) == 49 + 2 * 16
    for case, each in two.items():
        shape = split(case)[2]
        for own in each:
            np.testing.assert_array_equal(own["whole"], data(shape), case)
            np.testing.assert_array_equal(own["gradient"], 2 * data(shape), case)


def test_pieces(two: dict[str, list[Any]]) -> None:
    """As torch's and Paddle's chunks: of five rows three and two, of one row one and none."""
    for case, each in two.items():
        _, new, shape = split(case)
        if new in ("rows", "columns"):
            axis = ["rows", "columns"].index(new)
            step = -(-shape[axis] // 2)
            expected = np.split(data(shape), [step], axis)
            for own, piece in zip(each, expected):
                assert np.array_equal(np.reshape(own["local"], piece.shape), piece), case


def calls(old: str, new: str) -> dict[str, int]:
    """The fewest collective calls; pieces for pieces go from process to process without one."""
    if old == new or old == "whole" or (old in ("rows", "columns") and new in ("rows", "columns")):
        return {}
    if old in PARTIAL:
        return {"reduce_scatter_tensor" if new in ("rows", "columns") else "all_reduce": 1}
    return {"all_gather_into_tensor": 1}


def test_collective_calls(two: dict[str, list[Any]]) -> None:
    for case, each in two.items():
        old, new, shape = split(case)
        if shape == [4, 6]:
            assert [own["calls"] for own in each] == [calls(old, new)] * 2, case


def test_meshes_of_two_dimensions_and_other_processes(four: dict[str, list[Any]]) -> None:
    for case, each in four.items():
        if case != "pipeline":
            values = [own[1] if case.startswith("[") else own for own in each]
            assert all(np.array_equal(value, data([5, 3])) for value in values), case


def test_gradients_go_back_to_the_mesh_they_came_from(four: dict[str, list[Any]]) -> None:
    x, w = data([4, 2]), data([2, 2])
    y = 2 * x @ w
    of_x, of_w = 2 * y @ w.T * 2 / y.size, (2 * x).T @ (2 * y) / y.size
    for rank, (own_x, own_w) in enumerate(four["pipeline"]):
        if rank < 2:
            np.testing.assert_allclose(own_x[-1], of_x[2 * rank : 2 * rank + 2])
            assert own_w is None or own_w[-1] is None
        else:
            np.testing.assert_allclose(own_w[-1], of_w[:, rank - 2 : rank - 1])
