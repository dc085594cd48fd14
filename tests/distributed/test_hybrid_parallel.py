"""Models that processes share out, by tensors, states and sequences: as Paddle 2.6.2 does it by gloo, and as a whole model trains."""

from __future__ import annotations

import gzip
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from jobs import run_job
from processes import ROOT

WHEEL = json.loads(gzip.decompress((ROOT / "tests/references/hybrid_parallel_2.6.2.json.gz").read_bytes()))
PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests/models")))


def answers(folder: Path, count: int) -> list[dict[str, Any]]:
    said = run_job(ROOT / "tests/distributed/hybrid_job.py", count, arguments=[f"{folder}/"], folder=folder, PYTHONPATH=PATH)
    assert [status for status, _ in said] == [0] * count, said
    return [json.loads((folder / str(rank)).read_text()) for rank in range(count)]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return answers(tmp_path_factory.mktemp("two"), 2)


def same(found: Any, right: Any, where: str) -> None:
    """Equal, numbers nearly."""
    if isinstance(right, dict):
        assert sorted(found) == sorted(right), where
        for name in right:
            same(found[name], right[name], f"{where}/{name}")
    elif isinstance(right, list):
        assert len(found) == len(right), where
        for number, pair in enumerate(zip(found, right)):
            same(*pair, f"{where}[{number}]")
    elif isinstance(right, float):
        assert math.isclose(found, right, rel_tol=5e-5, abs_tol=2e-6), (where, found, right)
    else:
        assert found == right, (where, found, right)


@pytest.mark.parametrize("kind", list(WHEEL))
def test_groups_and_steps_are_the_wheels(two: list[dict[str, Any]], kind: str) -> None:
    for rank, each in enumerate(two):
        same(each["asked"][kind], WHEEL[kind][rank], f"{kind} on {rank}")


def test_operators_between_the_parts(two: list[dict[str, Any]]) -> None:
    for rank, each in enumerate(two):
        whole, both = [1.0, 2.0, 3.0, 4.0], [[1.0, 2.0, 1.0, 3.0]]
        assert each["linear"] == {
            "identity": [[[1.0, 2.0 + rank]], [[3.0, 3.0]]],
            "concat": [both, [[(rank + 1.0) * value for value in whole[2 * rank : 2 * rank + 2]]]],
            "split": [[whole[2 * rank : 2 * rank + 2]], [[1.0, 2.0, 2.0, 4.0]]],
            "sum": [[[2.0, 5.0]], [[rank + 1.0] * 2]],
        }


def test_what_one_process_finds_infinite_nobody_steps_by(two: list[dict[str, Any]]) -> None:
    assert [each["overflow"] for each in two] == [[2.0], [2.0]]


def test_slices_are_as_large_as_the_wheels(two: list[dict[str, Any]]) -> None:
    """What 2.6.2 gives where its gloo is taught to reduce and scatter."""
    names = [f"linear_{number}.{kind}_0" for number in range(2) for kind in "wb"]
    for rank, each in enumerate(two):
        sizes = [128, 128, 1, 1] if rank == 0 else [1, 1, 128, 128]
        own = [[name, [size]] for name, size in zip(names, sizes)]
        moments = {f"{name}_moment1_0": size for name, size in own if size > [1]}
        assert each["slices"] == [["DygraphShardingOptimizerV2", 4], own, moments]


def test_objects_go_from_one_process_to_another(two: list[dict[str, Any]]) -> None:
    assert two[1]["objects"] == [*two[0]["objects"], "again"]


def test_models_see_the_first_processs_data(two: list[dict[str, Any]]) -> None:
    assert [each["data"] for each in two] == [[[1.0], ["of 0", [0, None]], 0, [0], "NoneType"]] * 2


def test_states_have_the_names_of_the_whole_model(two: list[dict[str, Any]]) -> None:
    """The job has compared the numbers."""
    for each in two:
        assert each["names"][0] == each["names"][1] == each["names"][2] and len(each["names"][0]) == 25


def test_numbers_of_ones_own(two: list[dict[str, Any]]) -> None:
    (own, shared), (other, same_) = (each["drawn"] for each in two)
    assert own != other and shared == same_


def test_two_axes_of_four_processes(tmp_path: Path) -> None:
    """The job has compared a model along both axes with a whole one."""
    found = answers(tmp_path, 4)
    assert [list(each.values()) for each in found] == [
        [[[0, 2], [0, 1], [0]], [[0], [0, 1], [0, 2]], [[0, 1], [0], [0, 2]]],
        [[[1, 3], [0, 1], [1]], [[1], [0, 1], [1, 3]], [[0, 1], [1], [1, 3]]],
        [[[0, 2], [2, 3], [2]], [[2], [2, 3], [0, 2]], [[2, 3], [2], [0, 2]]],
        [[[1, 3], [2, 3], [3]], [[3], [2, 3], [1, 3]], [[2, 3], [3], [1, 3]]],
    ]
