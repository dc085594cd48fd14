"""`paddle.inference`: saved models give through handles what an Executor gives; settings, clones, pools and wrong use."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid, inference, static
from paddle_compat.errors import InvalidArgumentError, NotFoundError, PreconditionNotMetError, UnsupportedError

X = np.arange(8, dtype="float32").reshape(2, 4) / 10
K = np.array([[1], [2]], "int64")


@pytest.fixture
def saved(tmp_path: Path) -> tuple[str, list[np.ndarray]]:
    """A model of two inputs and two outputs: where it is, and what it answers."""
    paddle.enable_static()
    x, k = static.data("x", [None, 4], "float32"), static.data("k", [None, 1], "int64")
    rows = paddle.nn.Embedding(10, 3)(k).reshape([-1, 3])
    y = static.nn.fc(x, 3, activation="relu") + rows
    outputs = [paddle.nn.functional.softmax(y), y.sum()]
    exe = static.Executor()
    exe.run(static.default_startup_program())
    static.save_inference_model(str(tmp_path / "m"), [x, k], outputs, exe)
    return str(tmp_path / "m"), exe.run(feed={"x": X, "k": K}, fetch_list=outputs)


def config(path: str) -> inference.Config:
    """A Config of its own."""
    return inference.Config(f"{path}.pdmodel", f"{path}.pdiparams")


def answers(predictor: inference.Predictor, x: np.ndarray = X, k: np.ndarray = K) -> list[np.ndarray]:
    """What comes out of the handles."""
    for name, value in zip(predictor.get_input_names(), (x, k)):
        predictor.get_input_handle(name).copy_from_cpu(value)
    assert predictor.run() is None
    return [predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()]


def test_handles(saved: tuple[str, list[np.ndarray]]) -> None:
    path, expected = saved
    paddle.disable_static()
    predictor = inference.create_predictor(config(path))
    assert predictor.get_input_names() == ["x", "k"] and len(predictor.get_output_names()) == 2
    for one, other in zip(answers(predictor), expected):
        np.testing.assert_array_equal(one, other)
    x, probabilities = predictor.get_input_handle("x"), predictor.get_output_handle(predictor.get_output_names()[0])
    assert (x.shape(), x.type().name, x.lod(), probabilities.shape()) == ([2, 4], "FLOAT32", [], [2, 3])
    assert predictor.get_output_handle(predictor.get_output_names()[1]).shape() == []
    tensors = predictor.run([paddle.to_tensor(X[:1]), paddle.to_tensor(K[:1])])
    assert tensors is not None and [tensor.shape for tensor in tensors] == [[1, 3], []]
    np.testing.assert_array_equal(tensors[0].numpy(), probabilities.copy_to_cpu())
    assert predictor.try_shrink_memory() == 0 and predictor.clear_intermediate_tensor() is None


def test_where_a_model_may_be(saved: tuple[str, list[np.ndarray]], tmp_path: Path) -> None:
    path, expected = saved
    model, params = (Path(f"{path}.{ending}").read_bytes() for ending in ("pdmodel", "pdiparams"))
    in_memory, named = inference.Config(), inference.Config()
    in_memory.set_model_buffer(model + b"more", len(model), params, len(params))
    named.set_prog_file(f"{path}.pdmodel")
    named.set_params_file(f"{path}.pdiparams")
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 4], "float32")
        y = fluid.layers.fc(x, 2)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        fluid.io.save_inference_model(str(tmp_path / "folder"), ["x"], [y], exe)
        (answer,) = exe.run(main, {"x": X}, [y])
    of_paddle3 = inference.Config(f"{path}.json", f"{path}.pdiparams")  # what scripts of 3.x say, whose model was written here
    for each in (in_memory, named, of_paddle3):
        np.testing.assert_array_equal(answers(inference.create_predictor(each))[0], expected[0])
    old = inference.create_predictor(inference.Config(str(tmp_path / "folder")))
    np.testing.assert_array_equal(answers(old)[0], answer)


def test_predictors_beside_one_another(saved: tuple[str, list[np.ndarray]]) -> None:
    path, expected = saved
    pool = inference.PredictorPool(config(path), 3)
    assert answers(pool.retrive(0))[0].shape == (2, 3)
    other = pool.retrive(1)
    assert other.get_input_handle("x").shape() == []
    assert answers(other, X[:1], K[:1])[0].shape == (1, 3)
    kept = pool.retrive(0)
    np.testing.assert_array_equal(kept.get_output_handle(kept.get_output_names()[0]).copy_to_cpu(), expected[0])
    found: list[Any] = [None] * 3
    threads = [threading.Thread(target=lambda at=at: found.__setitem__(at, answers(pool.retrive(at))[0])) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(each, expected[0]) for each in found)
    with pytest.raises(InvalidArgumentError, match="`idx` of `retrive`. Expected 0 to 2. Received: 3"):
        pool.retrive(3)
    with pytest.raises(InvalidArgumentError, match="`size`"):
        inference.PredictorPool(config(path), 0)


def test_sequences(tmp_path: Path) -> None:
    paddle.enable_static()
    x = fluid.layers.data("x", [1], lod_level=1)
    y = fluid.layers.sequence_pool(x, "sum")
    exe = fluid.Executor(fluid.CPUPlace())
    fluid.io.save_inference_model(str(tmp_path), ["x"], [y], exe)
    predictor = inference.create_predictor(inference.Config(str(tmp_path)))
    handle = predictor.get_input_handle("x")
    handle.copy_from_cpu(np.ones([3, 1], "float32"))
    handle.set_lod([[0, 1, 3]])
    predictor.run()
    assert predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu().tolist() == [[1.0], [2.0]]


def test_settings(saved: tuple[str, list[np.ndarray]]) -> None:
    path, expected = saved
    given = config(path)
    assert (given.model_dir(), given.ir_optim(), given.cpu_math_library_num_threads(), given.gpu_device_id()) == ("", True, 1, 0)
    assert not (given.use_gpu() or given.glog_info_disabled() or given.model_from_memory() or given.specify_input_name())
    # as Paddle 2.6.2 on a CPU answers
    assert given.mkldnn_enabled() and given.memory_pool_init_size_mb() == 100 and given.fraction_of_gpu_memory_for_pool() == 0.0
    assert (given.xpu_device_id(), given.shape_range_info_path(), given.tensorrt_engine_enabled()) == (0, "", False)
    given.disable_glog_info()
    given.set_cpu_math_library_num_threads(4)
    given.switch_ir_optim(False)
    for name in ("enable_memory_optim", "enable_mkldnn", "disable_mkldnn", "switch_use_feed_fetch_ops", "switch_specify_input_names"):
        getattr(given, name)()
    assert not given.mkldnn_enabled() and given.specify_input_name()
    given.switch_specify_input_names(False)
    given.enable_mkldnn()
    assert given.mkldnn_enabled() and not given.specify_input_name()
    given.set_mkldnn_cache_capacity(1)
    given.delete_pass("conv_bn_fuse_pass")
    given.pass_builder().delete_pass("fc_fuse_pass")
    assert given.glog_info_disabled() and given.cpu_math_library_num_threads() == 4 and not given.ir_optim()
    assert "| cpu_math_thread | 4 " in given.summary() and f"{path}.pdmodel" in given.summary()
    given.disable_gpu()
    np.testing.assert_array_equal(answers(inference.create_predictor(given))[0], expected[0])
    with pytest.raises(UnsupportedError, match="Config.enable_tensorrt_engine"):
        given.enable_tensorrt_engine(1 << 30)
    with pytest.raises(UnsupportedError, match="precision_mode=Precision.Half"):
        given.enable_use_gpu(100, 0, inference.PrecisionType.Half)
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        given.nobody()


def test_settings_of_paddle_3() -> None:
    """As 3.3.1 answers on a CPU."""
    config = inference.Config()
    for call in (config.set_optimization_level, config.use_optimized_model):
        assert call(1) is None
    assert config.enable_custom_passes(["a_pass"]) is None and config.enable_ort_optimization() is None
    assert not config.new_ir_enabled()
    config.enable_new_ir()
    assert config.new_ir_enabled()
    config.enable_new_ir(False)
    assert not config.new_ir_enabled() and config.tensorrt_optimization_level() == 3
    assert config.tensorrt_precision_mode() == inference.Config.Float32 == inference.PrecisionType.Float32
    with pytest.raises(NotImplementedError, match="enable_openvino_engine"):
        config.enable_openvino_engine()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_no_gpu(saved: tuple[str, list[np.ndarray]]) -> None:
    given = config(saved[0])
    with pytest.warns(UserWarning, match="no GPU"):
        given.enable_use_gpu(100, 0)
    assert not given.use_gpu()


def test_a_model_without_parameters_needs_no_file_of_them(saved: tuple[str, list[np.ndarray]], tmp_path: Path) -> None:
    """As in 2.6.2; where a file is named that is missing, 3.3.1 alone does without, of a `.json` model."""
    prefix = str(tmp_path / "double")
    paddle.jit.save(paddle.jit.to_static(lambda x: x * 2, input_spec=[paddle.static.InputSpec([None], name="x")]), prefix)
    predictor = inference.create_predictor(inference.Config(prefix + ".pdmodel", ""))
    predictor.get_input_handle("x").copy_from_cpu(np.array([1, 2], "float32"))
    predictor.run()
    assert predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu().tolist() == [2, 4]
    for model, parameters in ((prefix + ".pdmodel", prefix + ".pdiparams"), (saved[0] + ".pdmodel", "")):
        with pytest.raises(NotFoundError, match="Cannot open file"):
            inference.create_predictor(inference.Config(model, parameters))


def test_wrong_use(saved: tuple[str, list[np.ndarray]], tmp_path: Path) -> None:
    path, _ = saved
    given = config(path)
    predictor = inference.create_predictor(given)
    with pytest.raises(InvalidArgumentError, match="only be used for one predictor"):
        inference.create_predictor(given)
    for wrong in (inference.Config("none.pdmodel", "none.pdiparams"), inference.Config(str(tmp_path / "none"))):
        with pytest.raises(NotFoundError, match="Cannot open file .*none"):
            inference.create_predictor(wrong)
    for make in (inference.create_predictor, inference.PredictorPool):
        with pytest.raises(TypeError, match="config"):
            make(3)
    with pytest.raises(TypeError, match="Invalid arguments of `Config`"):
        inference.Config(3)  # type: ignore[arg-type]
    for get in (predictor.get_input_handle, predictor.get_output_handle):
        with pytest.raises(PreconditionNotMetError, match="nobody is not found in the scope"):
            get("nobody")
    handle = predictor.get_input_handle("x")
    with pytest.raises(PreconditionNotMetError, match="The input 'x' has no value"):
        predictor.run()
    with pytest.raises(PreconditionNotMetError, match="has no value yet"):
        predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
    with pytest.raises(TypeError, match="we only support numpy ndarray.*Received: list"):
        handle.copy_from_cpu([1.0])  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="a list of str"):
        handle.copy_from_cpu(["word"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Received: int"):
        handle.share_external_data(3)
    with pytest.raises(ValueError, match="Received: 3"):
        handle.reshape(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgumentError, match="Expected FLOAT32. Received: FLOAT64"):
        answers(predictor, X.astype("float64"))
    with pytest.raises(ValueError, match=r"Expected shape \[-1, 4\]"):
        answers(predictor, X[:, :3])
    with pytest.raises(InvalidArgumentError, match="an input for each of .* Received: 1"):
        predictor.run([paddle.to_tensor(X)])


def test_the_predictors_of_the_first_age(saved: tuple[str, list[np.ndarray]]) -> None:
    """By the names of Paddle 1.x, which 2.6's C++ module still has."""
    path, expected = saved
    paddle.disable_static()
    for core in (paddle.base.core, fluid.core):
        settings = core.AnalysisConfig(f"{path}.pdmodel", f"{path}.pdiparams")
        settings.switch_specify_input_names(True)
        settings.switch_use_feed_fetch_ops(False)
        predictor = core.create_paddle_predictor(settings)
        assert predictor.get_input_tensor_shape() == {"x": [-1, 4], "k": [-1, 1]}
        for name, value in zip(predictor.get_input_names(), (X, K)):
            predictor.get_input_tensor(name).copy_from_cpu(value)
        assert predictor.zero_copy_run() is True
        for name, value in zip(predictor.get_output_names(), expected):
            np.testing.assert_array_equal(predictor.get_output_tensor(name).copy_to_cpu(), value)
        for given in ([core.PaddleTensor(X), core.PaddleTensor(K)], [core.PaddleTensor(K, "k"), core.PaddleTensor(X, "x")]):
            for tensor, value in zip(predictor.run(given), expected):
                assert tensor.shape == list(value.shape) and tensor.dtype is core.PaddleDType.FLOAT32
                np.testing.assert_array_equal(tensor.as_ndarray(), value)
        with pytest.raises(InvalidArgumentError, match="Received: 1"):
            predictor.run([core.PaddleTensor(X)])


@pytest.mark.parametrize("core", [paddle.base.core, fluid.core], ids=["base", "fluid"])
def test_inputs_of_the_first_age_may_be_put_together(saved: tuple[str, list[np.ndarray]], core: Any) -> None:
    path, expected = saved
    paddle.disable_static()
    predictor = core.create_paddle_predictor(core.AnalysisConfig(f"{path}.pdmodel", f"{path}.pdiparams"))
    numbers = core.PaddleTensor()
    assert (numbers.name, numbers.shape, numbers.dtype, numbers.data.length()) == ("", [], core.PaddleDType.FLOAT32, 0)
    numbers.name, numbers.shape, numbers.dtype = "x", list(X.shape), core.PaddleDType.FLOAT32
    numbers.data = core.PaddleBuf(X.flatten().tolist())
    for each in (predictor, predictor.clone()):
        outputs = each.run([numbers, core.PaddleTensor(K, "k")])
        assert [output.data.float_data() for output in outputs] == [value.flatten().tolist() for value in expected]
    for call in (lambda: core.create_paddle_predictor("model"), lambda: core.PaddleTensor("x"), lambda: core.PaddleBuf("x")):
        with pytest.raises(TypeError, match="Expected"):
            call()
    with pytest.raises(TypeError, match="`data` of `PaddleTensor`. Expected a PaddleBuf"):
        numbers.data = X


@pytest.mark.parametrize("core", [paddle.base.core, fluid.core], ids=["base", "fluid"])
def test_native_predictors(saved: tuple[str, list[np.ndarray]], core: Any) -> None:
    path, expected = saved
    paddle.disable_static()
    config = core.NativeConfig()
    assert (config.model_dir, config.use_gpu, config.device, config.specify_input_name) == ("", False, 0, False)
    config.prog_file, config.param_file, config.specify_input_name = f"{path}.pdmodel", f"{path}.pdiparams", True
    for _ in range(2):
        predictor = core.create_paddle_predictor(config)
        assert type(predictor) is type(predictor.clone()) is core.NativePaddlePredictor
        assert core.NativePaddlePredictor.__base__ is core.AnalysisPredictor.__base__ is core.PaddlePredictor  # as in all wheels
        for tensor, value in zip(predictor.run([core.PaddleTensor(K, "k"), core.PaddleTensor(X, "x")]), expected):
            np.testing.assert_array_equal(tensor.as_ndarray(), value)


def test_a_buffer_is_bytes() -> None:
    """As Paddle 1.8.5 gave them."""
    buffer = fluid.core.PaddleBuf([1.0, 2.0, 3.0])
    assert (buffer.length(), buffer.empty(), buffer.float_data()) == (12, False, [1.0, 2.0, 3.0])
    assert (buffer.int64_data(), buffer.int32_data()) == ([4611686019492741120], [1065353216, 1073741824, 1077936128])
    assert fluid.core.PaddleBuf([1, 2, 3]).float_data() == [1.0, 2.0, 3.0]
    sized = fluid.core.PaddleBuf(8)
    sized.resize(16)
    sized.reset([1.0, 2.0])
    assert (sized.length(), sized.float_data()) == (16, [1.0, 2.0, 0.0, 0.0])
    tensor = fluid.core.PaddleTensor(np.ones((2, 2), "int64"))
    tensor.shape = [4]
    assert (tensor.data.length(), tensor.as_ndarray().tolist()) == (32, [1, 1, 1, 1])


def test_kinds_print_as_paddle_calls_them() -> None:
    kinds = [inference.DataType.INT64, inference.PlaceType.GPU, inference.PrecisionType.Int8]
    assert [str(kind) for kind in kinds] == ["PaddleDType.INT64", "PaddlePlace.GPU", "Precision.Int8"]
    assert repr(kinds) == "[<PaddleDType.INT64: 1>, <PaddlePlace.GPU: 1>, <Precision.Int8: 1>]"


def test_configurations_of_paddle_1_have_its_usual_settings() -> None:
    from paddle_compat.fluid import core

    config = core.AnalysisConfig("folder/model", "folder/parameters")
    assert (config.use_feed_fetch_ops_enabled(), config.mkldnn_enabled()) == (True, False)
    config.switch_use_feed_fetch_ops(False)
    config.switch_specify_input_names(True)
    native = config.to_native_config()
    assert (native.model_dir, native.prog_file, native.param_file) == ("", "folder/model", "folder/parameters")
    assert (config.use_feed_fetch_ops_enabled(), native.specify_input_name, native.fraction_of_gpu_memory) == (False, True, 0.0)
    assert inference.Config().use_feed_fetch_ops_enabled() is False


def test_tensors_of_paddle_1_as_bytes() -> None:
    from paddle_compat.fluid import core

    tensor = core.PaddleTensor(np.array([[1], [2]]), "w")
    tensor.lod = [[0, 1, 2]]
    expected = "00000000 0100000000000000 77 0100000000000000 1800000000000000 0000000000000000 0100000000000000 0200000000000000"
    expected += " 0200000000000000 02000000 01000000 01000000 1000000000000000 0100000000000000 0200000000000000"
    assert core.paddle_tensor_to_bytes(tensor) == bytes.fromhex(expected)
    assert [core.paddle_dtype_size(core.PaddleDType[name]) for name in ("FLOAT32", "INT32", "INT64")] == [4, 4, 8]
