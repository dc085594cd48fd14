"""Modules that scripts import by their whole path define what Paddle 2.6.2's do."""

from __future__ import annotations

import importlib
import json

import pytest
from processes import ROOT, Runner

from paddle_compat.errors import UnsupportedError

REAL = json.loads((ROOT / "tests/references/module_paths_2.6.2.json").read_text())
# Paddle's own machinery, and spellings of before 2.0 that the package above does not offer either
ABSENT = {
    "nn.layer.rnn": {"ArrayWrapper"},
    "static.nn.common": {"PyFuncRegistry"},
    "static.nn.control_flow": {
        "assign_skip_lod_tensor_array", "change_none_to_undefinedvar", "copy_var_to_parent_block", "expand_undefined_var",
        "get_inputs_outputs_in_block", "select_input_with_buildin_type",
    },
    "utils.install_check": {"train_for_run_parallel"},
}  # fmt: skip


@pytest.mark.parametrize("path", REAL)
def test_names(path: str) -> None:
    module = importlib.import_module(f"paddle_compat.{path}")
    absent = ABSENT.get(path, set())
    package = importlib.import_module(f"paddle_compat.{path}".rpartition(".")[0])
    for name in REAL[path]:
        if name in absent:
            with pytest.raises(UnsupportedError, match=name):
                getattr(module, name)
        elif hasattr(package, name) and not hasattr(getattr(package, name), "__path__"):
            same = getattr(package, name)
            assert getattr(module, name) is same or getattr(same, "__name__", "") == f"{package.__name__}.{name}"
        else:
            assert callable(getattr(module, name))


@pytest.mark.parametrize(
    ("package", "module", "names"),
    [
        ("contrib", "decoder.beam_search_decoder", ("BeamSearchDecoder", "InitState", "StateCell", "TrainingDecoder")),
        ("contrib", "mixed_precision", ("AutoMixedPrecisionLists", "decorate")),
        ("contrib", "slim.core.compressor", ("Compressor",)),
        ("contrib", "utils.hdfs_utils", ("HDFSClient", "multi_download", "multi_upload")),
        ("contrib.slim", "core.compressor", ("Compressor", "Context")),
        ("contrib.slim", "core.config", ("ConfigFactory",)),
        ("dygraph", "static_runner", ("StaticModelRunner",)),
    ],
)
def test_packages_of_1_8_hand_on_what_their_modules_define(package: str, module: str, names: tuple[str, ...]) -> None:
    short, long = (importlib.import_module(f"paddle_compat.fluid.{path}") for path in (package, f"{package}.{module}"))
    for name in names:
        assert getattr(short, name) is getattr(long, name)


def test_packages_hand_on_what_their_modules_define() -> None:
    base, framework = (importlib.import_module(f"paddle_compat.{name}") for name in ("base", "framework"))
    initializer = importlib.import_module("paddle_compat.nn.initializer")
    assert base.set_global_initializer is initializer.set_global_initializer is base.initializer.set_global_initializer
    assert framework.is_parameter is importlib.import_module("paddle_compat.framework.io_utils").is_parameter
    assert base.in_pir_mode() is framework.in_pir_mode() is False
    assert base.framework.DataType is base.core.DataType


def test_a_package_has_its_modules_without_an_import_of_theirs() -> None:
    optimizer = importlib.import_module("paddle_compat.optimizer")
    assert optimizer.adam.Adam is optimizer.Adam
    with pytest.raises(UnsupportedError, match=r"paddle\.optimizer\.nothing"):
        optimizer.nothing  # noqa: B018


def test_a_package_keeps_its_function_when_the_module_of_that_name_is_imported(full: Runner) -> None:
    lines = """
import paddle.distributed.communication.stream.broadcast, paddle.distributed.communication.reduce, paddle.distributed.fleet.fleet
from paddle.distributed.communication.all_to_all import alltoall
dist = paddle.distributed
assert dist.communication.all_to_all.alltoall is alltoall is dist.alltoall
assert dist.communication.reduce is dist.reduce and dist.communication.stream.broadcast.__name__ == "broadcast"
assert sys.modules["paddle.distributed.communication.reduce"].ReduceOp is dist.ReduceOp
assert isinstance(dist.fleet.fleet, sys.modules["paddle.distributed.fleet.fleet"].Fleet)
try:
    from paddle.distributed.communication.reduce import alltoall
except ImportError as error:
    assert "paddle.distributed.communication.reduce.alltoall" in str(error)
"""
    full.output("-c", "import sys, paddle_compat; paddle_compat.install()" + lines)


def test_modules_of_paddle_3_and_1_8(full: Runner) -> None:
    lines = """
from paddle.optimizer.nadam import NAdam
from paddle.nn.initializer.bilinear import Bilinear
from paddle.nn.functional.sdpa import scaled_dot_product_attention
from paddle.incubate.nn.functional.swiglu import swiglu
from paddle.complex.tensor.math import elementwise_add
from paddle.fluid.contrib.extend_optimizer.extend_optimizer_with_weight_decay import extend_with_decoupled_weight_decay
import paddle.device.cpu, paddle.geometric.message_passing.send_recv, paddle.complex.tensor.linalg
assert NAdam is paddle.optimizer.NAdam and Bilinear is paddle.nn.initializer.Bilinear and swiglu is paddle.incubate.nn.functional.swiglu
assert scaled_dot_product_attention is paddle.nn.functional.scaled_dot_product_attention
assert elementwise_add is paddle.complex.elementwise_add and paddle.complex.tensor.linalg.matmul is paddle.complex.matmul
assert extend_with_decoupled_weight_decay is paddle.fluid.contrib.extend_with_decoupled_weight_decay
assert paddle.device.cpu.device_count() == 0
assert paddle.geometric.message_passing.send_recv.send_u_recv is paddle.geometric.message_passing.send_u_recv
"""
    full.output("-c", "import sys, paddle_compat; paddle_compat.install()" + lines)


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("collate", ("default_collate_fn", "default_convert_fn")),
        ("dataset", ("ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset")),
        ("sampler", ("RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler")),
        ("worker", ("get_worker_info",)),
    ],
)
def test_loaders_by_the_paths_of_2_0_to_2_4(module: str, names: tuple[str, ...]) -> None:
    old, new = (importlib.import_module(f"paddle_compat.{package}.dataloader.{module}") for package in ("fluid", "io"))
    assert all(getattr(old, name) is getattr(new, name) for name in names)
    assert module == "collate" or all(getattr(importlib.import_module("paddle_compat.fluid.dataloader"), name) for name in names)


def test_profiler_by_the_path_of_2_0_to_2_5() -> None:
    old, new = (importlib.import_module(f"paddle_compat.{package}.profiler") for package in ("utils", "fluid"))
    for name in ("cuda_profiler", "profiler", "reset_profiler", "start_profiler", "stop_profiler"):
        assert getattr(old, name) is getattr(new, name)
    assert importlib.import_module("paddle_compat").utils.profiler is old


@pytest.mark.parametrize(
    ("system", "said", "fails"), [("nt", "DLL load failed", True), ("nt", "no such", False), ("posix", "DLL load failed", False)]
)
def test_scipy_without_its_runtime(monkeypatch: pytest.MonkeyPatch, system: str, said: str, fails: bool) -> None:
    from paddle_compat.check_import_scipy import check_import_scipy

    def failing(name: str, *arguments: object, **others: object) -> None:
        raise ImportError(f"{name}: {said}")

    with monkeypatch.context() as patched:
        patched.setattr("builtins.__import__", failing)
        try:
            check_import_scipy(system)
            raised = False
        except ImportError:
            raised = True
    assert raised == fails
