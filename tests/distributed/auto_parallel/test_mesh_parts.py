"""`moe_sub_mesh_tensors` and `moe_global_mesh_tensor` give what Paddle 3.3.1 gives in two processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.distributed.auto_parallel import api

FIRST, SECOND = [[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]
WHOLE, ALL = "[Replicate()]", FIRST + SECOND
TWO = "[Replicate(), Replicate()]"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(Path(__file__).with_name("mesh_parts_job.py"), 2, tmp_path_factory.mktemp("job"), "")


@pytest.mark.parametrize(
    ("case", "shape", "mesh", "names", "lies", "values"),
    [
        ("line", [2, 2], [1], ["x"], WHOLE, [FIRST, SECOND]),
        ("copies", [4, 2], [1], ["x"], WHOLE, [ALL, ALL]),
        ("row", [2, 2], [1, 1], ["dp", "mp"], TWO, [FIRST, SECOND]),
        ("column", [2, 2], [1, 1], ["dp", "mp"], TWO, [FIRST, SECOND]),
    ],
)
def test_parts(case: str, shape: list[int], mesh: list[int], names: list[str], lies: str, values: Any, found: dict[str, list[Any]]) -> None:
    for rank, own in enumerate(found[case]):
        expected = [[shape, mesh, [at], names, lies, values[at] if at == rank else None] for at in range(2)]
        assert own == expected


def test_a_dimension_of_one_place_is_the_whole_mesh(found: dict[str, list[Any]]) -> None:
    for own, values in zip(found["row as it is"], (FIRST, SECOND)):
        assert own == [[[4, 2], [1, 2], [0, 1], ["dp", "mp"], "[Replicate(), Shard(dim=0)]", values]]


def test_put_together(found: dict[str, list[Any]]) -> None:
    for lies, values, gradient in found["together"]:
        assert lies == "[Shard(dim=0)]"
        assert values == [[0.0, 6.0], [12.0, 18.0], [32.0, 40.0], [48.0, 56.0]]
        assert gradient == [[6.0, 6.0]] * 2 + [[8.0, 8.0]] * 2


def test_wrong_use() -> None:
    mesh, cut = dist.ProcessMesh([0]), [dist.Shard(0)]
    x = dist.shard_tensor([1.0, 2.0], mesh, cut)
    assert api.is_dist_tensor(x) and not api.is_dist_tensor(paddle.ones([2])) and not api.is_dist_tensor(3)
    with pytest.raises(ValueError, match=r"`global_mesh` of `moe_sub_mesh_tensors`. Expected the mesh that dist_tensor lies on"):
        api.moe_sub_mesh_tensors(paddle.ones([2]), mesh, 0, cut)
    with pytest.raises(ValueError, match="`global_placements` of `moe_sub_mesh_tensors`"):
        api.moe_sub_mesh_tensors(x, mesh, 0, [dist.Replicate()])
    with pytest.raises(TypeError, match=r"`local_mesh_dim` .* Expected a dimension of the mesh: int"):
        api.moe_sub_mesh_tensors(x, mesh, [0], cut)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"`local_mesh_dim` .* Expected one of the 1 dimensions"):
        api.moe_sub_mesh_tensors(x, mesh, 1, cut)
    with pytest.raises(ValueError, match=r"`local_tensor_list` .* Expected dist tensors on the processes \[\[0\]\]"):
        api.moe_global_mesh_tensor([x, x], mesh, cut, 0)
