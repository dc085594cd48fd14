"""Workers that train on parts of a batch, by any front of fleet, end with the parameters of one process on the joined batch."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from models import references

FRONTS = ("static", "eager", "parallel", "old", "old_operators")
CASES = ("sgd", "momentum", "adam", "sgd_decay_sparse", "momentum_clip_l2", "momentum_clip_sparse", "adam_lazy_sparse", "adam_all")
Found = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Found]]:
    found = {}
    for workers in (2, 4):
        folder = tmp_path_factory.mktemp(f"job{workers}")
        for status, said in run_job(Path(__file__).with_name("joined_batch_job.py"), workers, arguments=[str(folder)], folder=folder):
            assert status == 0, said
        found[workers] = [json.loads((folder / f"{rank}.json").read_text()) for rank in range(workers)]
    return found


@pytest.fixture(scope="module")
def alone() -> Found:
    """What one process gives on the joined batches, without fleet."""
    with references.paddle_is_ours(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distributed import joined_batch_job as job

        assert (job.FRONTS, tuple(job.CASES)) == (FRONTS, CASES)
        found = {front: {case: job.trained(front, case) for case in CASES} for front in ("static", "eager", "old")}
        return found | {"parallel": found["eager"], "old_operators": found["old"]}  # which differ only in how workers meet


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("front", FRONTS)
def test_parameters_are_those_of_one_process(jobs: dict[int, list[Found]], alone: Found, front: str, case: str, workers: int) -> None:
    first = jobs[workers][0][front][case]
    assert list(first) == list(alone[front][case])
    for name, value in alone[front][case].items():
        np.testing.assert_allclose(first[name], value, rtol=0, atol=1e-6, err_msg=name)
    for other in jobs[workers][1:]:
        assert other[front][case] == first


@pytest.mark.parametrize("front", ["static", "eager", "old"])
def test_what_takes_part_matters(alone: Found, front: str) -> None:
    ends = [np.concatenate([np.ravel(value) for value in alone[front][case].values()]) for case in CASES]
    for number, end in enumerate(ends):
        assert all(np.abs(end - other).max() > 1e-3 for other in ends[:number])
