"""Layers and functions saved by `paddle.jit.save` load again, here and in Paddle; those that Paddle saved load here."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError
from paddle_compat.static import InputSpec


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 3)
        self.bn = paddle.nn.BatchNorm1D(3)
        self.register_buffer("shift", paddle.ones([3]))

    def forward(self, x: Any) -> Any:
        y = self.bn(self.fc(x)) + self.shift
        if y.sum() > 0:
            y = y * 2
        return {"y": y, "text": "out"}, y.sum()

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3])])
    def other(self, z: Any) -> Any:
        return self.bn(z)


@pytest.fixture
def wheel(tmp_path: Path) -> tuple[str, Any]:
    """The files that the wheel wrote, in a folder, and the recording."""
    recorded = np.load(ROOT / "tests/references/jit_models_2.6.2.npz")
    for name in recorded.files:
        if name.startswith("net."):
            (tmp_path / name).write_bytes(recorded[name].tobytes())
    return str(tmp_path / "net"), recorded


def test_a_model_of_the_wheel(wheel: tuple[str, Any]) -> None:
    path, recorded = wheel
    net = paddle.jit.load(path)
    output, total = net(paddle.to_tensor(recorded["input"]))
    assert np.allclose(output.numpy(), recorded["output"], atol=1e-6) and np.allclose(total.numpy(), recorded["sum"], atol=1e-5)
    assert output.stop_gradient
    assert np.allclose(net.other(recorded["input"][:, :3]).numpy(), recorded["other"], atol=1e-6)
    assert list(net.state_dict()) == recorded["state"].tolist()


def test_a_model_of_the_wheel_can_be_trained_on(wheel: tuple[str, Any]) -> None:
    net = paddle.jit.load(wheel[0])
    net.train()
    mean = next(p for p in net.parameters() if p.name.startswith("batch_norm1d_0.w") and p.stop_gradient)
    before = mean.numpy()
    paddle.seed(1)  # with which dropout leaves something
    loss = net(paddle.to_tensor(wheel[1]["input"]))[1]
    torch.autograd.backward(loss._t)
    assert any(p._t.grad is not None and float(p._t.grad.abs().sum()) > 0 for p in net.parameters())
    assert not np.array_equal(before, mean.numpy())


def test_round_trip(tmp_path: Path) -> None:
    net = paddle.jit.to_static(Net(), input_spec=[InputSpec([None, 4])])
    net.eval()
    prefix = str(tmp_path / "deep" / "net")
    paddle.jit.save(net, prefix)
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == [
        "net.other.pdiparams", "net.other.pdmodel", "net.pdiparams", "net.pdiparams.info", "net.pdmodel",
    ]  # fmt: skip
    loaded = paddle.jit.load(prefix)
    for rows in (2, 5):
        x = paddle.rand([rows, 4])
        (told, total), (output, sum_) = net(x), loaded(x)
        assert np.array_equal(told["y"].numpy(), output.numpy()) and np.array_equal(total.numpy(), sum_.numpy())
    z = paddle.rand([2, 3])
    assert np.array_equal(net.other(z).numpy(), loaded.other(z).numpy())
    info = pickle.loads((tmp_path / "deep" / "net.pdiparams.info").read_bytes())
    assert info[net.fc.weight.name] == {"structured_name": "fc.weight", "stop_gradient": False, "trainable": True}
    assert info[net.shift.name] == {"structured_name": "shift", "stop_gradient": True}
    assert loaded._input_spec()[0] == InputSpec([None, 4], "float32", "x")
    with pytest.raises(ValueError, match="method_name"):
        loaded.program("nothing")


def test_saved_models_run_as_inference_programs(tmp_path: Path) -> None:
    net = paddle.nn.Linear(4, 2)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=[InputSpec([None, 4], name="image")])
    x = np.ones([3, 4], "float32")
    expected = net(paddle.to_tensor(x)).numpy()
    paddle.enable_static()
    exe = paddle.static.Executor()
    program, feeds, fetches = paddle.static.load_inference_model(prefix, exe)
    assert feeds == ["image"] and np.allclose(exe.run(program, {"image": x}, fetches)[0], expected)


def test_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder/prefix"):
        paddle.jit.save(paddle.nn.ReLU(), str(tmp_path) + "/")
    with pytest.raises(TypeError, match="Layer or a function"):
        paddle.jit.save(3, str(tmp_path / "a"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="foo"):
        paddle.jit.save(paddle.nn.ReLU(), str(tmp_path / "a"), foo=1)
    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.save(paddle.nn.Linear(2, 2), str(tmp_path / "a"))
    with pytest.raises(ValueError, match="further methods"):
        paddle.jit.save(Net(), str(tmp_path / "a"), input_spec=[InputSpec([None, 4])])
    with pytest.raises(ValueError, match="nope"):
        paddle.jit.load(str(tmp_path / "nope"))
    (tmp_path / "new.json").write_text("{}")
    with pytest.raises(UnsupportedError, match="3.x"):
        paddle.jit.load(str(tmp_path / "new"))


def test_the_newest_call_says_what_inputs_are_and_output_spec_what_is_kept(tmp_path: Path) -> None:
    double = paddle.jit.to_static(lambda x: (x * 2, x * 3))
    double(paddle.ones([2]))
    with pytest.warns(UserWarning, match="function"):
        paddle.jit.save(double, str(tmp_path / "f"), output_spec=[double.outputs[1]])
    assert paddle.jit.load(str(tmp_path / "f"))(paddle.ones([2])).tolist() == [3.0, 3.0]
