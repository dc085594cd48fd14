"""Names of Paddle's inside that its libraries import: there, and as the wheel of Paddle 2.6.2 has them."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core import _shown


def small_net() -> paddle.nn.Layer:
    nn = paddle.nn
    return nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.Dropout(0.5), nn.Flatten(), nn.Linear(4 * 36, 5))


def test_layers_of_eager_mode_are_recorded_under_the_guard_of_to_static() -> None:
    with paddle.utils.unique_name.guard():
        layer = small_net()
        paddle.enable_static()
        main = paddle.static.Program()
        guard, unchecked = paddle.base.dygraph.base._to_static_mode_guard_, paddle.base.framework._stride_in_no_check_dy2st_diff
        with paddle.static.program_guard(main), guard(is_to_static=True), unchecked():
            out = layer(paddle.static.data("x", [4, 3, 8, 8]))
        with paddle.static.program_guard(main), guard(is_to_static=False):
            assert not paddle.base.dygraph.base.in_to_static_mode()
    block = main.global_block()
    assert out.shape == (4, 5) and paddle.static.default_main_program() is not main
    assert [op.type for op in block.ops] == [
        "conv2d", "reshape2", "elementwise_add", "batch_norm", "dropout", "flatten_contiguous_range", "matmul_v2", "elementwise_add",
    ]  # fmt: skip
    assert [param.name for param in block.all_parameters()] == [
        "conv2d_0.w_0", "conv2d_0.b_0", "batch_norm2d_0.w_1", "batch_norm2d_0.w_2", "batch_norm2d_0.w_0", "batch_norm2d_0.b_0",
        "linear_0.w_0", "linear_0.b_0",
    ]  # fmt: skip
    utils = importlib.import_module("paddle_compat.static.quantization.utils")
    assert utils._get_op_input_var_names(block.ops[0]) == ["x", "conv2d_0.w_0"]
    assert utils._get_op_output_var_names(block.ops[0]) == ["conv2d_0.tmp_0"]
    assert utils._get_input_name_index(block.ops[0], "conv2d_0.w_0") == ("Filter", 0)
    assert utils._get_output_name_index(block.ops[0], "x") is None
    with pytest.raises(AssertionError, match="op"):
        utils._get_op_input_var_names("conv2d")


def test_chips_that_paddle_2_4_knew_are_not_there() -> None:
    """Video networks ask for Ascend's in every forward pass, and segmentation's launcher for Cambricon's."""
    for holder in (paddle, paddle.device):
        assert holder.is_compiled_with_npu() is False and holder.is_compiled_with_mlu() is False


def test_what_quantizers_round(capsys: pytest.CaptureFixture[str]) -> None:
    config = importlib.import_module("paddle_compat.static.quantization.quant_config")
    weighted = ["conv2d", "depthwise_conv2d", "conv2d_transpose", "mul", "matmul", "matmul_v2"]
    assert list(config.SUPPORT_WEIGHT_QUANTIZATION_OP_DICT) == weighted and len(config.SUPPORT_QUANTIZATION_OP_DICT) == 92
    assert config.SUPPORT_QUANTIZATION_OP_DICT["prelu"] == [["X", "Alpha"], ["Out"]]
    plain, chosen = config.BaseQuantizer(), config.BaseQuantizer(["relu", "mul", "conv2d"])
    assert plain.weight_quant_operation_types == weighted and plain.activation_quant_operation_types == ["mul", "matmul", "matmul_v2"]
    assert chosen.weight_quant_operation_types == ["mul", "conv2d"] and chosen.activation_quant_operation_types == ["relu", "mul"]
    assert len(config.TensorRTQuantizer().activation_quant_operation_types) == 33
    assert config.MKLDNNQuantizer(["mul"]).weight_quant_operation_types == ["mul"]
    assert (config.ARMCPUQuantizer()._quant_min, plain._quant_min) == (-127, -128)
    with importlib.import_module("paddle_compat.static.quantization.utils").tqdm(4, "Step|{bar}", 8) as bar:
        bar.update(3)
    assert capsys.readouterr().err == "\rStep|=======>  | 3/4\n"


def test_small_names() -> None:
    from paddle_compat.nn.initializer.lazy_init import lazy_init_helper

    with paddle.LazyGuard():
        assert lazy_init_helper()._state and lazy_init_helper().state
    assert not lazy_init_helper()._state
    assert not isinstance(paddle.ones([1]), paddle.pir.Value) and paddle.paddle is paddle
    assert paddle.device._convert_to_place("cpu") == paddle.CPUPlace()
    assert paddle.device.framework.cpu_places(1)
    assert paddle.utils.unique_name.generate_with_ignorable_key is paddle.base.unique_name.generate_with_ignorable_key

    @paddle.base.framework.non_static_only
    def doubled(x: paddle.Tensor) -> paddle.Tensor:
        return x * 2

    np.testing.assert_array_equal(doubled(paddle.ones([2])).numpy(), [2, 2])
    np.testing.assert_array_equal(paddle.jit.to_static(lambda x: doubled(x) + 1)(paddle.ones([2])).numpy(), [3, 3])
    paddle.enable_static()
    with pytest.raises(AssertionError, match="doubled"):
        doubled(paddle.static.data("x", [2]))


def test_names_of_fluid() -> None:
    from paddle_compat.fluid import core_avx
    from paddle_compat.fluid.contrib.slim.quantization import quantization_pass as passes

    assert paddle.fluid.core_avx is core_avx and "CPUPlace" in dir(core_avx)
    assert core_avx.CPUPlace is paddle.fluid.core.CPUPlace and core_avx.AnalysisConfig().use_gpu() is False
    weighted, others = passes.QuantizationTransformPass, passes.AddQuantDequantPass
    assert weighted._supported_quantizable_op_type == ["conv2d", "depthwise_conv2d", "mul", "matmul"]
    assert others._activation_type == others._supported_quantizable_op_type[-5:] == ["relu", "relu6", "leaky_relu", "tanh", "swish"]
    assert (len(others._supported_quantizable_op_type), len(passes._out_scale_op_list)) == (29, 20)


def test_passes_of_paddle_1_note_the_results_of_the_operators_in_their_list_alone() -> None:
    """The variables that 1.8.5 takes note of."""
    layers, main = paddle.fluid.layers, paddle.fluid.Program()
    with paddle.fluid.unique_name.guard(), paddle.fluid.program_guard(main, paddle.fluid.Program()):
        x = layers.conv2d_transpose(layers.data("x", [4, 8, 8]), 4, filter_size=2, stride=2)
        x = layers.relu(layers.hard_sigmoid(layers.hard_swish(layers.gelu(layers.layer_norm(x)))))
        x = layers.slice(layers.concat(layers.split(layers.resize_bilinear(x, [4, 4]), 2, 1), 1), [1], [0], [2])
        layers.softmax(layers.fc(layers.flatten(layers.squeeze(layers.unsqueeze(layers.reduce_mean(x, [2]), [1]), [1])), 3))
    graph = paddle.fluid.framework.IrGraph(paddle.fluid.core.Graph(main.desc), for_test=False)
    passes = paddle.fluid.contrib.slim.quantization.quantization_pass
    passes.OutScaleForTrainingPass(scope=paddle.fluid.Scope(), place=paddle.fluid.CPUPlace()).apply(graph)
    noted = [op for op in graph.to_program().global_block().ops if op.type == "moving_average_abs_max_scale"]
    assert sorted(op.input("X")[0] for op in noted) == [
        "concat_0.tmp_0", "conv2d_transpose_0.tmp_1", "fc_0.tmp_0", "fc_0.tmp_1", "relu_0.tmp_0", "softmax_0.tmp_0",
    ]  # fmt: skip


def test_a_parameter_takes_the_place_of_a_variable_of_its_name() -> None:
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    saved = main.global_block().create_var(name="w", shape=[2, 3], dtype="float32", persistable=True)
    with paddle.static.program_guard(main, startup):
        made = paddle.create_parameter(shape=saved.shape, dtype=saved.dtype, name="w")
        assert made is not saved and main.all_parameters() == [made]
        second = paddle.create_parameter([2, 3], "float32", name="w")
        assert second is not made and main.all_parameters() == [second]  # the latest attributes of a name count
    assert [op.type for op in startup.global_block().ops] == ["uniform_random"]


def test_results_of_all_known_operators_are_measured_before_they_are_used() -> None:
    """The order in which the 2.6.2 wheel has them, and what is left for inference."""
    passes, framework = paddle.static.quantization, paddle.base.framework
    paddle.enable_static()
    main, place, scope = paddle.static.Program(), paddle.CPUPlace(), paddle.static.Scope()
    with paddle.static.program_guard(main, paddle.static.Program()):
        x = paddle.static.data("x", [2, 4])
        used = paddle.nn.functional.relu(x)
        paddle.mean(paddle.topk(used, 2)[0])
    graph = framework.IrGraph(framework.core.Graph(main.desc), for_test=True)
    passes.OutScaleForTrainingPass(scope, place, is_test=True, scale_dict={used.name: 3.0}).apply(graph)
    ops = graph.to_program().global_block().ops
    look = "moving_average_abs_max_scale"
    assert [op.type for op in ops] == ["relu", look, "top_k_v2", look, "reduce_mean", look]
    scales = [float(np.array(scope.find_var(op.output("OutScale")[0]).get_tensor())[0]) for op in ops if op.type == look]
    assert scales == [3.0, 1.0, 1.0]
    passes.AddQuantDequantForInferencePass(scope, place, quantizable_op_type=["relu"]).apply(graph)
    left = [op.type for op in graph.to_program().global_block().ops]
    assert left == ["relu", "quantize_linear", "dequantize_linear", "top_k_v2", "reduce_mean"]


@pytest.mark.parametrize(("kind", "first"), [("GRU", -0.7821), ("LSTM", -0.5738), ("SimpleRNN", -0.8221)])
def test_the_initializer_of_all_weights_draws_for_the_buffer_of_recurrent_layers_too(kind: str, first: float) -> None:
    """What the 2.6.2 wheel gives the layer behind one."""
    initializer = paddle.nn.initializer
    initializer.set_global_initializer(initializer.XavierUniform(), initializer.Constant(0.0))
    try:
        paddle.seed(0)
        layer = getattr(paddle.nn, kind)(4, 3)
        behind = paddle.nn.Linear(3, 2)
    finally:
        initializer.set_global_initializer(None)
    assert len(layer.parameters()) == 4 and float(behind.weight.numpy()[0, 0]) == pytest.approx(first, abs=1e-4)


def test_softmax_takes_axis_where_libraries_look_for_it() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])
    np.testing.assert_allclose(paddle.softmax(x, axis=-1).numpy(), paddle.nn.functional.softmax(x, axis=-1).numpy(), rtol=1e-6)


@pytest.mark.parametrize("module", ["nn.functional.loss", "nn.layer.norm", "tensor.linalg", "distribution.normal", "device"])
def test_files_have_what_paddle_s_import_from_its_inside(module: str) -> None:
    """Libraries take Paddle's inside from whichever file of Paddle's imports it, such as `paddle.device.core.CPUPlace`."""
    file = importlib.import_module(f"paddle_compat.{module}")
    assert file.core is paddle.base.core and file.core.CPUPlace is paddle.CPUPlace and file.framework is paddle.base.framework
    assert file.check_variable_and_dtype is paddle.base.data_feeder.check_variable_and_dtype and file.in_dynamic_mode() is True
    assert file.LayerHelper is paddle.base.layer_helper.LayerHelper and file._C_ops is paddle._C_ops
    with pytest.raises(AttributeError, match="no_such_name"):
        file.no_such_name  # noqa: B018
    assert paddle.fluid.layers.core is paddle.fluid.core and paddle.amp.core is paddle.base.core
    with pytest.raises(AttributeError, match=r"paddle\.nn\.core"):
        paddle.nn.core  # noqa: B018


def test_optimizers_come_out_of_their_wrappers() -> None:
    """As Paddle 3.3.1 unwraps them."""
    from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import unwrap_optimizer

    class Wrapper:
        def __init__(self, inner: object) -> None:
            self._inner_opt = inner

    inner = paddle.optimizer.SGD(parameters=paddle.nn.Linear(2, 3).parameters())
    wrapped = Wrapper(inner)
    assert unwrap_optimizer(wrapped) is wrapped and unwrap_optimizer(inner, Wrapper) is inner
    assert unwrap_optimizer(Wrapper(wrapped), (Wrapper,)) is inner


def test_what_packages_show_and_do_not_export() -> None:
    """`paddle.nn.spectral_norm` is in no `__all__`, and scripts call it."""
    for path, home in _shown.SHOWN.items():
        package, _, name = path.rpartition(".")
        shown = getattr(importlib.import_module(f"paddle_compat.{package}"), name)
        assert shown is getattr(importlib.import_module(f"paddle_compat.{home}"), name)
    with pytest.raises(AttributeError, match="spectral_norms"):
        paddle.nn.spectral_norms  # noqa: B018
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            counts = paddle.static.data("counts", [None, 2])
            assert paddle.static.nn.continuous_value_model(paddle.static.data("x", [None, 8]), counts, False).shape == (-1, 6)
    finally:
        paddle.disable_static()
