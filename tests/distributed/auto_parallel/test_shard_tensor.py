"""`shard_tensor` and its like make on two processes what Paddle 3.3 makes: pieces, shapes, types, names, gradients, text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mesh_jobs import answers
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.errors import UnsupportedError

WHEEL = json.loads((ROOT / "tests/references/mesh_layouts.json").read_text())


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(ROOT / "tests/models/mesh_layouts.py", 2, tmp_path_factory.mktemp("job"), "layouts")


@pytest.mark.parametrize("case", WHEEL)
def test_as_the_wheel(case: str, ours: dict[str, list[Any]]) -> None:
    assert ours[case] == WHEEL[case]


def test_every_case_is_recorded(ours: dict[str, list[Any]]) -> None:
    assert list(ours) == list(WHEEL)


def test_half_precision_is_cut() -> None:
    """The wheel has no kernel that cuts it on a CPU."""
    x = dist.shard_tensor(paddle.ones([4, 2], "bfloat16"), dist.ProcessMesh([0]), [dist.Shard(0)])
    assert (x.dtype, x._local_shape) == (paddle.bfloat16, [4, 2])


def test_a_dist_tensor_stays_where_it_is() -> None:
    mesh = dist.ProcessMesh([0])
    x = dist.shard_tensor(paddle.ones([4, 2]), mesh, [dist.Shard(0)])
    assert dist.shard_tensor(x, mesh, [dist.Shard(0)]) is x
    with pytest.raises(ValueError, match="reshard"):
        dist.shard_tensor(x, mesh, [dist.Replicate()])


def test_the_former_interface() -> None:
    mesh = dist.ProcessMesh([[0]], dim_names=["x", "y"])
    made = dist.auto_parallel.shard_tensor(paddle.ones([2, 3]), mesh, ["y", None])
    assert made.placements == [dist.Replicate(), dist.Shard(0)]
    with mesh:
        assert dist.auto_parallel.shard_tensor(paddle.ones([2])).placements == [dist.Replicate()] * 2
    with pytest.raises(AssertionError, match="process_mesh"):
        dist.auto_parallel.shard_tensor(paddle.ones([2]))
    with pytest.raises(AssertionError, match="shard_spec"):
        dist.auto_parallel.shard_tensor(paddle.ones([2]), mesh, ["z"])
    with pytest.raises(UnsupportedError, match="Variable"):
        dist.auto_parallel.shard_tensor("a Variable", mesh)


def test_attributes_by_names() -> None:
    mesh = dist.ProcessMesh([[0]], dim_names=["x", "y"])
    found = dist.DistAttr(mesh, [None, "y"])
    assert (found.process_mesh, found.sharding_specs, found.dims_mapping) == (mesh, [None, "y"], [-1, 1])
    for wrong in ((3, ["x"]), (mesh, "x"), (mesh, ["z"])):
        with pytest.raises(ValueError, match="DistAttr"):
            dist.DistAttr(*wrong)
