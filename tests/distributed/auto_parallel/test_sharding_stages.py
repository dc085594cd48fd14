"""`shard_optimizer` with stages 1 to 3 cuts states, gradients and parameters as Paddle 3.3 does, and changes no number."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

STAGES = ("none", "ShardingStage1", "ShardingStage2", "ShardingStage3")


@pytest.fixture(scope="module", params=[2, 4])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    own = answers(ROOT / "tests/models/mesh_optimizers.py", request.param, tmp_path_factory.mktemp("job"), "stages")
    return own, json.loads((ROOT / f"tests/references/mesh_stages_{request.param}.json").read_text())


@pytest.mark.parametrize("stage", STAGES)
def test_placements(stage: str, both: tuple[Any, Any]) -> None:
    for own, real in zip(both[0][stage], both[1][stage]):
        for name in real:
            if name != "values":
                assert own[name] == real[name], name
        assert own["parameters"] == own["cut"]  # a step leaves them where they were


@pytest.mark.parametrize("stage", STAGES[:3])
def test_values(stage: str, both: tuple[Any, Any]) -> None:
    for own, real in zip(both[0][stage], both[1][stage]):
        for value, expected in zip(own["values"], real["values"]):
            np.testing.assert_allclose(value, expected, rtol=2e-5, atol=2e-6)


def test_stage_3_changes_no_number(both: tuple[Any, Any]) -> None:
    """The wheel does not come back from this step on a CPU."""
    for own, first in zip(both[0]["ShardingStage3"], both[0]["ShardingStage1"]):
        assert own["states"] == own["cut"] * 2
        for value, expected in zip(own["whole"], first["whole"]):
            np.testing.assert_allclose(value, expected, rtol=1e-6)
