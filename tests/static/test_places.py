"""Names of places, and what happens where a GPU is asked for and there is none."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from processes import Runner
from static.place_cases import answers

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.core import place as places

RECORDED: dict[str, dict[str, str]] = json.loads((Path(__file__).parents[1] / "references" / "place_names_2.6.2.json").read_text())
LATER = {("set_device", "0"): "Place(cpu)"}  # what 2.6.2 refuses and 3.3 takes, here without GPUs
without_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")


@pytest.fixture(scope="module")
def found() -> Any:
    """What ours answers."""
    mode = importlib.import_module("paddle_compat.core.mode")
    static_before = not mode.in_dygraph_mode()
    paddle.disable_static("cpu")
    try:
        return answers(paddle)
    finally:
        if static_before:
            paddle.enable_static()


@without_gpu
@pytest.mark.parametrize("caller", RECORDED)
def test_names_are_taken_and_refused_as_by_the_wheel(found: Any, caller: str) -> None:
    for name, expected in RECORDED[caller].items():
        given = found[caller][name]
        expected = LATER.get((caller, name), expected)
        if expected in ("!ValueError", given):
            assert given == expected, (caller, name)
        else:  # where the wheel stumbles over something else, refusing will do
            assert expected.startswith("!") and given.startswith("!"), (caller, name, given)


@without_gpu
@pytest.mark.parametrize("ask", [
    lambda: paddle.set_device("gpu"), lambda: static.Executor("gpu:0"), lambda: static.Executor(paddle.CUDAPlace(0)).run(static.Program()),
    lambda: paddle.to_tensor([1.0], place=paddle.CUDAPlace(0)), static.cuda_places, lambda: static.ParallelExecutor(use_cuda=True),
])  # fmt: skip
def test_a_gpu_that_is_not_there(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PADDLE_COMPAT_CPU", raising=False)
    with pytest.raises((ValueError, AssertionError)) as caught:
        ask()
    assert all(way in str(caught.value) for way in ("paddle.CPUPlace()", "paddle.set_device('cpu')", "PADDLE_COMPAT_CPU=1"))


@without_gpu
def test_the_cpu_stands_in_with_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_COMPAT_CPU", "1")
    monkeypatch.setenv("CPU_NUM", "3")
    monkeypatch.setattr(places, "_told", False)
    former = places.current_place()
    try:
        with pytest.warns(UserWarning, match="there is no GPU, PADDLE_COMPAT_CPU=1 uses the CPU") as warned:
            assert str(paddle.set_device("gpu:1")) == "Place(gpu:1)" and paddle.get_device() == "gpu:1"
            assert str(paddle.ones([1]).place) == "Place(cpu)"
            assert str(paddle.to_tensor([1.0], place="gpu").place) == "Place(cpu)"
            assert str(static.cuda_places()) == "[Place(gpu:0), Place(gpu:1), Place(gpu:2)]"
            assert not paddle.amp.is_float16_supported() and paddle.device.synchronize() is None
            assert len(paddle.get_rng_state("gpu")) == 1
        assert len(warned) == 1
    finally:
        places.set_current_place(former)


TRAIN_AND_TEST = """
import paddle, numpy as np
paddle.enable_static()
place = paddle.CUDAPlace(0) if use_cuda else paddle.CPUPlace()
exe = paddle.static.Executor(place)
train_program, startup_program = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(train_program, startup_program):
    x = paddle.static.data(name="X", shape=[None, 1], dtype="float32")
    loss = paddle.mean(paddle.static.nn.fc(x, size=10))
    test_program = train_program.clone(for_test=True)
    paddle.optimizer.SGD(learning_rate=0.01).minimize(loss)
exe.run(startup_program)
train = paddle.static.ParallelExecutor(use_cuda=use_cuda, main_program=train_program, loss_name=loss.name)
test = paddle.static.ParallelExecutor(use_cuda=use_cuda, main_program=test_program, share_vars_from=train)
batch = np.linspace(0, 1, 10, dtype="float32").reshape(10, 1)
losses = [train.run(feed={"X": batch}, fetch_list=[loss.name])[0] for _ in range(2)]
parts = [{"X": batch[:4]}, {"X": batch[4:]}]
listed, = train.run(feed=parts, fetch_list=[loss.name])
tested, = test.run(feed={"X": batch}, fetch_list=[loss.name])
train.drop_local_exe_scopes()
print(train.device_count, [l.shape for l in losses], listed.shape, tested.shape)
"""


@without_gpu
@pytest.mark.parametrize("use_cuda", [True, False])
def test_scripts_for_gpus_run_on_cpu_replicas(use_cuda: bool, full: Runner) -> None:
    full.write({"train.py": f"use_cuda = {use_cuda}\n" + TRAIN_AND_TEST})
    full.env |= {"PADDLE_COMPAT_CPU": "1", "CPU_NUM": "2"}
    out = full.output("-m", "paddle_compat", "train.py")
    assert out.split("\n")[0] == "2 [(2,), (2,)] (2,) (2,)"
