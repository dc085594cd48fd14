"""Names beside the public ones that scripts and Paddle's own tests import: what they are is what the wheels say."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest
from processes import Runner

import paddle_compat as paddle


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
