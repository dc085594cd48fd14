"""Programs that passes rewrite so that products see rounded operands: operators, losses and answers, as the wheels have them."""

from __future__ import annotations

import functools
import gzip
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError

sys.path.insert(0, str(ROOT / "scripts/references"))


@functools.cache
def recorded(version: str, kind: str = "quantization_passes") -> dict[str, Any]:
    with gzip.open(ROOT / f"tests/references/{kind}_{version}.json.gz", "rt") as file:
        table: dict[str, Any] = json.load(file)
    return table


def check(ours: Any, real: Any, where: str) -> None:
    if isinstance(real, list):
        assert isinstance(ours, list) and len(ours) == len(real), f"{where}: {ours}, the wheel: {real}"
        for place, pair in enumerate(zip(ours, real)):
            check(*pair, f"{where}/{place}")
    elif isinstance(real, float):
        np.testing.assert_allclose(ours, real, rtol=2e-5, atol=1e-6, err_msg=where)
    else:
        assert ours == real, where


@pytest.mark.parametrize(("version", "way"), [(version, way) for version in ("1.8.5", "2.6.2") for way in recorded(version)])
def test_passes(version: str, way: str) -> None:
    cases = importlib.import_module("quantization_pass_cases")
    if version != "1.8.5":
        paddle.enable_static()
    check(cases.plain(cases.rewritten("paddle_compat", version, *way.split())), recorded(version)[way], "")


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in ("1.8.5", "2.6.2") for name in recorded(version, "post_training")]
)
def test_saved_models(version: str, name: str) -> None:
    cases = importlib.import_module("post_training_cases")
    if version != "1.8.5":
        paddle.enable_static()
    check(cases.plain(cases.answer("paddle_compat", version, name)), recorded(version, "post_training")[name], "")


def graph_of(record: Any) -> Any:
    framework = paddle.base.framework
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        record()
    return framework.IrGraph(framework.core.Graph(main.desc))


def test_what_users_leave_out_stays() -> None:
    paddle.enable_static()

    def record() -> None:
        x = paddle.static.data("x", [2, 4])
        with paddle.static.name_scope("skip_quant"):
            x = paddle.static.nn.fc(x, 4, bias_attr=False)
        paddle.static.nn.fc(x, 3, bias_attr=False)

    graph = graph_of(record)
    paddle.static.quantization.QuantizationTransformPass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph)
    ops = graph.to_program().global_block().ops
    types = [op.type for op in ops]
    assert types[0] == "mul" and types.count("mul") == 2 and types.count("fake_quantize_abs_max") == 2
    assert [op.attr("skip_quant") if op.has_attr("skip_quant") else 0 for op in ops if op.type == "mul"] == [1, 0]


@pytest.mark.parametrize(("name", "marked"), [("QuantizationTransformPass", True), ("QuantizationTransformPassV2", False)])
def test_products_are_marked_as_quantized_by_the_former_pass_alone(name: str, marked: bool) -> None:
    """As in 2.6.2."""
    passes = importlib.import_module("paddle_compat.static.quantization")
    framework = importlib.import_module("paddle_compat.base.framework")
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2)
    graph = framework.IrGraph(framework.core.Graph(main.desc), for_test=True)
    getattr(passes, name)(scope=paddle.static.Scope(), place=paddle.CPUPlace(), is_test=True).apply(graph)
    mul = next(op for op in graph.to_program().global_block().ops if op.type == "mul")
    assert (mul.attr("quantization_type"), mul.attr("with_quant_attr")) == ("qat_with_weight", marked)


def test_graphs_can_be_taken_apart() -> None:
    paddle.enable_static()

    def record() -> None:
        x = paddle.static.data("x", [2])
        paddle.tanh(paddle.nn.functional.relu(x))

    graph = graph_of(record)
    relu, tanh = graph.topology_sort()
    between = relu.outputs[0]
    assert (relu.input_arg_names(), relu.output("Out"), between.shape(), between.node_type()) == (["x"], [between.name()], [2], 1)
    copy = graph.clone()
    graph.update_input_link(between, relu.inputs[0], tanh)
    graph.safe_remove_nodes({relu, between})
    assert [op.type for op in graph.to_program().global_block().ops] == ["tanh"]
    assert between.name() not in graph.to_program().global_block().vars
    assert [node.name() for node in copy.topology_sort()] == ["relu", "tanh"]
    assert copy._find_node_by_name(copy.all_var_nodes(), "x").outputs[0].name() == "relu"
    with pytest.raises(AssertionError, match="nobody"):
        copy._find_node_by_name(copy.all_var_nodes(), "nobody")
    with pytest.raises(AssertionError, match=r"core\.Graph"):
        paddle.base.framework.IrGraph(3)


def test_wrong_ways_are_refused() -> None:
    passes = paddle.static.quantization
    with pytest.raises(ValueError, match="activation_quantize_type"):
        passes.QuantizationTransformPass(activation_quantize_type="channel_wise_abs_max")
    with pytest.raises(AssertionError, match="quantizable_op_type"):
        passes.QuantizationTransformPass(quantizable_op_type=["relu"])
    with pytest.raises(UnsupportedError, match="weight_quantize_func"):
        passes.QuantizationTransformPass(weight_quantize_func=abs)
    with pytest.raises(AssertionError, match="scope"):
        passes.QuantizationFreezePass(None, None)
    with pytest.raises(UnsupportedError, match="Quant2Int8MkldnnPass"):
        passes.Quant2Int8MkldnnPass  # noqa: B018


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    made = {"executor": paddle.static.Executor(paddle.CPUPlace()), "model_dir": str(folder), "algo": "abs_max"}
    return {**made, "batch_generator": lambda: iter([[np.ones((1, 1, 8, 8), "float32")]]), **more}


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    paddle.enable_static()
    kind = paddle.static.quantization.PostTrainingQuantization
    for name, value in (
        ("executor", None), ("algo", "median"), ("activation_bits", 16), ("round_type", "floor"), ("quantizable_op_type", ["nothing"]),
        ("weight_quantize_type", "range_abs_max"), ("activation_quantize_type", "none"),
        ("deploy_backend", "phone"),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match=name):
            kind(**settings(tmp_path, **{name: value}))
    with pytest.raises(AssertionError, match="data_loader"):
        kind(**settings(tmp_path, batch_generator=None))
    with pytest.raises(UnsupportedError, match="adaround"):
        kind(**settings(tmp_path, round_type="adaround", onnx_format=True))
    with pytest.raises(AssertionError, match="program"):
        paddle.static.quantization.PostTrainingQuantizationProgram(settings(tmp_path)["executor"], None, data_loader=[])


LAYERS: dict[str, Any] = {
    "bias": lambda static: static.conv2d, "each channel": lambda static: functools.partial(static.conv2d, groups=2),
    "transposed": lambda static: functools.partial(static.conv2d_transpose, bias_attr=False),
    "transposed, bias": lambda static: static.conv2d_transpose,
    "transposed, groups": lambda static: functools.partial(static.conv2d_transpose, groups=2, bias_attr=False),
}  # fmt: skip


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("shared", [False, True])
def test_batch_norms_are_folded(layer: str, shared: bool) -> None:
    from paddle_compat.static.quantization._folding import fold_batch_norms

    paddle.enable_static()
    paddle.seed(1)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x = LAYERS[layer](paddle.static.nn)(paddle.static.data("x", [2, 2, 6, 6]), 2, filter_size=3)
        norm = paddle.nn.BatchNorm2D(x.shape[1])
        out = norm(x) + norm(x * 2) if shared else norm(x)
    main = main.clone(for_test=True)
    run, scope, draw = paddle.static.Executor(paddle.CPUPlace()), paddle.static.global_scope(), np.random.RandomState(0)
    run.run(startup)
    for var in main.list_vars():
        if var.persistable and var.name.startswith("batch_norm"):
            scope.find_var(var.name).get_tensor().set(draw.uniform(0.5, 1, var.shape).astype("float32"), paddle.CPUPlace())
    feed = {"x": draw.randn(2, 2, 6, 6).astype("float32")}
    before = run.run(main, feed=feed, fetch_list=[out.name])[0]
    fold_batch_norms(main, scope, paddle.CPUPlace())
    kinds = [op.type for op in main.global_block().ops]
    assert ("batch_norm" in kinds) == (shared or layer in ("transposed, bias", "transposed, groups"))  # 2.6.2 leaves these, too
    np.testing.assert_allclose(run.run(main, feed=feed, fetch_list=[out.name])[0], before, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("freedom", "seed", "halves"), [(0.5, 0, 1), (1.0, 2, 3), (2.0, 4, 1), (3.0, 5, 0)])
def test_ptf_halves_the_largest_of_the_last_batch(freedom: float, seed: int, halves: int) -> None:
    """Paddle 2.6.2 halved the largest of these as often."""
    from paddle_compat.static.quantization._calibration import Calibration

    draw, calibration = np.random.RandomState(seed), Calibration("ptf", 8, 0.99999, False)
    for _ in range(3):
        batch = draw.standard_t(freedom, size=(1, 3, 40, 40)).astype("float32")
        calibration.look("x", batch)
    assert calibration.threshold("x") == float(np.abs(batch).max()) / 2**halves


def test_weights_alone(tmp_path: Path) -> None:
    paddle.enable_static()
    cases = importlib.import_module("post_training_cases")
    run = cases.saved("paddle_compat", False, str(tmp_path))
    weight = np.array(paddle.static.global_scope().find_var("fc_0.w_0").get_tensor())
    rounding = paddle.static.quantization.WeightQuantization(str(tmp_path), "m.pdmodel", "m.pdiparams")
    for bits, way, size in ((8, "channel_wise_abs_max", 5), (16, "abs_max", 1)):
        target = tmp_path / str(bits)
        rounding.quantize_weight_to_int(str(target), "m", weight_bits=bits, weight_quantize_type=way, generate_test_model=True)
        steps = {}
        for folder in ("quantized_model", "test_model"):
            scope = paddle.static.Scope()
            with paddle.static.scope_guard(scope):
                program, _, _ = paddle.static.load_inference_model(str(target / folder / "m"), run)
                steps[folder] = np.array(scope.find_var("fc_0.w_0").get_tensor())
                scale = next(op.attr("fc_0.w_0_quant_scale") for op in program.global_block().ops if op.type == "mul")
        assert steps["quantized_model"].dtype == f"int{bits}" and len(scale) == size
        np.testing.assert_allclose(steps["test_model"], steps["quantized_model"] * np.array(scale), rtol=1e-5)
        assert np.abs(steps["test_model"] - weight).max() <= np.max(scale) * 0.501
    rounding.quantize_weight_to_int(str(tmp_path / "cut"), "m", weight_quantize_type="abs_max", threshold_rate=0.05)
    with paddle.static.scope_guard(paddle.static.Scope()):
        program, _, _ = paddle.static.load_inference_model(str(tmp_path / "cut/quantized_model/m"), run)
    (cut,) = next(op.attr("fc_0.w_0_quant_scale") for op in program.global_block().ops if op.type == "mul")
    assert 0.9 < np.mean(np.abs(weight) <= cut * 127) < 0.97
    rounding.convert_weight_to_fp16(str(tmp_path / "half"))
    scope = paddle.static.Scope()
    with paddle.static.scope_guard(scope):
        paddle.static.load_inference_model(str(tmp_path / "half/m"), run)
    assert np.array(scope.find_var("fc_0.w_0").get_tensor()).dtype == np.float16


def test_corrected_channels_keep_their_means() -> None:
    tools = importlib.import_module("paddle_compat.static.quantization.utils")
    value = np.random.RandomState(0).randn(4, 50)
    scale = np.abs(value).max(axis=1)
    steps = np.round(tools.quant_tensor(value, scale, 0, 4))
    better = tools.dequant_tensor(tools.bias_correction_w(value, steps, scale, 0, 4), scale, 0, 4)
    before = np.abs(tools.dequant_tensor(steps, scale, 0, 4).mean(axis=1) - value.mean(axis=1)).max()
    assert np.abs(better.mean(axis=1) - value.mean(axis=1)).max() < before / 3
    np.testing.assert_allclose(tools.stable_sigmoid(np.array([-800.0, 0.0, 800.0])), [0.0, 0.5, 1.0])
    assert tools.calculate_quant_cos_error(value, value) == pytest.approx(1.0) and tools.l2_loss(value, value + 2) == pytest.approx(4.0)


def test_activations_have_one_scale_for_all_channels() -> None:
    from paddle_compat.static.quantization import QuantizationTransformPass

    with pytest.raises(AssertionError, match="one scale"):
        QuantizationTransformPass(activation_quantize_type="channel_wise_abs_max")
    with pytest.raises(ValueError, match="activation_quantize_type"):
        QuantizationTransformPass(activation_quantize_type="nothing")


@pytest.mark.parametrize(("home", "end", "begins_again"), [("fluid", "", True), ("static", "", False), ("static", "V2", True)])
def test_whether_scales_begin_again_when_a_program_is_transformed_again(home: str, end: str, begins_again: bool) -> None:
    """Seen in 1.8.5 and 2.6.2: a scale that Paddle 2's first passes find in the scope is kept, others begin with 0.001."""
    paddle.enable_static()
    fluid = paddle.fluid
    passes = paddle.static.quantization if home == "static" else fluid.contrib.slim.quantization
    make = getattr(passes, f"QuantizationTransformPass{end}")
    name, main, startup, scope = "x@scale" if home == "static" else "x.scale", fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        fluid.layers.fc(fluid.data("x", [2, 4]), 3)
    with fluid.scope_guard(scope):
        fluid.Executor(fluid.CPUPlace()).run(startup)
        for step in range(2):
            graph = fluid.framework.IrGraph(fluid.core.Graph(main.desc), for_test=False)
            make(scope=scope, place=fluid.CPUPlace(), activation_quantize_type="moving_average_abs_max").apply(graph)
            held = scope.find_var(name).get_tensor()
            assert np.array(held) == pytest.approx(0.001 if step == 0 or begins_again else 5.0)
            held.set(np.array([5.0], "float32"), fluid.CPUPlace())
