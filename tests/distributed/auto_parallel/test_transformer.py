"""A transformer, data parallel 2 x tensor parallel 2 with each sharding stage, trains as in one process, with no more calls than it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

JOB = Path(__file__).with_name("transformer_job.py")
# 35 parameters, of which 16 are cut for tensor parallelism, and 8 of those are vectors, which a stage leaves alone.
CALLS: dict[str, dict[str, int]] = {}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return answers(JOB, 4, tmp_path_factory.mktemp("job"), "", seconds=300)


@pytest.mark.parametrize("stage", ["1", "2", "3"])
def test_as_one_process(stage: str, found: dict[str, Any]) -> None:
    for alone, own in zip(found["alone"], found[stage]):
        np.testing.assert_allclose(own["losses"], alone["losses"], atol=1e-5)
        assert own["losses"][-1] < 0.7 * own["losses"][0]
        for value, expected in zip(own["weights"], alone["weights"]):
            np.testing.assert_allclose(value, expected, atol=1e-5)


@pytest.mark.parametrize("stage", ["1", "2", "3"])
def test_placements_and_calls(stage: str, found: dict[str, Any]) -> None:
    for own in found[stage]:
        assert own["changed"] == 0  # parameters keep their placements after every step
        assert own["calls"] == CALLS[stage]
