"""A transformer, data parallel 2 x tensor parallel 2 with each sharding stage, trains as in one process, with no call too many.

In eager mode, and as a DistModel.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

JOB = Path(__file__).with_name("transformer_job.py")
# Of 35 parameters, 8 are vectors that tensor parallelism has cut: the stages leave those alone.
CALLS = {
    # row-wise layers; inputs of column-wise ones, backward; gradients of the 8; four norms for the clip; how many labels count
    "all_reduce": 4 + 4 + 8 + 4 + 1,
    "reduce_scatter_tensor": 27,  # gradients
    "all_gather_into_tensor": 27,  # parameters: after the update, or where operators use them
}
KEY_BIASES = (10, 26)  # their gradients are zero but for rounding, which Adam makes steps of


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return answers(JOB, 4, tmp_path_factory.mktemp("job"), "", seconds=500)


# As a DistModel it adds up the norms of all gradients before it sends them, along each dimension of the mesh; and it returns the loss.
LISTED = {"all_reduce": 4 + 4 + 8 + 2 + 1, "reduce_scatter": 27, "all_gather": 27}


def check_as_alone(own: dict[str, Any], alone: dict[str, Any]) -> None:
    count = len(own["losses"])
    np.testing.assert_allclose(own["losses"], alone["losses"][:count], atol=1e-5)
    for number, (value, expected) in enumerate(zip(own["weights"], alone["weights"][str(count)])):
        if number not in KEY_BIASES:
            np.testing.assert_allclose(value, expected, atol=1e-5)
    assert own["changed"] == 0  # parameters keep their placements after every step


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_in_eager_mode(stage: int, found: dict[str, Any]) -> None:
    for alone, own in zip(found["alone"], found[f"eager {stage}"]):
        check_as_alone(own, alone)
        assert own["calls"] == CALLS


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_as_dist_model(stage: int, found: dict[str, Any]) -> None:
    """For 20 steps; the collectives listed are those that run, and no more than counted by hand."""
    for alone, own in zip(found["alone"], found[f"DistModel {stage}"]):
        assert len(own["losses"]) == 20 and own["losses"][-1] < 0.7 * own["losses"][0]
        check_as_alone(own, alone)
        assert own["listed"] == LISTED
        assert own["calls"] == {"all_reduce": 19, "reduce_scatter_tensor": 27, "all_gather_into_tensor": 27}
        assert own["cut"] == (35 if stage == 3 else 20)
