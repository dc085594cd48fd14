"""What dist tensors are refused with, and that a process that dies ends the others, who name it."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from jobs import run_job
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.errors import UnsupportedError

MESH, SQUARE = dist.ProcessMesh([0]), dist.ProcessMesh([[0]], dim_names=["x", "y"])


@pytest.mark.parametrize(
    ("kind", "words", "arguments"),
    [
        (IndexError, "2 dimensions of the tensor", (MESH, [dist.Shard(2)])),
        (ValueError, "2 dimensions of the tensor", (MESH, [dist.Shard(-3)])),
        (ValueError, "1 dimensions of the mesh", (MESH, [dist.Replicate(), dist.Shard(0)])),
        (TypeError, "mesh", ([0], [dist.Shard(0)])),
        (TypeError, "placements", (MESH, dist.Shard(0))),
        (TypeError, "placements", (MESH, [0])),
        (UnsupportedError, "before", (SQUARE, [dist.Shard(0, shard_order=1), dist.Shard(0, shard_order=0)])),
        (UnsupportedError, "kRedSum", (SQUARE, [dist.Partial(), dist.Partial(dist.ReduceType.kRedMax)])),
        (UnsupportedError, "split_factor", (MESH, [dist.Shard(0, split_factor=2)])),
    ],
)
@pytest.mark.parametrize("call", [dist.shard_tensor, dist.reshard, dist.dtensor_from_local])
def test_refused(call: Any, kind: type[Exception], words: str, arguments: Any) -> None:
    x = paddle.ones([2, 2])
    given = dist.shard_tensor(x, MESH, [dist.Replicate()]) if call is dist.reshard else x
    with pytest.raises(kind, match=words):
        call(given, *arguments)


def test_reshard_counts_dimensions_from_the_end_and_the_others_do_not() -> None:
    x = paddle.ones([2, 3])
    assert dist.reshard(dist.shard_tensor(x, MESH, [dist.Shard(0)]), MESH, [dist.Shard(-1)]).placements == [dist.Shard(1)]
    for call in (dist.shard_tensor, dist.dtensor_from_local):
        with pytest.raises(ValueError, match="2 dimensions of the tensor"):
            call(x, MESH, [dist.Shard(-1)])


def test_values_do_not_travel_to_processes_that_are_not_there() -> None:
    beyond = dist.ProcessMesh([0, 1])
    with pytest.raises(ValueError, match="1 process of this job"):
        dist.reshard(dist.shard_tensor(paddle.ones([2, 2]), MESH, [dist.Replicate()]), beyond, [dist.Shard(0)])
    with pytest.raises(ValueError, match="1 process of this job"):
        dist.reshard(dist.shard_tensor(paddle.ones([2, 2]), beyond, [dist.Shard(0)]), MESH, [dist.Shard(0)])


def test_plain_tensors_are_not_moved() -> None:
    for call in (dist.reshard, dist.dtensor_to_local):
        with pytest.raises(ValueError, match="dist tensor"):
            call(paddle.ones([2]), MESH, [dist.Replicate()])


def test_tensors_of_two_meshes_do_not_meet() -> None:
    x = dist.shard_tensor(paddle.ones([2]), MESH, [dist.Replicate()])
    y = dist.shard_tensor(paddle.ones([2]), SQUARE, [dist.Replicate()] * 2)
    with pytest.raises(ValueError, match="one mesh"):
        x + y


def test_a_process_that_dies_is_named(tmp_path: Path) -> None:
    said = run_job(ROOT / "tests/models/mesh_uses.py", 3, arguments=[str(tmp_path), "death"], folder=tmp_path)
    assert [status for status, _ in said] == [0, 0, -signal.SIGKILL], said
    for rank in range(2):
        found = json.loads((tmp_path / str(rank)).read_text())["death"]
        assert found.pop("seconds") < 30
        for case, (kinds, text) in found.items():
            assert "UnavailableError" in kinds and "Process 2 of 3" in text, case


def test_replicate_behind_the_dimensions_of_the_mesh_changes_nothing() -> None:
    assert dist.shard_tensor(paddle.ones([4, 2]), MESH, [dist.Shard(0), dist.Replicate()]).placements == [dist.Shard(0)]
