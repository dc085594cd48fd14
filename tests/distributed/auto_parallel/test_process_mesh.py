"""`ProcessMesh`, placements, and the functions beside them, as in Paddle 3.3."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import paddle_compat.distributed as dist
from paddle_compat.distributed.auto_parallel import placement_type, process_mesh

MESH = dist.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=["x", "y"])


def test_what_it_is_made_of() -> None:
    assert str(MESH) == "shape [2, 3], process_ids [2, 4, 5, 0, 1, 3], dim_names ['x', 'y']"
    assert (MESH.shape, MESH.ndim, MESH.size, MESH.dim_names, MESH.mesh.tolist()) == ([2, 3], 2, 6, ["x", "y"], [[2, 4, 5], [0, 1, 3]])
    assert dist.ProcessMesh(shape=[2, 2], process_ids=range(4)) == dist.ProcessMesh(np.arange(4).reshape(2, 2), ["a", "b"])
    assert {MESH: 1}[copy.deepcopy(MESH)] == 1 and dist.ProcessMesh([2, 4, 5, 0, 1, 3]) != MESH and MESH != 3
    assert MESH.contains(4) and not MESH.contains(7)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (MESH[0], ([2, 4, 5], ["y"])),
        (MESH[:, 1], ([4, 1], ["x"])),
        (MESH[0, 1], ([4], ["d0"])),
        (MESH[1:], ([0, 1, 3], ["x", "y"])),
        (MESH.get_mesh_with_dim("y"), ([2, 0, 4, 1, 5, 3], ["y", "x"])),
        (MESH.get_mesh_with_dim("y", 0), ([2, 0], ["x"])),
        (MESH.get_submesh_with_dim("y"), ([0, 1, 3], ["y"])),
    ],
)
def test_parts(part: Any, expected: Any) -> None:
    assert (part.process_ids, part.dim_names) == expected


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (AssertionError, {"mesh": [0, 0]}),
        (AssertionError, {}),
        (AssertionError, {"mesh": [-1]}),
        (AssertionError, {"mesh": [1.5]}),
        (AssertionError, {"mesh": [0, 1], "dim_names": ["a", "b"]}),
        (AssertionError, {"mesh": [[0, 1], [2, 3]], "dim_names": ["a", "a"]}),
        (ValueError, {"mesh": 3}),
        (ValueError, {"mesh": [0, 1], "dim_names": "a"}),
    ],
)
def test_refused(kind: type[Exception], arguments: dict[str, Any]) -> None:
    with pytest.raises(kind):
        dist.ProcessMesh(**arguments)


def test_the_mesh_of_a_block() -> None:
    assert process_mesh.get_current_process_mesh() is None
    with MESH:
        with MESH[0]:
            assert process_mesh.get_current_process_mesh() == MESH[0]
        assert process_mesh.get_current_process_mesh() is MESH
    assert process_mesh.get_current_process_mesh() is None


def test_the_mesh_of_a_script() -> None:
    assert dist.auto_parallel.get_mesh() is None
    dist.auto_parallel.set_mesh(MESH)
    assert dist.auto_parallel.get_mesh() is MESH
    dist.auto_parallel.set_mesh(None)
    assert dist.auto_parallel.get_mesh() is None
    with pytest.raises(TypeError, match="set_mesh"):
        dist.auto_parallel.set_mesh(3)  # type: ignore[arg-type]


def test_meshes_of_several() -> None:
    row, square, other = dist.ProcessMesh([0, 1, 2, 3]), dist.ProcessMesh([[0, 1], [2, 3]]), dist.ProcessMesh([4])
    compatible = process_mesh.compute_compatible_process_mesh
    assert compatible([row, None, square]) == compatible([square, row]) == square
    assert compatible([row, dist.ProcessMesh([1])]) == row
    assert compatible([row, other]) is None and compatible([]) is None
    assert process_mesh.merge_process_meshes([row, None, other]) == dist.ProcessMesh([0, 1, 2, 3, 4])
    assert process_mesh.merge_process_meshes([]) is None


def test_placements_and_dimensions() -> None:
    square = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    placements = [dist.Shard(1), dist.Partial()]
    assert placement_type.to_dim_map(placements, 2) == ([-1, 0], {1: dist.ReduceType.kRedSum})
    assert placement_type.to_placements([-1, 0], square, [1]) == placements
    assert placement_type.get_shard_spec(square, placements, 2) == [None, "x"]
    with pytest.raises(ValueError, match="one use"):
        placement_type.to_placements([0, 0], square)
    assert placement_type.check_placements_equal([], [dist.Replicate()])
    assert not placement_type.check_placements_equal([dist.Shard(0)], [dist.Replicate()])


def test_placements_are_values() -> None:
    every = [dist.Shard(0), dist.Shard(1), dist.Replicate(), dist.Partial(), dist.Partial(dist.ReduceType.kRedMax)]
    assert len({*every, *copy.deepcopy(every), *pickle.loads(pickle.dumps(every))}) == 5
    text = "[Shard(dim=0), Shard(dim=1), Replicate(), Partial(reduce_type=SUM), Partial(reduce_type=MAX)]"
    assert str(every) == text
    assert [each.is_shard() for each in every[1:4]] + [every[2].is_replicated(), every[3].is_partial()] == [True, False, False, True, True]
