"""A DistModel on the meshes of two stages trains, evaluates and predicts as one process does, in parts of a batch, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat import nn
from paddle_compat.errors import UnsupportedError


@pytest.mark.parametrize("each", [1, 2])
def test_stages_are_as_one_process(each: int, tmp_path: Path) -> None:
    """With one and with two processes for each stage."""
    found = answers(Path(__file__).with_name("dist_model_stages_job.py"), 2 * each, tmp_path, str(each))
    right = found.pop("alone")[0]
    for way, ranks in found.items():
        for rank, told in enumerate(ranks):
            last = rank >= each
            np.testing.assert_allclose(told["weights"], right["weights"][2 * last : 2 * last + 2], rtol=1e-4, atol=1e-5)
            assert told["names"] == [f"layers.{place}.{name}" for place in range(4) for name in ("bias", "weight")] and told["states"] == 32
            if not last:
                assert told["losses"] == [None] * 4 and told["out"] is None
                continue
            parts = {"none": (), "1F1B": (4,), "ZBH1": (2,)}[way]
            assert [np.shape(loss) for loss in told["losses"]] == [parts] * 4
            assert [np.mean(loss) for loss in told["losses"]] == pytest.approx(right["losses"], rel=1e-5)
            assert told["out"][0] == [8, 8] and told["out"][1] == pytest.approx(right["out"], rel=1e-5)


class Planned(nn.Layer):
    """Two layers on two meshes that one process plans with."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        for layer, process in ((self.first, 0), (self.second, 1)):
            layer.weight = dist.shard_tensor(layer.weight, dist.ProcessMesh([process]), [dist.Replicate()])

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x))


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({"pipeline": {"enable": True, "schedule_mode": "X"}}, AssertionError, "schedule_mode.*FThenB.*Received: 'X'"),
        ({"pipeline": {"enable": True, "accumulate_steps": 0}}, AssertionError, "accumulate_steps.*at least 1"),
        ({"gradient_merge": {"enable": True, "k_steps": 2}}, UnsupportedError, "gradient_merge beside parameters on several meshes"),
        ({"sharding": {"enable": True, "degree": 1}}, UnsupportedError, "sharding beside parameters on several meshes"),
        ({"amp": {"enable": True, "dtype": "float16"}}, UnsupportedError, "amp of float16"),
    ],
)
def test_wrong_settings_of_stages(settings: dict[str, Any], kind: type[Exception], said: str) -> None:
    layer, data = Planned(), paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 4])])
    with pytest.raises(kind, match=said):
        dist.to_static(layer, paddle.io.DataLoader(data, batch_size=4), nn.MSELoss(), strategy=dist.Strategy(settings))


def test_stages_have_no_programs() -> None:
    layer, data = Planned(), paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 4])])
    settings = dist.Strategy({"pipeline": {"enable": True, "accumulate_steps": 3}})
    model = dist.to_static(layer, paddle.io.DataLoader(data, batch_size=4), nn.MSELoss(), strategy=settings)
    with pytest.raises(UnsupportedError, match="the Programs of a model on several meshes"):
        model.dist_main_program()
    with pytest.raises(ValueError, match="3 parts share evenly"):
        model(paddle.ones([4, 4]), paddle.ones([4, 4]))
