"""`auto.Engine` on one process and on two: fit, evaluate, predict, files and Programs, with parameters whole and in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.distributed.fleet import auto
from paddle_compat.errors import UnsupportedError

SCRIPT = ROOT / "tests/models/mesh_engine.py"
# Paddle 2.6.2's, on one process; what it evaluates afterwards are the first values of the parameters
LOSSES, ACCURACIES = [1.1026037, 1.0807309], [0.125, 0.25]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    folder = tmp_path_factory.mktemp("jobs")
    return {**answers(SCRIPT, 2, folder, "plain,cut"), **answers(SCRIPT, 1, folder, "loaded")}


@pytest.mark.parametrize("model", ["plain", "cut"])
def test_training(model: str, jobs: dict[str, list[Any]]) -> None:
    expected = {"plain": ["[Shard(dim=0)]", [4, 4]], "cut": ["[Shard(dim=0), Replicate()]", [4, 4]]}[model]
    for own in jobs[model]:
        history = own["fit"]
        np.testing.assert_allclose(history["loss"], LOSSES, rtol=1e-6)
        assert (history["acc"], history["step"], history["lr"], history["epoch"]) == (ACCURACIES, [2, 2], [0.5, 0.5], [0, 1])
        assert history.get("drawn", 0.07630828937395717) == 0.07630828937395717  # the strategy's seed, in 2.6.2, too
        assert own["batch"] == expected and own["sums"] > 0


def test_evaluation_and_outputs_are_of_the_trained_parameters(jobs: dict[str, list[Any]]) -> None:
    for own in jobs["cut"]:
        logits, labels = paddle.to_tensor(np.array(own["predict"], "float32")), paddle.to_tensor([[i % 3] for i in range(8)])
        loss = paddle.nn.CrossEntropyLoss()
        np.testing.assert_allclose(own["fit"]["val_loss"][-1], float(loss(logits[4:], labels[4:])), rtol=1e-5)
        np.testing.assert_allclose([own["evaluate"]["loss"], own["next"]], float(loss(logits[:4], labels[:4])), rtol=1e-5)
        assert (own["fit"]["val_step"], own["evaluate"]["step"]) == ([2, 2], 1)


def test_files_of_two_processes_are_read_by_one(jobs: dict[str, list[Any]]) -> None:
    np.testing.assert_allclose(jobs["loaded"], [own["next"] for own in jobs["cut"]][:1], rtol=1e-6)


def test_refused() -> None:
    net, loss = paddle.nn.Linear(2, 2), paddle.nn.MSELoss()
    for wrong in ((3,), (net, 3), (net, loss, 3), (net, loss, None, 3), (net, loss, None, None, None, 3)):
        with pytest.raises(TypeError, match="Engine"):
            auto.Engine(*wrong)
    merging = auto.Strategy()
    merging.gradient_merge.enable = True
    with pytest.raises(UnsupportedError, match="gradient_merge"):
        auto.Engine(net, loss, None, paddle.metric.Accuracy(), strategy=merging)
    engine = auto.Engine(net, loss)
    with pytest.raises(AssertionError, match="mode"):
        engine.to_mode("test")
    for name in ("main_program", "startup_program", "serial_main_program", "serial_startup_program"):
        with pytest.raises(KeyError):
            getattr(engine, name)
    for name in ("cost", "dist_context", "feed_vars", "fetch_vars", "get_feed_list", "get_feed_name_list", "inputs", "labels"):
        with pytest.raises(UnsupportedError, match=f"Engine.{name}"):
            getattr(engine, name)
    data = paddle.io.TensorDataset([paddle.ones([2, 2])] * 2)
    with pytest.raises(TypeError, match="optimizer"):
        engine.run([paddle.ones([2, 2])] * 2, mode="train")
    with pytest.raises(ValueError, match="train_sample_split"):
        engine.run([paddle.ones([2, 2])] * 3, mode="eval")
    with pytest.raises(UnsupportedError, match="training=False"):
        engine.save("model", training=False)
    with pytest.raises(FileNotFoundError, match="pdparams"):
        engine.load("there is no such file")
    with pytest.raises(UnsupportedError, match="inputs_spec"):
        engine.prepare(main_program=paddle.static.Program())
    assert len(engine.dataloader(data, batch_size=2)) == 1
