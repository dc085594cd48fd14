"""Layers on the meshes of several processes, one behind the other, train as on one: each process has its layers only."""

from __future__ import annotations

from pathlib import Path

import pytest
from mesh_jobs import answers


def test_stages_train_as_one_process_does(tmp_path: Path) -> None:
    found = answers(Path(__file__).with_name("pipeline_job.py"), 2, tmp_path, "")
    for clip, (first, second) in found.items():
        expected = first["one"]
        assert len(expected["losses"]) == 3 and second["one"] == {"losses": []}
        assert sorted(first["stages"]) == ["0", "losses"] and sorted(second["stages"]) == ["1", "2", "losses"]
        for name, values in {**first["stages"], **second["stages"]}.items():
            assert values == pytest.approx(expected[name], rel=1e-6, abs=1e-6), (clip, name)
