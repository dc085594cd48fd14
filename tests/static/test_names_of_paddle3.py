"""Under PADDLE_COMPAT_VERSION=3.3.1 layers in Programs are named as Paddle 3 names them, so that its static checkpoints fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import Runner

import paddle_compat as paddle

SCRIPT = """
import paddle
paddle.enable_static()
nn, F = paddle.nn, paddle.nn.functional
layers = []
def called(layer, *values):
    layers.append(layer)
    return layer(*values)
x = paddle.static.data("x", [None, 1, 8, 8])
x = called(nn.Conv2D(4, 4, 3), called(nn.BatchNorm2D(4), called(nn.Conv2D(1, 4, 3), x)))
x = paddle.flatten(F.max_pool2d(F.relu(called(nn.BatchNorm2D(4), x)), 2), 1)
x = called(nn.LayerNorm(8), called(nn.Linear(16, 8), x))
x = called(nn.Linear(8, 8), F.dropout(called(nn.LayerNorm(8), x)))
x = x + called(nn.Embedding(5, 8), paddle.argmax(x, -1)) + called(nn.Embedding(5, 8), paddle.argmax(x, -1))
paddle.static.nn.fc(paddle.static.nn.fc(x, 4), 4)
print(" ".join(layer.parameters()[0].name for layer in layers), paddle.create_parameter([4], "float32").name)
print(" ".join(sorted(p.name for p in paddle.static.default_main_program().all_parameters() if p.name.startswith("fc"))))
"""
# what 3.3.1 and 2.6.2 print
NAMES = {
    "3.3.1": "conv2d_1.w_0 batch_norm2d_0.w_0 conv2d_0.w_0 batch_norm2d_1.w_0 linear_0.w_0 layer_norm_0.w_0 layer_norm_1.w_0 "
    "linear_1.w_0 embedding_0.w_0 embedding_1.w_0 create_parameter_0.w_0",
    "2.6.2": "conv2d_1.w_0 batch_norm2d_0.w_0 conv2d_0.w_0 batch_norm2d_1.w_0 linear_0.w_0 layer_norm_0.w_0 layer_norm_2.w_0 "
    "linear_2.w_0 embedding_0.w_0 embedding_2.w_0 create_parameter_0.w_0",
}


@pytest.mark.parametrize("version", NAMES)
def test_names(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [NAMES[version], "fc_0.b_0 fc_0.w_0 fc_1.b_0 fc_1.w_0"]


def test_a_checkpoint_of_paddle_3_says_so(tmp_path: Path) -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [None, 2])
    paddle.nn.Linear(2, 2)(x)
    program, executor = paddle.static.default_main_program(), paddle.static.Executor()
    executor.run(paddle.static.default_startup_program())
    paddle.save({"linear_7.w_0": paddle.static.global_scope().find_var("linear_0.w_0").get_tensor()}, str(tmp_path / "net.pdparams"))
    with pytest.raises(AssertionError, match=r"linear_7\.w_0$"):
        paddle.static.load(program, str(tmp_path / "net"), executor)
    (tmp_path / "net.json").write_text("{}")
    with pytest.raises(AssertionError, match=r"PADDLE_COMPAT_VERSION=3\.3\.1"):
        paddle.static.load(program, str(tmp_path / "net"), executor)


FED = """
import numpy as np
import paddle

paddle.enable_static()
main = paddle.static.Program()
with paddle.static.program_guard(main):
    x = paddle.static.data("x", [2, 2], "float32")
    wide, doubled = paddle.matmul(x, paddle.ones([2, 3])), (x * 2).mean()
for shape in ([3, 2], [2]):
    try:
        print([value.tolist() for value in paddle.static.Executor().run(main, {"x": np.ones(shape, "float32")}, [wide, doubled])])
    except ValueError as error:
        print("ValueError", "feed" in str(error))
"""


@pytest.mark.parametrize("version", ["2.6.2", "3.3.1"])
def test_shapes_of_what_is_fed(version: str, full: Runner) -> None:
    """Paddle 3 lets operators see to them."""
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": FED})
    wide = "[[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]], 2.0]"
    said = full.output("-m", "paddle_compat", "script.py").splitlines()
    assert said == [wide if version == "3.3.1" else "ValueError True", "[[2.0, 2.0, 2.0], 2.0]"]
