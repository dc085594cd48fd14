"""`shard_dataloader` on two processes: each one's samples, how batches lie, several meshes, names, plain Tensors, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from mesh_jobs import answers
from processes import ROOT

CUT = "[Shard(dim=0)]"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return answers(ROOT / "tests/models/mesh_uses.py", 2, tmp_path_factory.mktemp("job"), "loaders")["loaders"]


def labels(own: dict[str, Any]) -> list[Any]:
    """The second input of each batch."""
    return [batch[1] for batch in own["batches"]]


CASES = {  # each process's labels, and how they lie
    "whole": ("[Replicate()]", [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]] * 2),
    "by name": (CUT, [[[0, 1], [4, 5], [8]], [[2, 3], [6, 7], [9]]]),
    "by number": ("[Replicate(), Shard(dim=0)]", [[[0, 1], [4, 5], [8]], [[2, 3], [6, 7], [9]]]),
    "split before": (CUT, [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]] * 2),
    "dropped": (CUT, [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]),
}


@pytest.mark.parametrize("case", CASES)
def test_each_process_reads_its_share(found: list[Any], case: str) -> None:
    placements, expected = CASES[case]
    for own, values in zip(found, expected):
        assert labels(own[case]) == [[placements, [0, 1], each] for each in values]
        assert all(row == [label] * 2 for x, y in own[case]["batches"] for row, label in zip(x[2], y[2]))


def test_length_and_second_pass(found: list[Any]) -> None:
    for own in found:
        for case in CASES:
            assert own[case]["length"] == len(own[case]["batches"]) and own[case]["again"]
            assert own[case]["read"] == 0  # building it read nothing


def test_inputs_on_meshes_of_their_own(found: list[Any]) -> None:
    for rank, own in enumerate(found):
        for x, y in own["meshes"]["batches"]:
            assert [x[:2], y[:2]] == [[CUT, [0]], [CUT, [1]]]
            assert [bool(x[2]), bool(y[2])] == [rank == 0, rank == 1]


def test_names_and_plain_tensors(found: list[Any]) -> None:
    for own in found:
        first, plain = own["names"]["batches"][0], own["plain ones"]["batches"][0]
        assert list(first) == ["y", "x"] and first["x"][0][0] == first["y"][0] == CUT
        assert plain["x"][0] == first["x"][0] and plain["x"][1] == first["x"][1][2]


def test_shuffled_samples_come_once(found: list[Any]) -> None:
    assert [own["shuffled"] for own in found] == [list(range(10))] * 2


@pytest.mark.parametrize(
    ("case", "kind", "words"),
    [
        ("no meshes", "ValueError", "meshes"),
        ("no dimension", "ValueError", "shard_dims"),
        ("dimensions", "ValueError", "shard_dims"),
        ("both meshes", "ValueError", "meshes"),
        ("too small", "ValueError", "one for each process"),
        ("inputs", "AssertionError", "meshes"),
    ],
)
def test_refused(found: list[Any], case: str, kind: str, words: str) -> None:
    for own in found:
        kinds, text = own["refused"][case]
        assert kind in kinds and words in text
