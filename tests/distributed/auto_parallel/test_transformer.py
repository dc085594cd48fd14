"""A transformer, data parallel 2 x tensor parallel 2 with each sharding stage, trains as in one process, with no call too many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

JOB = Path(__file__).with_name("transformer_job.py")
# Of 35 parameters, 8 are vectors that tensor parallelism has cut: the stages leave those alone.
CALLS = {
    "all_reduce": 4 + 4 + 8 + 4,  # row-wise layers; inputs of column-wise ones, backward; gradients of the 8; four norms for the clip
    "reduce_scatter_tensor": 27,  # gradients
    "all_gather_into_tensor": 27,  # parameters: after the update, or where operators use them
}
KEY_BIASES = (10, 26)  # their gradients are zero but for rounding, which Adam makes steps of


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return answers(JOB, 4, tmp_path_factory.mktemp("job"), "", seconds=500)


@pytest.mark.parametrize("stage", ["1", "2", "3"])
def test_as_one_process(stage: str, found: dict[str, Any]) -> None:
    for alone, own in zip(found["alone"], found[stage]):
        np.testing.assert_allclose(own["losses"], alone["losses"], atol=1e-5)
        assert own["losses"][-1] < 0.7 * own["losses"][0]
        for number, (value, expected) in enumerate(zip(own["weights"], alone["weights"])):
            if number not in KEY_BIASES:
                np.testing.assert_allclose(value, expected, atol=1e-5)


@pytest.mark.parametrize("stage", ["1", "2", "3"])
def test_placements_and_calls(stage: str, found: dict[str, Any]) -> None:
    for own in found[stage]:
        assert own["changed"] == 0  # parameters keep their placements after every step
        assert own["calls"] == CALLS
