"""Dist tensors of two processes in eager mode: master copies, scaled losses, recomputing and added up gradients, as on one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

WHOLE, CUT = ["paddle.float32", "[Replicate()]"], ["paddle.float32", "[Shard(dim=0)]"]
MASTERS = {"masters": [WHOLE, WHOLE, CUT, ["paddle.float32", "[Shard(dim=1)]"]], **{f"stage {stage}": [CUT] * 4 for stage in (1, 2, 3)}}
CASES = (*MASTERS, "accumulated", "recomputed", "scaled", "scaled stage 2")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(Path(__file__).with_name("mixed_precision_job.py"), 2, tmp_path_factory.mktemp("job"), "all")


@pytest.mark.parametrize("case", CASES)
def test_as_on_one_process(case: str, found: dict[str, list[Any]]) -> None:
    """Losses, parameters and the scaler's factors; a step that one process finds infinite is left out by both."""
    low = case in MASTERS  # sums in bfloat16 are rounded once more where two processes share them
    for own in found[case]:
        plain = own.pop("plain")
        assert own
        for each in own.values():
            np.testing.assert_allclose(each["losses"], plain["losses"], atol=1e-3 if low else 1e-6, rtol=0)
            np.testing.assert_allclose(each["weight"], plain["weight"], atol=1e-3 if low else 1e-6, rtol=0)
            assert each["factors"] == plain["factors"] == ([[512.0], [1024.0]] if "scaled" in case else [])
            assert each["masters"] == MASTERS.get(case, [])
            assert each["kinds"] == plain["kinds"] == (["paddle.bfloat16"] if low else ["paddle.float32"])
