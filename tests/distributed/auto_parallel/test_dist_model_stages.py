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


@pytest.mark.parametrize(("parts", "sgd", "adamw"), [
    (1, [0.29776, 0.23665, 0.17398], [0.29776, 0.15579, 0.24226]),
    (2, [[0.10301, 0.4925], [0.083114, 0.39019], [0.064437, 0.28353]], [[0.10301, 0.4925], [0.21399, 0.097583], [0.32875, 0.15577]]),
    (4, [[0.064279, 0.14174, 0.33663, 0.64837], [0.064265, 0.10196, 0.2555, 0.52488], [0.066844, 0.06203, 0.17157, 0.39548]],
     [[0.064279, 0.14174, 0.33663, 0.64837], [0.28622, 0.14176, 0.083557, 0.11161], [0.4191, 0.23841, 0.15192, 0.15962]]),
])  # fmt: skip
def test_a_model_on_one_mesh_takes_a_batch_in_parts(parts: int, sgd: Any, adamw: Any) -> None:
    """The figures are the 3.3.1 wheel's, on one process."""
    for name, expected in {"SGD": sgd, "AdamW": adamw}.items():
        layer = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 4))
        for param in layer.parameters():
            param.set_value((np.arange(np.prod(param.shape)).reshape(param.shape) % 7 / 7 - 0.4).astype("float32"))
        x = (np.arange(8) + np.arange(16)[:, None]).astype("float32") / 20
        y = np.tile((np.arange(16) % 4 / 4).astype("float32")[:, None], 4)
        loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.to_tensor(x), paddle.to_tensor(y)]), batch_size=4)
        optimizer = getattr(paddle.optimizer, name)(0.1, parameters=layer.parameters())
        settings = dist.Strategy({"pipeline": {"enable": True, "schedule_mode": "1F1B", "accumulate_steps": parts}})
        model = dist.to_static(layer, loader, nn.MSELoss(), optimizer, settings)
        losses = [model(*batch) for batch in loader][:3]
        np.testing.assert_allclose(losses, expected, rtol=2e-4)
        model.eval()
        assert np.shape(model(*next(iter(loader)))) == ((parts,) if parts > 1 else ())
        model.predict()
        assert model(next(iter(loader))[0])["out0"].shape == (4, 4)
