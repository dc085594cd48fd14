"""TracedLayer of Paddle 2.0 to 2.4: runs, saves and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn


class Offset(nn.Layer):
    """A layer with a constant, and a branch of Python's that is taken as it was."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.offset = paddle.ones([4, 2])

    def forward(self, x: Any) -> Any:
        y = self.linear(x)
        return y + self.offset if y.shape[0] == 4 else y


def traced() -> tuple[Any, Any, Any]:
    """Input, output and the traced layer."""
    paddle.seed(3)
    x = paddle.to_tensor(np.random.RandomState(0).rand(4, 3).astype("float32"))
    return x, *paddle.jit.TracedLayer.trace(Offset(), [x])


def test_runs_and_is_saved(tmp_path: Path) -> None:
    x, out, layer = traced()
    assert [o.tolist() for o in layer([x])] == [out.tolist()]
    assert [op.type for op in layer.program.global_block().ops] == ["matmul_v2", "elementwise_add", "elementwise_add"]
    assert [(op.input("X"), op.output("Out")) for op in layer.program.global_block().ops] == [
        (["feed_0"], ["t_0"]), (["t_0"], ["t_1"]), (["t_1"], ["fetch_0"]),
    ]  # fmt: skip
    layer.save_inference_model(str(tmp_path / "a/net"))
    layer.save_inference_model(str(tmp_path / "b/net"), [0], [0], clip_extra=True)
    for folder in ("a", "b"):
        assert np.allclose(paddle.jit.load(str(tmp_path / folder / "net"))(x).numpy(), out.numpy())


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((None, [paddle.ones([1])]), AssertionError),
        ((lambda x: x, [paddle.ones([1])]), AssertionError),
        ((nn.Linear(3, 2), 3), TypeError),
        ((nn.Linear(3, 2), [True, 1]), TypeError),
    ],
)
def test_what_cannot_be_traced(args: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error, match="TracedLayer.trace"):
        paddle.jit.TracedLayer.trace(*args)


def test_wrong_use(tmp_path: Path) -> None:
    x, _, layer = traced()
    path = str(tmp_path / "net")
    for wrong in (([0],), (path, [None]), (path, False), (path, [0], [None]), (path, [0], True)):
        with pytest.raises(TypeError):
            layer.save_inference_model(*wrong)
    for nowhere in ("", str(tmp_path) + "/"):
        with pytest.raises(ValueError, match="folder/prefix"):
            layer.save_inference_model(nowhere)
    for strategies in ((1, paddle.static.ExecutionStrategy()), (paddle.static.BuildStrategy(), False)):
        with pytest.raises(AssertionError):
            layer.set_strategy(*strategies)
    layer.set_strategy(paddle.static.BuildStrategy(), paddle.static.ExecutionStrategy())
    for inputs in (x, None, [x, x], []):
        with pytest.raises(AssertionError, match="of `TracedLayer`"):
            layer(inputs)
    layer([x])
    with pytest.raises(AssertionError):
        layer.set_strategy(paddle.static.BuildStrategy())
