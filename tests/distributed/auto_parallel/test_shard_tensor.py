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


def test_a_process_on_its_own_plans_with_a_larger_mesh() -> None:
    """As the wheels do: it keeps its piece, element-wise operators run on that, and what others hold is asked for when it is needed."""
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    x = dist.shard_tensor(paddle.arange(16, dtype="float32").reshape([4, 4]), mesh, [dist.Shard(0), dist.Shard(1)])
    assert (x.shape, x._local_shape, x.num_shard) == ([4, 4], [2, 2], 4)
    assert (x.process_mesh, x.placements) == (mesh, [dist.Shard(0), dist.Shard(1)])
    y = paddle.nn.functional.relu(x + 1)
    assert (y._local_value().tolist(), y.placements) == ([[1.0, 2.0], [5.0, 6.0]], x.placements)
    assert dist.dtensor_from_fn(paddle.ones, mesh, [dist.Shard(0), dist.Replicate()], [4, 4])._local_shape == [2, 4]
    layer = dist.shard_layer(paddle.nn.Linear(4, 4), mesh)
    assert layer.weight.placements == [dist.Replicate(), dist.Replicate()]
    elsewhere = dist.shard_tensor(paddle.ones([4, 4]), dist.ProcessMesh([1, 2]), [dist.Shard(0)])
    assert (elsewhere.shape, "GlobalDenseTensor Not initialized" in str(elsewhere)) == ([4, 4], True)
    whole = [dist.Replicate(), dist.Replicate()]
    for ask in (x.numpy, lambda: x.sum().numpy(), lambda: paddle.matmul(x, x), lambda: dist.reshard(x, mesh, whole)):
        with pytest.raises(ValueError, match="1 process of this job"):
            ask()


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


# What the 3.3.1 wheel writes of meshes, cuts, batch_dim, dynamic_dims and chunk_id
SQUARE = b"\n\x12\x08\x02\x08\x02\x10\x00\x10\x01\x10\x02\x10\x03\x1a\x01x\x1a\x01y"
WRITTEN = {
    "rows": b"\x12\x02\x08\x00\x12\x00\x18\x00 \x00 \x00(\x00",
    "both": b"\x12\x02\x08\x00\x12\x02\x08\x01\x18\x01 \x01 \x00(\x02",
}


def test_attributes_are_written_as_the_wheel_does() -> None:
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    rows, both, none = dist.DistAttr(mesh, ["x", None]), dist.DistAttr(mesh, ["x", "y"]), dist.DistAttr(mesh, [None, None])
    both.batch_dim, both.chunk_id, both.dynamic_dims = 1, 2, [True, False]
    assert [each.serialize_to_string() for each in (rows, both)] == [SQUARE + WRITTEN["rows"], SQUARE + WRITTEN["both"]]
    none.parse_from_string(both.serialize_to_string())
    assert none == both and none.sharding_specs == [None, None]
    with pytest.raises(ValueError, match="parse_from_string"):
        none.parse_from_string(b"xxx")
    both.reset()
    assert (both.process_mesh, both.dims_mapping, both.annotated, both.batch_dim) == (None, [-1, -1], {}, 1)
    assert str(both) == (
        "{process_mesh: {shape: [], process_ids: [], dim_names: []}, dim_mappings: [[] [] ], batch_dim: 1, chunk_id: 2, "
        "skip_check_mesh: 0, dynamic_dims: [1,0], annotated: [], partial: [], split_factor: .}"
    )
    assert SQUARE not in both.serialize_to_string() and both.serialize_to_string()[:2] == b"\n\x00"


def test_what_attributes_are_annotated() -> None:
    found = dist.DistAttr(dist.ProcessMesh([0], dim_names=["x"]), ["x"])
    assert found.annotated == {"dims_mapping": True, "process_mesh": True}
    found.mark_annotated("batch_dim")
    found.mark_annotated("nothing")
    assert [found.is_annotated(name) for name in ("batch_dim", "nothing", "chunk_id")] == [True, False, False]
    assert "annotated: [batch_dim: 1,dims_mapping: 1,process_mesh: 1]" in str(found)
    found.clear_annotated()
    assert found.annotated == {} and "annotated: []" in str(found)
    with pytest.raises(TypeError, match="mark_annotated"):
        found.mark_annotated(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("spec", "fits"), [
    (["x", None], True), (["x", "y"], True), ([None, "x"], True), (["x"], False), (["x", None, None], False), (["x", "x"], False),
])  # fmt: skip
def test_attributes_that_a_variable_takes(spec: list[str | None], fits: bool) -> None:
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    var = paddle.static.Program().global_block().create_var(name="x", shape=[4, 3], dtype="float32")
    found = dist.DistAttr(mesh, spec)
    assert (found.verify(), found.verify(var.desc)) == (False, fits)
    if spec == ["x", None]:
        wrong = {"batch_dim": (5, -3), "dims_mapping": ([5, -1],), "dynamic_dims": ([True],), "annotated": ({"zz": True},)}
        for name, values in wrong.items():
            for value in values:
                other = dist.DistAttr(mesh, spec)
                setattr(other, name, value)
                assert not other.verify(var.desc), name
        with pytest.raises(TypeError, match="verify"):
            found.verify(var)  # type: ignore[arg-type]


def test_attributes_by_names() -> None:
    mesh = dist.ProcessMesh([[0]], dim_names=["x", "y"])
    found = dist.DistAttr(mesh, [None, "y"])
    assert (found.process_mesh, found.sharding_specs, found.dims_mapping) == (mesh, [None, "y"], [-1, 1])
    for wrong in ((3, ["x"]), (mesh, "x"), (mesh, ["z"])):
        with pytest.raises(ValueError, match="DistAttr"):
            dist.DistAttr(*wrong)
