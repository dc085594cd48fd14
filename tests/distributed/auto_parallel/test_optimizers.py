"""Optimizers, clips, decays and schedules on dist parameters give the values of Paddle 3.3 in every process."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

WHEEL = json.loads((ROOT / "tests/references/mesh_optimizers.json").read_text())


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(ROOT / "tests/models/mesh_optimizers.py", 2, tmp_path_factory.mktemp("job"), "optimizers")


@pytest.mark.parametrize("case", WHEEL)
def test_steps(case: str, ours: dict[str, list[Any]]) -> None:
    for own, real in zip(ours[case], WHEEL[case]):
        assert own["parameters"] == real["parameters"]
        assert own["gradients"] == real["gradients"]
        assert own["states"] == real["states"]
        for value, expected in zip(own["values"], real["values"]):
            np.testing.assert_allclose(value, expected, rtol=2e-5, atol=2e-6)
