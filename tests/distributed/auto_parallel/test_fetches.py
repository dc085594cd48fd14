"""`auto.fetch` and `auto.parallel_manual_seed`: what a model says while an Engine records it. The figures are Paddle 2.6.2's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.distributed.fleet import auto


class Rows(paddle.io.Dataset):
    """Eight samples and their classes."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return (np.arange(4) + index).astype("float32") / 10, np.array([index % 3])


class Net(paddle.nn.Layer):
    """Two layers with numbers in a row, and what stands between them is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = paddle.nn.Linear(4, 4), paddle.nn.Linear(4, 3)
        for param in self.parameters():
            param.set_value((np.arange(np.prod(param.shape)).reshape(param.shape) % 7 / 7 - 0.4).astype("float32"))

    def forward(self, x: Any) -> Any:
        hidden = paddle.nn.functional.relu(self.first(x))
        out = self.second(hidden)
        auto.fetch(hidden, "hidden")
        auto.fetch(out[0:2], "rows", logging=True)
        auto.fetch(out)
        return out


def engine() -> auto.Engine:
    model = Net()
    sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    return auto.Engine(model, paddle.nn.CrossEntropyLoss(), sgd, paddle.metric.Accuracy())


def test_values_inside_of_the_model_are_fetched_at_every_run() -> None:
    trained = engine()
    loader = trained.dataloader(Rows(), batch_size=4, sample_split=1, mode="train")
    found = [trained.run(batch, mode="train") for batch in loader]
    np.testing.assert_allclose([each["loss"] for each in found], [1.1415, 1.1086], rtol=1e-4)
    np.testing.assert_allclose(found[1]["fetches"]["rows"], [[-0.3775, -0.2583, -0.1147], [-0.3764, -0.2516, -0.1024]], atol=5e-5)
    assert [list(each["fetches"])[:2] for each in found] == [["hidden", "rows"]] * 2
    (name,) = set(found[0]["fetches"]) - {"hidden", "rows"}  # as the Variable
    assert name.startswith("linear_") and found[0]["fetches"][name].shape == (4, 3)


def test_evaluation_and_prediction_fetch_too() -> None:
    logs = engine().evaluate(Rows(), batch_size=4, verbose=0)
    assert sorted(logs) == ["acc", "fetches", "loss", "step"]
    np.testing.assert_allclose(logs["fetches"]["rows"], [[-0.3986, -0.2488, -0.099], [-0.3975, -0.242, -0.0864]], atol=5e-5)
    (found,) = [engine().run([paddle.to_tensor(Rows()[0][0])[None]], mode="predict")]
    assert list(found["outputs"]) == ["out0"] and found["fetches"]["hidden"].shape == (1, 4)
    outs = engine().predict(Rows(), 1, batch_size=4, verbose=0)
    assert [[out.shape for out in batch] for batch in outs] == [[(4, 3)], [(4, 3)]]


@pytest.mark.parametrize("value", [3, paddle.ones([1])])
def test_only_what_is_recorded_can_be_fetched(value: Any) -> None:
    with pytest.raises(TypeError, match="tensor.*fetch"):
        auto.fetch(value, "value")


def test_random_numbers_of_a_mode_begin_at_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_seed", "_enabled"):
        monkeypatch.setattr(auto.random, name, None)
    paddle.seed(1)
    expected = paddle.rand([2]).tolist()
    paddle.seed(1)
    auto.parallel_manual_seed(5)
    assert paddle.rand([2]).tolist() == expected and auto.random.is_enable_auto_rand_ctrl()
    drawn = []
    for _ in range(2):
        engine().prepare([paddle.static.InputSpec([1, 4], "float32", "x")], mode="predict")
        drawn.append(paddle.rand([2]).tolist())
    assert drawn[0] == drawn[1] != expected
