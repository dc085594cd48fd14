"""Plans of context parallelism: processes share sequences as in Paddle 3.3.1, and train as one process does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.distributed.auto_parallel.intermediate.context_parallel import balanced

SEP = dist.ProcessMesh([0], dim_names=["sep"])


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(Path(__file__).with_name("context_parallel_job.py"), 2, tmp_path_factory.mktemp("job"), "")


@pytest.mark.parametrize("backend", ["all2all", "p2p"])
def test_trains_as_in_one_process(backend: str, found: dict[str, list[Any]]) -> None:
    alone = found["alone"][0]
    for own in found[backend]:
        np.testing.assert_allclose(own["losses"], alone["losses"], rtol=1e-5)
        for value, expected in zip(own["whole"], alone["whole"]):
            np.testing.assert_allclose(value, expected, atol=2e-5)
        assert own["seen"] == [[2, 8, 1, 4]] * 3  # the whole sequence, of half of the heads


@pytest.mark.parametrize(("backend", "places"), [("all2all", [[0, 1, 2, 3], [4, 5, 6, 7]]), ("p2p", [[0, 1, 6, 7], [2, 3, 4, 5]])])
def test_parts_of_sequences(backend: str, places: list[list[int]], found: dict[str, list[Any]]) -> None:
    """The wheel's, of two processes."""
    ids = np.random.RandomState(1).randint(0, 12, (2, 8))
    for own, place in zip(found[backend], places):
        lies, values = own["given"][0]
        assert lies == "[Replicate(), Shard(dim=1)]" and values == ids[:, place].tolist()


def test_in_a_dist_model(found: dict[str, list[Any]]) -> None:
    for losses in found["recorded"][0]:
        np.testing.assert_allclose(losses, found["alone"][0]["losses"], rtol=1e-5)


def test_orders() -> None:
    assert balanced(8, 2).tolist() == [0, 1, 6, 7, 2, 3, 4, 5]
    assert balanced(6, 3).tolist() == [0, 5, 1, 4, 2, 3]


def test_one_process() -> None:
    for backend in ("all2all", "p2p"):
        layer = paddle.nn.Identity()
        dist.PrepareContextParallel(backend).apply(layer, SEP, [])
        given = paddle.arange(8).reshape([1, 8])
        out = layer(dist.shard_tensor(given, SEP, [dist.Replicate()]))
        assert out.placements == [dist.Shard(1)] and out.tolist() == given.tolist()


def test_wrong_use() -> None:
    for plan in (dist.PrepareContextParallel, dist.ContextParallel):
        with pytest.raises(AssertionError, match="Expected 'p2p' or 'all2all'"):
            plan("ring")
        with pytest.raises(AssertionError, match="Expected a dimension `sep`"):
            plan("p2p").apply(paddle.nn.Identity(), dist.ProcessMesh([0], dim_names=["dp"]), [])
    layer, whole = paddle.nn.Identity(), [dist.Replicate()]
    dist.PrepareContextParallel("p2p").apply(layer, SEP, [])
    with pytest.raises(AssertionError, match=r"Expected a dist tensor"):
        layer(paddle.ones([2, 8]))
    with pytest.raises(AssertionError, match=r"Expected \[batch, sequence\]"):
        layer(dist.shard_tensor(paddle.ones([2, 8, 3]), SEP, whole))
    with pytest.raises(ValueError, match=r"a multiple of 2, twice the processes"):
        layer(dist.shard_tensor(paddle.ones([2, 7]), SEP, whole))
    layer = paddle.nn.Identity()
    dist.ContextParallel("all2all").apply(layer, SEP, [])
    with pytest.raises(AssertionError, match=r"cut along its sequence"):
        layer(dist.shard_tensor(paddle.ones([2, 8, 2, 4]), SEP, whole))
    with pytest.raises(AssertionError, match="`sep`"):
        dist.parallelize(layer, None, dist.ProcessMesh([0], dim_names=["mp"]), {"cp_config": {"parallelize_plan": {}}})
