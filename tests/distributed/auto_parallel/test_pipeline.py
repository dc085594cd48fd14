"""Layers on the meshes of several processes, one behind the other, train as on one: each process has its layers only."""

from __future__ import annotations

from pathlib import Path

import pytest
from mesh_jobs import answers


def test_stages_train_as_one_process_does(tmp_path: Path) -> None:
    found = answers(Path(__file__).with_name("pipeline_job.py"), 2, tmp_path, "")
    split = found.pop("parallelize")
    one, named, given = ([each[way] for each in split] for way in ("one", "named", "given"))
    for parts, last in ((named, 1), (given, 0)):  # of three layers, the first process's last
        assert parts[0]["losses"] == [] and parts[1]["losses"] == pytest.approx(one[0]["losses"], rel=1e-5)
        assert f"layers.{last}.up.weight" in parts[0] and f"layers.{last + 1}.up.weight" in parts[1] and "head.weight" in parts[1]
        kept = [{name: values for name, values in part.items() if name != "losses"} for part in parts]
        assert not set(kept[0]) & set(kept[1]) and {*kept[0], *kept[1], "losses"} == set(one[0])
        for name, values in {**kept[0], **kept[1]}.items():
            assert values == pytest.approx(one[0][name], rel=1e-4, abs=1e-5), name
    for clip, (first, second) in found.items():
        expected = first["one"]
        assert len(expected["losses"]) == 3 and second["one"] == {"losses": []}
        assert sorted(first["stages"]) == ["0", "losses"] and sorted(second["stages"]) == ["1", "2", "losses"]
        for name, values in {**first["stages"], **second["stages"]}.items():
            assert values == pytest.approx(expected[name], rel=1e-6, abs=1e-6), (clip, name)
