"""Checkpoints of dist tensors: in Paddle's own files, and loaded in more or fewer processes with the same next step."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.core.errors import NotFoundError, UnsupportedError
from paddle_compat.distributed.checkpoint import metadata, utils

SCRIPT = ROOT / "tests/models/mesh_uses.py"
WHEEL = ROOT / "tests/references/checkpoint_3.3.1"


def found(folder: Path, size: int, what: str) -> list[Any]:
    for status, text in run_job(SCRIPT, size, arguments=[str(folder), what], folder=folder):
        assert status == 0, text[-3000:]
    return [json.loads((folder / str(rank)).read_text())[what] for rank in range(size)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoint")


@pytest.fixture(scope="module")
def saved(folder: Path) -> list[Any]:
    return found(folder, 2, "saved")


def test_files(saved: list[Any], folder: Path) -> None:
    names = sorted(path.name for path in (folder / "kept").iterdir())
    assert names == ["0.metadata", "0_0.distcp", "0_1.distcp", "1.metadata", "1_0.distcp", "1_1.distcp"]
    said = metadata.read((folder / "kept/0.metadata").open("rb"))
    assert [(part.global_offset, part.local_shape, part.dtype) for part in said.state_dict_metadata["half"]] == [
        ((0,), (3,), "bfloat16"), ((3,), (3,), "bfloat16"),
    ]  # fmt: skip
    assert said.flat_mapping["net.0.weight"] == ("net", "0.weight")
    assert saved[0]["moments"] == 4
    assert [own["metadata"] for own in saved] == [["0.metadata", "1.metadata"], []]  # written by the first process alone


@pytest.mark.parametrize("size", [1, 4])
def test_the_next_step(saved: list[Any], folder: Path, size: int) -> None:
    """The same loss as the two processes have that saved; with four, between lines and a square too."""
    numbers = np.arange(15.0).reshape(5, 3)
    parts = [numbers[:, 2:].tolist(), None, None, numbers[:, :2].tolist()]
    pieces = [[0.0, 1.0], [2.0], [3.0, 4.0], [5.0]]
    for rank, own in enumerate(found(folder, size, "loaded")):
        assert own["square"] == (None if size == 1 else [pieces[rank], parts[rank], numbers.tolist()])
        np.testing.assert_allclose(own["losses"], saved[0]["losses"], rtol=1e-6)
        assert (own["plain"], own["half"], own["partial"], own["newest"]) == (
            3.5, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 1.0, 2.0], [4.5, [0.0, 1.0, 2.0]],
        )  # fmt: skip
        assert own["placements"] == ["[Shard(dim=0)]", "[Replicate()]", "[Shard(dim=1)]", "[Replicate()]"]
        kinds = {case: kind for case, (kind, _) in own["refused"].items()}
        for case, kind in (("no such name", "KeyError"), ("shape", "ValueError"), ("no folder", "OSError"), ("no number", "OSError")):
            assert kind in kinds[case], case


def test_metadata_is_loaded_and_saved_as_an_object(saved: list[Any], folder: Path, tmp_path: Path) -> None:
    """As Paddle's tests and converters of checkpoints do."""
    said = paddle.load(str(folder / "kept/0.metadata"))
    assert isinstance(said, metadata.Metadata)
    assert [part.local_shape for part in said.state_dict_metadata["half"]] == [(3,), (3,)]
    assert {where for index, where in said.storage_metadata.items() if index.tensor_key == "half"} == {"0_0.distcp", "1_0.distcp"}
    paddle.save(said, str(tmp_path / "0.metadata"))
    assert (tmp_path / "0.metadata").read_bytes() == (folder / "kept/0.metadata").read_bytes()
    assert paddle.load(str(WHEEL / "0.metadata")).flat_mapping
    (tmp_path / "1.metadata").write_bytes(b"cposix\nsystem\n(X\x04\x00\x00\x00truetR.")
    with pytest.raises(ValueError, match="forbidden name"):
        paddle.load(str(tmp_path / "1.metadata"))


def test_whole_tensors(saved: list[Any], folder: Path, tmp_path: Path) -> None:
    """What two processes have written, and dicts in dicts."""
    half = dist.load_merged_state_dict(str(folder / "kept"), unique_id=0)["half"]
    assert half.astype("float32").tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] and half.dtype == paddle.bfloat16 and not half.is_dist()
    state = {"model": {"w": paddle.ones([2, 3]), "b": paddle.full([2], 5)}, "step": paddle.to_tensor(3)}
    dist.save_state_dict(state, str(tmp_path))
    found = {name: value.tolist() for name, value in dist.load_merged_state_dict(str(tmp_path), offload=True).items()}
    assert found == {"model.w": [[1.0] * 3] * 2, "model.b": [5.0, 5.0], "step": 3}
    assert sorted(dist.load_merged_state_dict(str(tmp_path), "model")) == ["b", "w"]
    with pytest.raises(AssertionError, match="`unique_id`"):
        dist.load_merged_state_dict(str(tmp_path), unique_id=-1)
    with pytest.raises(UnsupportedError, match="load_merged_state_dict.*safetensors"):
        dist.load_merged_state_dict(str(tmp_path), safetensors=True)


def test_refused(saved: list[Any]) -> None:
    expected = {"no dict": "AssertionError", "no tensor": "ValueError", "later": "UnsupportedError", "no such process": "AssertionError"}
    for own in saved:
        assert all(kind in own["refused"][case][0] for case, kind in expected.items())


def test_what_the_wheel_saved() -> None:
    """On two processes: a dist tensor in rows, one that both had, a plain one, and one without dimensions."""
    state = {"w": paddle.zeros([4, 8]), "d": paddle.zeros([3]), "opt": {"m": paddle.zeros([4]), "lr": paddle.zeros([])}}
    state["w"] = dist.shard_tensor(state["w"], dist.ProcessMesh([0]), [dist.Shard(1)])
    dist.load_state_dict(state, str(WHEEL))
    assert state["w"].tolist() == np.arange(32.0).reshape(4, 8).tolist()
    assert [state["d"].tolist(), state["opt"]["m"].tolist(), state["opt"]["lr"].item()] == [[1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], 0.5]


def test_metadata_is_written_as_the_wheel_names_it(tmp_path: Path) -> None:
    dist.save_state_dict({"w": paddle.ones([2])}, str(tmp_path))
    written = (tmp_path / "0.metadata").read_bytes()
    assert b"paddle.distributed.flex_checkpoint.dcp.metadata" in written and b"paddle_compat" not in written


def test_what_is_written_in_the_background(tmp_path: Path) -> None:
    """Copies, for which loading waits."""
    weight = paddle.ones([2])
    dist.save_state_dict({"w": weight}, str(tmp_path), async_save=True)
    weight.zero_()
    dist.load_state_dict({"w": weight}, str(tmp_path))
    assert weight.tolist() == [1.0, 1.0]


def test_missing_parts(tmp_path: Path) -> None:
    part = metadata.LocalTensorMetadata((0,), (2,), "float32", (3,))
    said = metadata.Metadata({"w": [part]}, {metadata.LocalTensorIndex("w", (0,)): "0_0.distcp"})
    with (tmp_path / "0.metadata").open("wb") as file:
        metadata.write(said, file)
    with pytest.raises(NotFoundError, match="1 of 3 elements"):
        dist.load_state_dict({"w": paddle.ones([3])}, str(tmp_path))


def test_files_execute_nothing(tmp_path: Path) -> None:
    (tmp_path / "0.metadata").write_bytes(pickle.dumps(print))
    with pytest.raises(ValueError, match="nothing was executed"):
        dist.load_state_dict({"w": paddle.ones([2])}, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="checkpoint"):
        dist.load_state_dict({"w": paddle.ones([2])}, str(tmp_path / ".."))


def test_weights_that_know_where_they_lie(tmp_path: Path) -> None:
    source, target = paddle.nn.Linear(3, 2), paddle.nn.Linear(3, 2)
    dist.save_state_dict(source.sharded_state_dict("fc."), str(tmp_path))  # type: ignore[arg-type]
    state = target.sharded_state_dict("fc.")
    dist.load_state_dict(state, str(tmp_path))  # type: ignore[arg-type]
    assert target.weight.tolist() == source.weight.tolist() and state["fc.bias"].local_tensor is not None
    part = dist.ShardedWeight("w", source.weight, (3, 2), (6, 2), (3, 0))
    with pytest.raises(UnsupportedError, match="ShardedWeight that is a part"):
        dist.save_state_dict({"w": part}, str(tmp_path))  # type: ignore[dict-item]


PARTS = [
    ([dist.Shard(0), dist.Replicate()], [5, 7], ((3, 7), (0, 0)), ((2, 7), (3, 0))),
    ([dist.Replicate(), dist.Shard(0)], [5, 7], ((3, 7), (0, 0)), ((2, 7), (3, 0))),
    ([dist.Shard(1), dist.Shard(0)], [5, 7], ((3, 4), (0, 0)), ((2, 3), (3, 4))),
    ([dist.Shard(0), dist.Shard(0)], [5, 7], ((2, 7), (0, 0)), ((1, 7), (4, 0))),
    ([dist.Shard(-1), dist.Replicate()], [8, 3], ((8, 2), (0, 0)), ((8, 1), (0, 2))),
    ([dist.Shard(0)], [4, 6], ((2, 6), (0, 0)), ((2, 6), (2, 0))),
    ([dist.Replicate(), dist.Replicate()], [5, 7], ((5, 7), (0, 0)), ((5, 7), (0, 0))),
    ([1, 0], [4, 6], ((2, 3), (0, 0)), ((2, 3), (2, 3))),  # as 2.6 says it
]


@pytest.mark.parametrize(("placements", "shape", "first", "last"), PARTS)
def test_where_a_part_begins_and_ends(placements: list[Any], shape: list[int], first: Any, last: Any) -> None:
    """The answers are those of 3.3.1 (and 2.6.2) to processes 0 and 3 of 4; this one is 0."""
    for ranks, answer in (([[0, 1], [2, 3]], first), ([[1, 2], [3, 0]], last), ([[4, 5], [6, 7]], (None, None))):
        assert utils.compute_local_shape_and_global_offset(shape, dist.ProcessMesh(ranks), placements) == answer


def test_numbers_and_boxes_of_elements(tmp_path: Path) -> None:
    boxes = {
        ((2, 3, 4), 7, 15): ([(0, 2), (0, 3), (0, 4)], (0, 1, 3), (1, 0, 2)),
        ((2, 3, 4), 4, 8): ([(0, 1), (1, 2), (0, 4)], (0, 1, 0), (0, 1, 3)),
        ((3, 4), 5, 7): ([(1, 2), (1, 3)], (1, 1), (1, 2)),
        ((6,), 2, 5): ([(2, 5)], (2,), (4,)),
        ((2, 3), 3, 3): ([(1, 1), (0, 3)], (1, 0), (0, 2)),
    }
    assert {asked: utils.minimal_nd_slice(*asked) for asked in boxes} == boxes
    assert (utils.ravel_index((1, 2), (3, 4)), utils.unravel_index(7, (3, 4)), utils.unravel_index(99, (3, 4))) == (6, (1, 3), (0, 3))
    assert utils.get_coordinator(np.arange(4).reshape(2, 2), 2) == [1, 0] and utils.get_coordinator([[0, 1]], 7) is None
    held = {"a": {"b": paddle.ones([1]), "c": {"d": paddle.zeros([2])}}, "e": paddle.ones([])}
    assert utils.unflatten_state_dict(*utils.flatten_state_dict(held)) == held
    assert utils.get_max_id(str(tmp_path)) == 0
    for name in ("0.metadata", "3_1.distcp", "0_2.distcp"):
        (tmp_path / name).touch()
    assert utils.get_max_id(str(tmp_path)) == 2
