"""`convert_to_mixed_precision`: a saved model computes in low precision. The wheels ask a GPU which operators can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import inference, nn
from paddle_compat.inference import PlaceType, PrecisionType, convert_to_mixed_precision

X = np.random.RandomState(0).rand(2, 3, 8, 8).astype("float32")
OF_NORM = {"batch_norm2d_0.w_0", "batch_norm2d_0.b_0", "batch_norm2d_0.w_1", "batch_norm2d_0.w_2"}


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, np.ndarray]:
    with paddle.utils.unique_name.guard():
        paddle.seed(3)
        body = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 10), nn.Softmax())
        body.eval()
        paddle.jit.save(body, str(tmp_path / "model"), input_spec=[paddle.static.InputSpec([None, 3, 8, 8], "float32", "x")])
    return tmp_path, body(paddle.to_tensor(X)).numpy()


def converted(folder: Path, precision: Any = PrecisionType.Half, **settings: Any) -> Path:
    files = [str(folder / name) for name in ("model.pdmodel", "model.pdiparams", "new/low.pdmodel", "new/low.pdiparams")]
    convert_to_mixed_precision(*files, precision, settings.pop("backend", PlaceType.GPU), **settings)
    return folder / "new/low"


def read(prefix: Path) -> Any:
    return paddle.static.deserialize_program(paddle.static.load_from_file(f"{prefix}.pdmodel"))


def run(prefix: Path, x: np.ndarray) -> np.ndarray:
    predictor = inference.create_predictor(inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams"))
    return predictor.run([paddle.to_tensor(x)])[0].numpy()


@pytest.mark.parametrize(("precision", "name"), [(PrecisionType.Half, "FP16"), (PrecisionType.Bfloat16, "BF16")])
def test_weights_and_operators(precision: Any, name: str, saved: tuple[Path, np.ndarray]) -> None:
    folder, expected = saved
    prefix = converted(folder, precision)
    block = read(prefix).global_block()
    kinds = {var.name: var.dtype.name for var in block.vars.values() if var.persistable and var.name not in ("feed", "fetch")}
    assert {var for var, kind in kinds.items() if kind == "FP32"} == OF_NORM
    assert set(kinds.values()) == {"FP32", name} and len(kinds) == 8
    assert (folder / "new/low.pdiparams").stat().st_size < 0.6 * (folder / "model.pdiparams").stat().st_size
    types = [op.type for op in block.ops]
    assert types.count("cast") == 4  # of the input, around the softmax, which computes in float32, and of the output
    assert block.var("x").dtype.name == block.var(block.ops[-1].input("X")[0]).dtype.name == "FP32"
    out = run(prefix, X)
    assert out.dtype == np.float32
    np.testing.assert_allclose(out, expected, atol=4e-3 if name == "BF16" else 5e-4)


def test_inputs_and_outputs_in_low_precision(saved: tuple[Path, np.ndarray]) -> None:
    folder, expected = saved
    prefix = converted(folder, keep_io_types=False)
    block = read(prefix).global_block()
    assert block.var("x").dtype.name == block.var(block.ops[-1].input("X")[0]).dtype.name == "FP16"
    out = run(prefix, X.astype("float16"))
    assert out.dtype == np.float16
    np.testing.assert_allclose(out, expected, atol=1e-3)


def test_lists(saved: tuple[Path, np.ndarray]) -> None:
    def kinds(**settings: Any) -> dict[str, str]:
        block = read(converted(saved[0], **settings)).global_block()
        slots = {"conv2d": "Output", "softmax": "Out", "matmul_v2": "Out"}
        return {op.type: block.var(op.output(slots[op.type])[0]).dtype.name for op in block.ops if op.type in slots}

    assert kinds() == {"conv2d": "FP16", "matmul_v2": "FP16", "softmax": "FP32"}
    assert kinds(black_list={"conv2d"}) == {"conv2d": "FP32", "matmul_v2": "FP16", "softmax": "FP32"}
    assert kinds(white_list={"softmax"}) == {"conv2d": "FP16", "matmul_v2": "FP16", "softmax": "FP16"}


def test_wrong_use(saved: tuple[Path, np.ndarray]) -> None:
    folder = saved[0]
    with pytest.raises(ValueError, match=r"`backend` .* Expected GPU, XPU or CUSTOM. Received: CPU"):
        converted(folder, backend=PlaceType.CPU)
    for precision in (PrecisionType.Float32, PrecisionType.Int8):
        with pytest.raises(ValueError, match=r"`mixed_precision` .* Expected Half or Bfloat16"):
            converted(folder, precision)
    with pytest.raises(TypeError, match="`mixed_precision`"):
        converted(folder, 2)
    with pytest.raises(TypeError, match="`backend`"):
        converted(folder, backend=1)
    with pytest.raises(TypeError, match="`black_list`"):
        converted(folder, black_list=["softmax"])
    (folder / "model.pdmodel").unlink()
    with pytest.raises(OSError, match="model.pdmodel"):
        converted(folder)
