"""`auto.Engine` on one process and on two: fit, evaluate, predict, files and Programs, with parameters whole and in pieces."""

from __future__ import annotations

from pathlib import Path
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
    with pytest.raises(AssertionError, match="predict"):
        engine.save("model", training=False)
    with pytest.raises(FileNotFoundError, match="pdparams"):
        engine.load("there is no such file")
    with pytest.raises(UnsupportedError, match="inputs_spec"):
        engine.prepare(main_program=paddle.static.Program())
    assert len(engine.dataloader(data, batch_size=2)) == 1


class Rows(paddle.io.Dataset):
    """Rows and their classes; all numbers for them below are those of Paddle 2.6.2 where it is told of a GPU's properties."""

    def __init__(self, count: int = 8) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        return np.sin(np.arange(4 * index, 4 * index + 4)).astype("float32"), np.array([index % 3], "int64")


def curved(metrics: Any = None, strategy: Any = None) -> auto.Engine:
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 4), paddle.nn.GELU(), paddle.nn.Linear(4, 3))
    for param in net.parameters():
        param.set_value(np.sin(np.arange(np.prod(param.shape))).reshape(param.shape).astype("float32"))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    return auto.Engine(net, paddle.nn.CrossEntropyLoss(), optimizer, metrics, strategy=strategy)


@pytest.mark.parametrize(("mode", "name"), [("train", "loss"), ("eval", "loss"), ("predict", "outputs")])
def test_a_mode_is_prepared_by_what_its_loader_reads(mode: str, name: str) -> None:
    engine = curved()
    with pytest.raises(AssertionError, match="dataloader"):
        engine.prepare(mode=mode)
    loader = engine.dataloader(Rows(), batch_size=4, sample_split=1, mode=mode)
    engine.prepare(mode=mode)
    assert engine.main_program.global_block().ops
    found = [engine.run(batch, mode=mode)[name] for batch in loader]
    if mode == "predict":
        assert [{name: out.shape for name, out in each.items()} for each in found] == [{"out0": (4, 3)}] * 2
    else:
        np.testing.assert_allclose(found, {"train": [1.35798, 1.0809], "eval": [1.35798, 1.14849]}[mode], rtol=1e-5)


def test_batches_by_name() -> None:
    engine, rows = curved(), [Rows()[index] for index in range(4)]
    x, y = (np.stack(column) for column in zip(*rows))
    engine.prepare(paddle.static.InputSpec([4, 4], "float32", "x"), paddle.static.InputSpec([4, 1], "int64", "y"), mode="train")
    found = [engine.run(batch, mode="train")["loss"] for batch in ({"x": x, "y": y}, [{"x": x, "y": y}])]
    np.testing.assert_allclose(found, [1.35798, 1.23878], rtol=1e-5)
    for wrong in ((3,), ([3],), (None, [3])):
        with pytest.raises(TypeError, match="InputSpec"):
            engine.prepare(*wrong, mode="eval")


def test_with_gradient_merge_the_loss_is_that_of_the_last_part() -> None:
    strategy = auto.Strategy()
    strategy.gradient_merge.enable, strategy.gradient_merge.k_steps, strategy.gradient_merge.avg = True, 2, False
    history = curved(strategy=strategy).fit(Rows(16), epochs=2, batch_size=4, verbose=0).history
    assert [np.shape(loss) for loss in history["loss"]] == [(), ()] and history["step"] == [4, 4]
    np.testing.assert_allclose(history["loss"], [1.29556, 1.21837], rtol=1e-5)


def test_a_pipeline_on_one_mesh_has_a_loss_for_each_part() -> None:
    strategy = auto.Strategy()
    strategy.pipeline.enable, strategy.pipeline.schedule_mode, strategy.pipeline.accumulate_steps = True, "1F1B", 2
    engine, whole = curved(paddle.metric.Accuracy(), strategy), curved(paddle.metric.Accuracy())
    history, expected = (each.fit(Rows(), epochs=2, batch_size=4, verbose=0).history for each in (engine, whole))
    assert [np.shape(loss) for loss in history["loss"]] == [(2,), (2,)] and history["acc"] == expected["acc"]  # as in Paddle 2.6.2
    np.testing.assert_allclose([np.mean(loss) for loss in history["loss"]], expected["loss"], rtol=1e-5)


def test_what_callbacks_are_told() -> None:
    said: list[Any] = []

    class Tells(paddle.callbacks.Callback):
        def told(self, *what: Any) -> None:
            said.append([*what[:-1], sorted(what[-1] or {})])

        def on_train_batch_begin(self, step: int, logs: Any = None) -> None:
            self.told("begin", step, logs)

        def on_train_batch_end(self, step: int, logs: Any = None) -> None:
            self.told("end", step, logs)

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.told("epoch", logs)

        def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
            self.told("eval", step, logs)

        def on_predict_begin(self, logs: Any = None) -> None:
            self.told("predict", logs)

        def on_predict_end(self, logs: Any = None) -> None:
            self.told("predicted", logs)

    engine, trained = curved(paddle.metric.Accuracy()), ["acc", "epoch", "fetches", "loss", "lr", "step"]
    engine.fit(Rows(), epochs=1, batch_size=4, verbose=0, callbacks=[Tells()])
    assert said == [["begin", 0, []], ["end", 0, trained], ["begin", 1, trained], ["end", 1, trained], ["epoch", trained]]
    said.clear()
    engine.evaluate(Rows(4), batch_size=4, verbose=0, callbacks=[Tells()])
    engine.predict(Rows(4), batch_size=4, verbose=0, callbacks=[Tells()])
    assert said == [
        ["eval", 0, ["acc", "fetches", "loss", "step"]], ["predict", ["steps"]], ["predicted", ["fetches", "outputs", "step"]],
    ]  # fmt: skip


def test_what_predicts_is_written_as_a_program(tmp_path: Path) -> None:
    engine = curved()
    engine.fit(Rows(), batch_size=4, verbose=0)
    expected = engine.predict(Rows(4), batch_size=4, verbose=0)[0][0]
    engine.save(str(tmp_path / "model"), training=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model_dist0.pdiparams", "model_dist0.pdmodel"]
    paddle.enable_static()
    try:
        executor = paddle.static.Executor(paddle.CPUPlace())
        program, feeds, fetches = paddle.static.load_inference_model(str(tmp_path / "model_dist0"), executor)
        found = executor.run(program, feed={feeds[0]: np.stack([Rows()[i][0] for i in range(4)])}, fetch_list=fetches)
    finally:
        paddle.disable_static()
    assert feeds == ["input0"]
    np.testing.assert_allclose(found[0], expected, rtol=1e-6)
