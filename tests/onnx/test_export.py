"""`paddle.onnx.export` hands a saved network to `paddle2onnx`, of which there is a stand-in here."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import paddle_compat as paddle
from paddle_compat.static import InputSpec

STAND_IN = '''
import json, os
import paddle

def dygraph2onnx(layer, save_file, input_spec=None, opset_version=9, **configs):
    folder = os.path.join(os.path.dirname(save_file), "saved")
    paddle.jit.save(layer, os.path.join(folder, "model"), input_spec, **configs)
    with open(save_file, "w") as stream:
        json.dump({"opset": opset_version, "configs": sorted(configs), "files": sorted(os.listdir(folder))}, stream)
'''
SPEC = [InputSpec([None, 4], "float32", "x")]


@pytest.fixture
def converter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "paddle2onnx.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "paddle2onnx", raising=False)


@pytest.mark.usefixtures("converter")
def test_a_network_is_saved_and_converted(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    net = paddle.nn.Linear(4, 2)
    paddle.onnx.export(net, str(out / "net"), SPEC, opset_version=13, skip_prune_program=True)
    found = json.loads((out / "net.onnx").read_text())
    files = ["model.pdiparams", "model.pdiparams.info", "model.pdmodel"]
    assert found == {"opset": 13, "configs": ["skip_prune_program"], "files": files}
    x = paddle.ones([3, 4])
    assert (paddle.jit.load(str(out / "saved" / "model"))(x).numpy() == net(x).numpy()).all()
    assert sys.modules.pop("paddle2onnx").paddle is paddle


@pytest.mark.usefixtures("converter")
def test_a_path_without_prefix(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder/prefix"):
        paddle.onnx.export(paddle.nn.Linear(4, 2), str(tmp_path) + "/", SPEC)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paddle2onnx", None)
    with pytest.raises(ImportError, match=r"pip install paddle_compat\[onnx\]"):
        paddle.onnx.export(paddle.nn.Linear(4, 2), "net", SPEC)
