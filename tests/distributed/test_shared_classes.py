"""`margin_cross_entropy` and `class_center_sample` where processes share out the classes, which the wheels do on GPUs only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jobs import run_job
from processes import ROOT


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    folder: Path = tmp_path_factory.mktemp("classes")
    for status, text in run_job(ROOT / "tests/distributed/shared_classes_job.py", 2, 120, arguments=[str(folder)], folder=folder):
        assert status == 0, text
    return [json.loads((folder / str(rank)).read_text()) for rank in range(2)]


def test_losses_and_gradients_are_those_of_one_process(answers: list[dict]) -> None:
    assert [answer["losses"] < 1e-9 for answer in answers] == [True, True]


def test_labels_are_places_among_all_processes_classes(answers: list[dict]) -> None:
    """Four classes of the labels are the first process's, and three the second's."""
    for answer in answers:
        assert answer["centers"] == {
            "2": [[4, 3], True, "paddle.int64"], "4": [[4, 4], True, "paddle.int64"], "7": [[7, 7], True, "paddle.int64"],
        }  # fmt: skip


def test_groups_as_in_the_wheel(answers: list[dict]) -> None:
    """2.6.2 gives None where it does not count this process among the group's, and that of one process has none."""
    for answer in answers:
        assert answer["outside"] == [None, None]
        assert all("ValueError" in kinds for kinds in answer["wrong"])
