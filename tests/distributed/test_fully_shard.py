"""`fully_shard` cuts parameters, gradients and states as Paddle 3.3 lays them, and changes no number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.distributed.fsdp import fully_shard
from paddle_compat.errors import UnsupportedError

ROWS, COLUMNS = "[Shard(dim=0)]", "[Shard(dim=1)]"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(Path(__file__).with_name("fully_shard_job.py"), 2, tmp_path_factory.mktemp("job"), "")


@pytest.mark.parametrize("case", ["samples", "same data", "plain data", "last dimension", "ignored", "twice"])
def test_trains_as_in_one_process(case: str, found: dict[str, list[Any]]) -> None:
    alone = found["alone"][0]
    for own in found[case]:
        np.testing.assert_allclose(own["losses"], alone["losses"], rtol=1e-5)
        for name, value in alone["whole"].items():
            np.testing.assert_allclose(own["whole"][name], value, atol=2e-6, err_msg=name)
    assert alone["losses"][-1] < alone["losses"][0]


@pytest.mark.parametrize("case", ["samples", "same data", "twice"])
def test_everything_is_cut_along_its_first_dimension(case: str, found: dict[str, list[Any]]) -> None:
    for rank, own in enumerate(found[case]):
        trained = own["gradients"]
        assert set(trained.values()) == set(own["states"].values()) == {ROWS} == {own["lies"][name] for name in trained}
        assert len(trained) == len(own["states"]) == 5
        assert sorted(own["pieces"][name] for name in trained) == sorted([[2, 8], [4], [4], [4, 3], [2 - rank]])


def test_statistics_of_batch_norms_stay_whole(found: dict[str, list[Any]]) -> None:
    for own in found["samples"]:
        assert {own["lies"][name] for name in own["lies"] if name not in own["gradients"]} <= {"[Replicate()]", "None"}


def test_a_function_chooses_the_dimension(found: dict[str, list[Any]]) -> None:
    for own in found["last dimension"]:
        assert sorted(set(own["states"].values())) == [ROWS, COLUMNS]
        assert next(iter(own["pieces"].values())) == [4, 4]


def test_ignored_parameters_stay_whole(found: dict[str, list[Any]]) -> None:
    for own in found["ignored"]:
        ways = [own["lies"][name] for name in own["gradients"]]
        assert ways.count(ROWS) == 4 and ways.count("[Replicate()]") == 1


def test_in_a_dist_model(found: dict[str, list[Any]]) -> None:
    for alone, divided in found["recorded"]:
        np.testing.assert_allclose(divided, alone, rtol=1e-5)


def test_names_and_an_axis_that_is_cut_already() -> None:
    mesh, layer = dist.ProcessMesh([[0]], dim_names=["dp", "mp"]), paddle.nn.Linear(4, 8)
    layer.weight = dist.shard_tensor(layer.weight, mesh, [dist.Replicate(), dist.Shard(0)])
    names = [param.name for param in layer.parameters()]
    assert fully_shard(layer, mesh=mesh) is layer and [param.name for param in layer.parameters()] == names
    assert str(layer.weight.placements) == "[Shard(dim=1), Shard(dim=0)]" and str(layer.bias.placements) == "[Shard(dim=0), Replicate()]"


def test_wrong_use() -> None:
    mesh, layer = dist.ProcessMesh([0], dim_names=["dp"]), paddle.nn.Linear(4, 8)
    with pytest.raises(TypeError, match=r"`module` of `fully_shard`. Expected a paddle.nn.Layer"):
        fully_shard(3, mesh=mesh)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`mesh` of `fully_shard`. Expected a paddle.distributed.ProcessMesh"):
        fully_shard(layer, mesh=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"shard_placement_fn.*Shard of one of the dimensions \[0, 1\] of linear"):
        fully_shard(layer, mesh=mesh, shard_placement_fn=lambda param: dist.Shard(2))
    with pytest.raises(UnsupportedError, match="mp_policy='bf16'"):
        fully_shard(layer, mesh=mesh, mp_policy="bf16")
