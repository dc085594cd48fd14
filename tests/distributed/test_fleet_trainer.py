"""The trainer of Paddle's Fleet page on 2 and 4 processes gives what one process gives on the joined batches."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from models import references


def run(folder: Path, workers: int) -> list[dict[str, Any]]:
    """What each worker of a job wrote, and said."""
    said = run_job(Path(__file__).with_name("fleet_trainer.py"), workers, arguments=[str(folder)], folder=folder, PADDLE_COMPAT_CPU="1")
    for status, text in said:
        assert status == 0, text
    return [{**json.loads((folder / f"{rank}.json").read_text()), "said": text} for rank, (_, text) in enumerate(said)]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[dict[str, Any]]]:
    return {workers: run(tmp_path_factory.mktemp(f"job{workers}"), workers) for workers in (2, 4)}


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """What one process gives on the joined batches."""
    with pytest.MonkeyPatch.context() as patch, references.paddle_is_ours(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # static mode was not chosen, and there is no GPU
        patch.setenv("PADDLE_COMPAT_CPU", "1")
        from distributed import fleet_trainer

        return fleet_trainer.train()


@pytest.mark.parametrize("workers", [2, 4])
def test_parameters_are_those_of_one_process(jobs: dict[int, list[dict[str, Any]]], workers: int, alone: dict[str, Any]) -> None:
    for job in jobs[workers]:
        for name, value in alone["parameters"].items():
            np.testing.assert_allclose(job["trained"]["parameters"][name], value, rtol=0, atol=1e-6)
    mean = np.mean([job["trained"]["losses"] for job in jobs[workers]], axis=0)
    np.testing.assert_allclose(mean, alone["losses"], rtol=0, atol=2e-6)


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_meet(jobs: dict[int, list[dict[str, Any]]], workers: int) -> None:
    shares = []
    for rank, job in enumerate(jobs[workers]):
        answers = job["answers"]
        shares += answers["files"]
        assert answers["gather"] == [{"rank": each} for each in range(workers)]
        assert answers["sum"] == [sum(range(workers)), 1.5 * workers]
        assert (answers["max"], answers["min"]) == ([workers - 1, 3], 0)
        assert (answers["endpoints"], answers["first"]) == (workers, rank == 0)
        assert "Expected sum, max or min. Received: 'nope'" in answers["mode"]
        assert "Expected one shape from all workers" in answers["shape"]
        assert ("the last one says this" in job["said"]) == (rank == workers - 1)
    assert shares == list("abcdefg")


@pytest.mark.parametrize("workers", [2, 4])
def test_gradients_and_figures_meet_in_eager_mode(jobs: dict[int, list[dict[str, Any]]], workers: int) -> None:
    mean = np.mean(np.arange(workers) + 1.0)
    for rank, job in enumerate(jobs[workers]):
        found = job["eager"]
        assert found["weight"] == jobs[workers][0]["eager"]["weight"]
        np.testing.assert_allclose(found["grad"], np.full([3, 1], 2 * mean), rtol=1e-6)
        np.testing.assert_allclose(found["step"], found["grad"], rtol=1e-6)
        assert found["model"] == "DataParallel"
        assert found["acc"] == pytest.approx(mean / 4) and found["auc"] == 1.0
        assert found["groups"] == [rank, workers, workers]
