"""`paddle.amp.debugging` prints and refuses as the wheel does."""

from __future__ import annotations

import zipfile
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.core import eager

debugging = paddle.amp.debugging
Mode = debugging.DebugMode
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

# as the 2.6.2 wheel prints it
TABLE = """\
<------------------------------------------------------- op list -------------------------------------------------------->
<--------------- Op Name ---------------- | -- FP16 Calls --- | -- BF16 Calls --- | --- FP32 Calls--- | -- Other Calls -->
  elementwise_mul                         |  0                |  1                |  0                |  0                \n\
  matmul_v2                               |  0                |  0                |  1                |  0                \n\
<----------------------------------------------------- op count: 2 ------------------------------------------------------>

"""
ERROR = (
    "[PRECISION] [ERROR] in [device=cpu, op=matmul, tensor=x, dtype=fp32], numel=4, num_nan=1, num_inf=1, num_zero=1, "
    "max=inf, min=0.000000e+00, mean=nan\n"
)
FINE = (
    "[PRECISION] in [device=cpu, op=matmul, tensor=x, dtype=fp32], numel=2, num_zero=0, "
    "max=1.000000e+05, min=1.000000e+00, mean=5.000050e+04\n"
)


@pytest.fixture(autouse=True)
def at_once() -> None:
    paddle.disable_static()


def test_the_table_is_the_wheels(capsys: pytest.CaptureFixture[str]) -> None:
    x, low = paddle.ones([2, 2]), paddle.ones([2]).astype("bfloat16")
    with debugging.collect_operator_stats():
        paddle.matmul(x, x)
        low * low
    assert capsys.readouterr().out == TABLE
    paddle.matmul(x, x)
    assert eager.watch is None
    debugging.disable_operator_stats_collection()
    assert capsys.readouterr().out == ""


def test_lines_are_the_wheels(capsys: pytest.CaptureFixture[str]) -> None:
    bad = paddle.to_tensor(np.array([1, 0, np.inf, np.nan], "float32"))
    with pytest.raises(RuntimeError, match=r"There are NAN or INF \(num_nan=1, num_inf=1, num_zero=1\)"):
        debugging.check_numerics(bad, "matmul", "x")
    counts, numbers = debugging.check_numerics(bad, "matmul", "x", Mode.CHECK_NAN_INF)
    assert counts.tolist() == [1, 1, 1] and numbers.tolist()[:2] == [np.inf, 0.0]
    assert capsys.readouterr().out == 2 * ERROR
    large = paddle.to_tensor(np.array([1e5, 1], "float32"))
    for mode, line in zip(Mode, ("", "", FINE, FINE)):
        debugging.check_numerics(large, "matmul", "x", mode)
        assert capsys.readouterr().out == line


def test_a_checker_stops_at_what_is_not_finite(capsys: pytest.CaptureFixture[str]) -> None:
    one, zero = paddle.ones([1]), paddle.zeros([1])
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True))
    with pytest.raises(RuntimeError, match="op=elementwise_div"):
        one / zero
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, skipped_op_list=["elementwise_div"]))
    one / zero
    debugging.disable_tensor_checker()
    assert (one / zero).tolist() == [np.inf] and eager.watch is None
    assert capsys.readouterr().out.count("[PRECISION] [ERROR]") == 1


def root(value: float) -> Any:
    x = paddle.to_tensor([value, 1.0], stop_gradient=False)
    paddle.sum(paddle.sqrt(x) + 2.0 * x).backward()
    return x.grad


def test_gradients_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    paddle.seed(5)
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True))
    with pytest.raises(RuntimeError, match="num_inf=1.*op=sqrt_grad"):
        root(0.0)
    assert root(4.0).tolist() == [2.25, 2.5]
    capsys.readouterr()
    for names, lines in ((["sqrt"], 0), (["sqrt_grad", "scale"], 1)):
        debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, Mode.CHECK_NAN_INF, checked_op_list=names))
        assert root(0.0).tolist() == [np.inf, 2.5]
        told = capsys.readouterr().out.split("\n")
        assert "AMP Debugging TensorCheckerConfig: seed  5" in told and sum("op=sqrt_grad" in line for line in told) == lines
    debugging.disable_tensor_checker()
    root(0.0)
    assert capsys.readouterr().out == ""


def test_lines_go_to_a_file_of_the_folder(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, Mode.CHECK_ALL, str(tmp_path / "lines")))
    x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    (x * x).backward()
    debugging.disable_tensor_checker()
    found = (tmp_path / "lines" / "worker_cpu").read_text().split("\n")
    assert [line.split("op=")[1].split(",")[0] for line in found if line] == ["elementwise_mul"] + ["elementwise_mul_grad"] * 2
    assert found[1].endswith("numel=2, num_zero=0, max=3.000000e+00, min=1.000000e+00, mean=2.000000e+00")
    assert "PRECISION" not in capsys.readouterr().out


def test_two_runs_are_compared(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for dtype in ("float32", "float16"):
        debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, Mode.CHECK_ALL, str(tmp_path / dtype)))
        paddle.exp(paddle.to_tensor([1.0, 12.0], dtype=dtype) - 1.0)
        paddle.exp(paddle.to_tensor([2.0], dtype=dtype))
        debugging.disable_tensor_checker()
    (tmp_path / "float32" / "worker_other").touch()
    debugging.compare_accuracy(str(tmp_path / "float32"), str(tmp_path / "float16"), str(tmp_path / "both.xlsx"))
    told = capsys.readouterr().out
    assert "-- OP Types produce infinite outputs: []\n" in told and "worker_other is not found" in told
    with zipfile.ZipFile(tmp_path / "both.xlsx") as book:
        assert book.testzip() is None
        for part in book.namelist():
            ElementTree.fromstring(book.read(part))
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    rows = [["".join(cell.itertext()) for cell in row] for row in sheet.iter(f"{{{MAIN}}}row")]
    assert rows[0][4] == "fp32" and rows[0][9] == "fp16 (scale=1)" and rows[1][:4] == ["op_type", "tensor_name", "numel", "infinite"]
    assert [row[0] for row in rows[2:]] == ["scale", "exp", "exp"] and [row[3] for row in rows[2:]] == ["0", "0", "0"]
    assert rows[4][4:9] == ["fp32", "7.389056", "7.389056", "7.389056", "0"] and rows[4][9] == "fp16"
    assert abs(float(rows[4][-1]) - 1) < 1e-3
    capsys.readouterr()
    with pytest.raises(FileNotFoundError):
        debugging.compare_accuracy(str(tmp_path / "none"), str(tmp_path), str(tmp_path / "x.xlsx"))


LINE = "[PRECISION] in [device=gpu:0, op={}, tensor={}, dtype=fp16], numel={}, num_zero=0, max={}, min=1.0e+00, mean=2.0e+00\n"


@pytest.mark.parametrize(
    ("full", "half", "scale", "failing"),
    [
        (("relu", "x", 4, "2.0"), ("relu", "x", 4, "2.0"), 1, []), (("relu", "x", 4, "7.0e+04"), ("relu", "x", 4, "6.5e+04"), 1, ["relu"]),
        (("relu", "x@GRAD", 4, "2.0"), ("relu", "x@GRAD", 4, "2.0"), 8, ["relu"]), (("exp", "x", 4, "2.0"), ("relu", "x", 4, "2.0"), 1, []),
        (("relu", "x", 4, "2.0"), ("relu", "x.cast_fp16", 4, "2.0"), 1, []), (("relu", "x", 3, "2.0"), ("relu", "x", 4, "2.0"), 1, None),
    ],
)  # fmt: skip
def test_what_half_precision_does_not_hold(
    full: tuple[Any, ...], half: tuple[Any, ...], scale: float, failing: list[str] | None, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [tmp_path / "full", tmp_path / "half"]
    for folder, line in zip(folders, (full, half)):
        folder.mkdir()
        (folder / "worker_gpu.0").write_text(LINE.format(*line))
    asked = [*map(str, folders), str(tmp_path / "both.xlsx"), scale]
    if failing is None:
        with pytest.raises(AssertionError, match="as many elements"):
            debugging.compare_accuracy(*asked)
    else:
        debugging.compare_accuracy(*asked)
        assert f"infinite outputs: {failing}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("values", "most", "least"), [([np.nan, 1], "nan", "nan"), ([1, np.nan, 3], "3.0", "1.0"), ([0.0, -0.0], "0.0", "0.0")]
)
def test_extremes_beside_nan(values: list[float], most: str, least: str) -> None:
    _, numbers = debugging.check_numerics(paddle.to_tensor(np.array(values, "float32")), "op", "x", Mode.CHECK_NAN_INF)
    assert [str(n) for n in numbers.tolist()[:2]] == [most, least]


def test_a_layer_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    class Log(nn.Layer):
        @debugging.check_layer_numerics
        def forward(self, x: Any) -> Any:
            return paddle.log(x)

    one = paddle.ones([1])
    checked = Log()(one)
    assert checked.tolist() == [0.0] and not one.stop_gradient and not checked.stop_gradient
    with pytest.raises(RuntimeError, match="op=log"):
        Log()(paddle.zeros([1]))
    with pytest.raises(RuntimeError, match="op=enable_check_model_nan_inf"):
        Log()(paddle.full([1], np.nan))
    assert eager.watch is None
    with pytest.raises(RuntimeError, match="First input of this layer must be tensor"):
        Log()(3)
    with pytest.raises(RuntimeError, match="No elements found in args"):
        Log()()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"debug_step": 3}, ValueError), ({"debug_step": [3, 2]}, AssertionError), ({"debug_step": []}, AssertionError),
        ({"checked_op_list": "a"}, ValueError), ({"skipped_op_list": [3]}, TypeError), ({"debug_mode": 3}, ValueError),
        ({"stack_height_limit": "x"}, ValueError), ({"output_dir": 3}, TypeError),
    ],
)  # fmt: skip
def test_wrong_configurations(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, **arguments))
    with pytest.raises(ValueError, match="`debug_mode` of `check_numerics`"):
        debugging.check_numerics(paddle.ones([1]), "op", "x", 3)  # type: ignore[arg-type]


def test_lists_of_operators_where_a_configuration_has_none() -> None:
    config = debugging.TensorCheckerConfig(True, Mode.CHECK_NAN_INF_AND_ABORT)
    debugging.set_skipped_op_list(["log"])
    try:
        debugging.set_skipped_op_list(None)  # changes nothing
        debugging.enable_tensor_checker(config)
        assert paddle.log(paddle.to_tensor([-1.0])).isnan().all()
        debugging.set_checked_op_list(("log",))
        assert paddle.sqrt(paddle.to_tensor([-1.0])).isnan().all()
        debugging.set_skipped_op_list([])
        with pytest.raises(RuntimeError):
            paddle.log(paddle.to_tensor([-1.0]))
    finally:
        debugging.disable_tensor_checker()
        debugging.set_skipped_op_list([])
        debugging.set_checked_op_list([])
    with pytest.raises(ValueError, match="checked_op_list"):
        debugging.set_checked_op_list(3)


def test_updates_and_casts_are_counted_by_their_names() -> None:
    net = nn.Linear(2, 2)
    adam = paddle.optimizer.Adam(parameters=net.parameters())
    debugging.enable_operator_stats_collection()
    net(paddle.ones([2, 2])).astype("bfloat16").mean().backward()
    adam.step()
    counted = paddle.base.core.get_low_precision_op_list()
    debugging.disable_operator_stats_collection()
    assert {name: counted.get(name) for name in ("adam_", "transfer_dtype", "cast")} == {
        "adam_": "0,0,2,0", "transfer_dtype": "0,0,1,0", "cast": None,
    }  # fmt: skip
