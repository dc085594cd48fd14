"""Names beside the public ones that scripts and Paddle's own tests import: what they are is what the wheels say."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError

core = paddle.base.core


def of(module: str) -> Any:
    return importlib.import_module(f"paddle_compat.{module}")


def test_networks() -> None:
    assert of("vision.models.vgg").cfgs == {
        "A": [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
        "B": [64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
        "D": [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"],
        "E": [64, 64, "M", 128, 128, "M", *[256] * 4, "M", *[512] * 4, "M", *[512] * 4, "M"],
    }
    chosen = of("vision.models.shufflenetv2").create_activation_layer
    assert (chosen("relu"), chosen("swish"), chosen(None)) == (paddle.nn.ReLU, paddle.nn.Swish, None)
    with pytest.raises(RuntimeError, match="The activation function is not supported: tanh"):
        chosen("tanh")


def test_data() -> None:
    cifar, mnist = paddle.dataset.cifar, paddle.dataset.mnist
    assert cifar.CIFAR10_URL == "https://dataset.bj.bcebos.com/cifar/cifar-10-python.tar.gz"
    assert cifar.CIFAR100_MD5 == "eb9058c3a382ffc7106e4002c42a8d85" and cifar.CIFAR100_URL.endswith("/cifar-100-python.tar.gz")
    assert mnist.TRAIN_IMAGE_URL == "https://dataset.bj.bcebos.com/mnist/train-images-idx3-ubyte.gz"
    assert (mnist.TEST_LABEL_MD5, mnist.TRAIN_LABEL_MD5) == ("ec29112dd5afa0611ce80d1b7f02629c", "d53e105ee54ea40749a09fcbcd1e9432")
    assert paddle.io.BatchSampler([1, 2], shuffle=True).shuffle and not paddle.io.BatchSampler(sampler=[1]).shuffle


def test_kinds_from_their_file() -> None:
    kinds = of("framework.dtype")
    assert (kinds.dtype, kinds.float32, kinds.bool) == (paddle.dtype, paddle.float32, paddle.bool) and kinds.finfo(
        paddle.float32
    ).bits == 32
    with pytest.raises(AttributeError, match="paddle.framework.dtype.nothing"):
        _ = kinds.nothing


@pytest.mark.parametrize(
    ("dim", "lengths"),
    [(0, [22.494, 61.79]), (1, [27.35, 36.824, 47.117]), (2, [29.665, 31.718, 33.823, 35.972]), (-1, 65.757)],
)
def test_lengths_of_weights(dim: int, lengths: Any) -> None:
    hook = paddle.nn.utils.weight_norm_hook
    x = paddle.arange(24, dtype="float32").reshape([2, 3, 4])
    assert hook.norm_except_dim(x, dim).numpy().round(3).tolist() == pytest.approx(lengths)
    assert hook.l2_norm(x[0], 1, 1e-3).tolist() == pytest.approx([3.741791, 11.225017, 19.131153])


def test_lists_that_are_one_value() -> None:
    steps = paddle.nn.decode.ArrayWrapper(1)
    assert steps.append(2) is steps and steps.array == [1, 2] and steps[-1] == 2


def test_layers_have_nothing_besides() -> None:
    with pytest.raises(RuntimeError, match="Linear has no `get_extra_state`"):
        paddle.nn.Linear(1, 1).get_extra_state()
    with pytest.raises(ValueError, match="Kunlun"):
        paddle.nn.Linear(1, 1).xpu()


def test_folder_of_compiled_operators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_EXTENSION_DIR", str(tmp_path / "a" / "b"))
    assert paddle.utils.cpp_extension.get_build_directory() == str(tmp_path / "a" / "b") and os.path.isdir(tmp_path / "a" / "b")
    monkeypatch.delenv("PADDLE_EXTENSION_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paddle.utils.cpp_extension.get_build_directory(verbose=True) == str(tmp_path / ".cache" / "paddle_extensions")


VERSION = """
from paddle import version
print(type(version.cuda).__name__, isinstance(version.cuda, str), version.cuda() == version.cuda_version, version.hip_version)
print(repr(version.CudaVersion("12.6")), version.CudaVersion("12.6")(), version.CudaVersion("12.6").split("."))
print(version.compiled_cuda_archs == version.cuda_archs())
"""


@pytest.mark.parametrize(("number", "kind"), [("2.6.2", "function False"), ("3.3.1", "CudaVersion True")])
def test_version_of_cuda(number: str, kind: str, full: Runner) -> None:
    """A function, and since 3.3 text that can be called."""
    full.env["PADDLE_COMPAT_VERSION"] = number
    full.write({"script.py": VERSION})
    lines = full.output("-m", "paddle_compat", "script.py").splitlines()
    assert lines == [f"{kind} True None", "CudaVersion('12.6') 12.6 ['12', '6']", "True"]


def test_chips_that_are_not_there() -> None:
    with pytest.raises(RuntimeError, match="XPU"):
        core.default_xpu_generator(0)
    with pytest.raises(RuntimeError, match="npu"):
        core.get_custom_device_count("npu")
    with pytest.raises(TypeError):
        core.default_custom_device_generator(paddle.CPUPlace())
    for module in (core.eager, paddle._C_ops):
        with pytest.raises(RuntimeError, match="my_op"):
            module._run_custom_op("my_op", paddle.ones([1]))
    assert paddle.nn.quant.quantized_linear._get_arch_info() == 0
    assert of("nn.functional.flash_attention")._select_sdp(64) == "math"
    assert of("distributed.utils.process_utils").set_affinity() == of("distributed.utils.process_utils").FAIL_CODE == 1


def test_the_switch_of_gradients() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    with paddle.no_grad():
        assert not core._has_grad()
    core._set_has_grad(False)
    assert (x * 2).stop_gradient and not paddle.is_grad_enabled()
    core._set_has_grad(True)
    assert core._has_grad() and not (x * 2).stop_gradient


def test_texts() -> None:
    kind = core.eager.StringTensor
    texts = kind(np.array([["AbC ÄÖ", "ß ǆ é"]]))
    assert paddle._C_ops.strings_lower(texts, True).numpy().tolist() == [["abc äö", "ß ǆ é"]]
    assert paddle._C_ops.strings_upper(texts, True).numpy().tolist() == [["ABC ÄÖ", "ẞ Ǆ É"]]
    assert texts.shape == [1, 2] and kind(texts, "words").name == "words" and texts.name.startswith("generated_string_tensor_")
    assert kind(dims=[2, 3]).numpy().tolist() == [[""] * 3] * 2 and kind().shape == [] and texts.place == paddle.CPUPlace()
    assert paddle._C_ops.strings_empty_like(texts, paddle.CPUPlace()).shape == [1, 2]
    with pytest.raises(TypeError):
        paddle._C_ops.strings_lower(paddle.ones([1]), True)


def test_pieces_of_training() -> None:
    errors = paddle.framework.recall_error
    found = [errors.check_naninf(paddle.to_tensor(values)) for values in ([1.0], [float("nan"), float("inf")], [-float("inf")])]
    assert found == [None, "PaddleRecall error(102): LossNan", "PaddleRecall error(104): LossInf"]
    with pytest.raises(AssertionError, match="init_parallel_env"):
        paddle.distributed.collective._get_default_group()
    x = paddle.ones([2])
    x.stop_gradient = False
    y = of("distributed.fleet.layers.mpu.mp_layers").MPScale.apply(x, 4)
    y.sum().backward()
    assert y.tolist() == [0.25, 0.25] and x.grad.tolist() == [1.0, 1.0]
    assert paddle.profiler.utils._is_profiler_used is False
    with paddle.profiler.Profiler(targets=[paddle.profiler.ProfilerTarget.CPU], on_trace_ready=lambda profiler: None):
        assert paddle.profiler.utils._is_profiler_used is True
    assert paddle.framework.base is paddle.base.dygraph.base and paddle.base.libpaddle.pir is paddle.pir


def test_rules_of_operators() -> None:
    register = of("decomposition.register")
    twice = register.register_decomp("test_op.twice")(lambda x: x + x)
    assert register.get_decomp_rule("test_op.twice") is twice and register.get_decomp_rule("test_op.none") is None
    with pytest.raises(AssertionError):
        register.register_decomp("test_op.twice")(twice)
    with pytest.raises(TypeError):
        register.register_decomp(3)
    assert of("decomposition.decomp").decompose is paddle.decomposition.decompose


@pytest.mark.parametrize(
    "name",
    [
        "_C_ops.flash_attn", "_C_ops.fused_rms_norm_ext_grad", "base.core.host_memory_stat_current_value", "distributed.enable_auto_dp",
        "distributed.checkpoint.load_state_dict.get_rank_to_files", "distributed.communicator.Communicator",
        "distributed.fleet.base.topology.EPHybridCommunicateGroup", "distributed.fleet.layers.mpu.mp_layers.InnerOverlapLinear",
        "distributed.flex_checkpoint.aoa.lexer.Lexer",
        "distributed.flex_checkpoint.aoa.macros.macro_registry", "distributed.flex_checkpoint.dcp.full_param.full_param",
        "incubate.nn.functional.block_multihead_attention", "incubate.nn.functional.fused_partial_rope",
        "incubate.passes.ir.RegisterPass", "optimizer.fusion_utils.FusionStorage", "pir.translate_to_pir",
    ],
)  # fmt: skip
def test_what_may_be_imported_and_refuses_to_be_called(name: str) -> None:
    module, _, last = name.rpartition(".")
    found = getattr(of(module), last)
    with pytest.raises(UnsupportedError, match=f"paddle.{name}`"):
        found()
    with pytest.raises(UnsupportedError):
        found.apply(1)


def test_kinds_of_variables_by_the_names_of_paddle3(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({
        "script.py": "import paddle\nkinds = paddle.base.core.VarDesc.VarType\n"
        "print(int(kinds.DENSE_TENSOR), int(kinds.DENSE_TENSOR_ARRAY), kinds.DENSE_TENSOR == kinds.LOD_TENSOR)\n"
    })
    assert full.output("-m", "paddle_compat", "script.py").split() == ["7", "13", "True"]
    assert not hasattr(core.VarDesc.VarType, "DENSE_TENSOR")


def test_names_that_harnesses_of_paddle_3_import() -> None:
    of = importlib.import_module
    ordered = of("paddle_compat.jit.utils").OrderedSet
    found = ordered([3, 1, 3])
    found.add(2)
    assert list(found) == [3, 1, 2] and repr(found) == "OrderedSet(3, 1, 2)" and 3 in found and list(found - ordered([3])) == [1, 2]
    found |= ordered([7])
    found.remove(1)
    found.discard(9)
    assert list(found) == [3, 2, 7] and found == {2, 3, 7}
    with pytest.raises(KeyError):
        found.remove(9)
    spec = of("paddle_compat.jit.dy2static.function_spec")
    layer = paddle.nn.Linear(2, 3)
    layer.register_buffer("seen", paddle.zeros([1]))
    assert list(spec.get_parameters(layer)) == [layer.weight.name, layer.bias.name] and list(spec.get_buffers(layer)) == [layer.seen.name]
    assert spec.get_parameters(None) == spec.get_buffers(None) == {} and not spec.get_parameters(paddle.nn.Sequential(layer), False)
    with pytest.raises(TypeError, match="layer_instance"):
        spec.get_buffers(3)
    one = paddle.ones([1])
    as_tensors = of("paddle_compat.autograd.autograd").as_tensors
    assert as_tensors(one) is one and as_tensors([one]) == (one,) and as_tensors(None) is None
    scaler = of("paddle_compat.amp.grad_scaler")
    assert scaler._refresh_optimizer_state() == {"state": scaler.OptimizerState.INIT}
    patch = of("paddle_compat.base.layers.math_op_patch")
    assert patch.monkey_patch_variable() is None and of("paddle_compat.base.layers").__all__ == []


def test_keys_of_names_that_nobody_asks_for() -> None:  # Paddle 2.6.2 and 3.3.1; in `fluid` 1.8.5
    from paddle_compat import fluid

    with paddle.utils.unique_name.guard():
        paddle.disable_static()
        assert [paddle.utils.unique_name.generate_with_ignorable_key(key) for key in "kj"] == ["dygraph_tmp_0", "dygraph_tmp_1"]
        assert fluid.unique_name.generate_with_ignorable_key("k") == "tmp_0"
    paddle.enable_static()
    with paddle.utils.unique_name.guard():
        for later in (paddle.utils.unique_name, fluid.unique_name):
            assert later.generate_with_ignorable_key("k") == ("k_0" if later is paddle.utils.unique_name else "k_1")
    paddle.disable_static()
