"""`shard_layer`, `LocalLayer` and `local_map` on two processes: where parameters lie, values, gradients, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

import paddle_compat as paddle
import paddle_compat.distributed as dist


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return answers(ROOT / "tests/models/mesh_uses.py", 2, tmp_path_factory.mktemp("job"), "layers")["layers"]


def test_parameters_and_buffers(found: list[Any]) -> None:
    for own in found:
        cut = own["placements"].pop("2.weight")
        assert (cut, set(own["placements"].values()), own["shared"]) == ("[Shard(dim=0)]", {"[Replicate()]"}, True)


def test_values(found: list[Any]) -> None:
    for own in found:
        placements, values, expected = own["out"]
        assert placements == "[Replicate()]"
        np.testing.assert_allclose(values, expected, atol=1e-6)


def test_layers_and_functions_over_pieces(found: list[Any]) -> None:
    """What process 1 does with its rows counts twice."""
    rows = np.arange(8.0).reshape(4, 2)
    twice = np.repeat([1.0, 2.0], 2)[:, None] * np.ones([4, 2])
    for own in found:
        for name, weights in (("local layer", twice), ("local map", twice), ("resharded", np.full([4, 2], 2.0))):
            placements, total, gradient = own[name]
            assert (placements, total) == ("[Partial(reduce_type=SUM)]", (rows * weights).sum()), name
            np.testing.assert_array_equal(gradient, weights)


@pytest.mark.parametrize(
    ("case", "kind", "words"),
    [
        ("other placements", "ValueError", "reshard_inputs"),
        ("too few", "AssertionError", "out_placements"),
        ("attributes", "AssertionError", "out_dist_attrs"),
        ("inputs", "AssertionError", "grad_dist_attrs"),
    ],
)
def test_refused(found: list[Any], case: str, kind: str, words: str) -> None:
    for own in found:
        kinds, text = own["refused"][case]
        assert kind in kinds and words in text


def test_what_is_no_mesh_and_what_is_no_dist_tensor() -> None:
    with pytest.raises(ValueError, match="process_mesh"):
        dist.shard_layer(paddle.nn.Linear(2, 2), [0])
    double = dist.local_map(lambda x, y: (x * y, 3), [None, None])
    assert [double(paddle.ones([2]), 2.0)[0].tolist(), double(paddle.ones([2]), 2.0)[1]] == [[2.0, 2.0], 3]
    with pytest.raises(AssertionError, match="process_mesh"):
        dist.local_map(lambda x: x, [[dist.Replicate()]])(paddle.ones([2]))


def test_state_dicts_leave_out_what_they_left_out() -> None:
    layer = paddle.nn.Layer()
    layer.register_buffer("kept", paddle.ones([2]))
    layer.register_buffer("left", paddle.ones([2]), persistable=False)
    dist.shard_layer(layer, dist.ProcessMesh([0]))
    assert (list(layer.state_dict()), layer.left.is_dist()) == (["kept"], True)
