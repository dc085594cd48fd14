"""`paddle.device` and `paddle.cuda`: devices by name, generators; what needs a GPU says so where there is none."""

from __future__ import annotations

import pickle
from types import ModuleType

import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import place

STREAMS = {"Event", "Stream", "current_stream", "stream_guard"}
GENERATORS = {"get_rng_state", "manual_seed", "set_rng_state"}
NEEDS_GPU = sorted(set(paddle.device.cuda.__all__) - {"device_count", "empty_cache"} - GENERATORS - STREAMS)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("name", NEEDS_GPU)
def test_questions_about_gpus_are_refused_without_one(name: str) -> None:
    with pytest.raises(ValueError, match=rf"`paddle.device.cuda.{name}` needs a GPU"):
        getattr(paddle.device.cuda, name)()


def test_counting_gpus_needs_none() -> None:
    assert paddle.device.cuda.device_count() == torch.cuda.device_count()
    paddle.device.cuda.empty_cache()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_streams_are_refused_without_a_gpu() -> None:
    device, cuda = paddle.device, paddle.device.cuda
    for make in (device.Stream, device.Event, device.current_stream, lambda: device.Stream("cpu"), lambda: device.Event(paddle.CPUPlace())):
        with pytest.raises(TypeError, match=r"argument `device` of `paddle.device.\w+`. Expected a GPU"):
            make()
    for make in (cuda.Stream, cuda.Event, cuda.current_stream, lambda: cuda.stream_guard(None).__enter__()):
        with pytest.raises(RuntimeError, match=r"`paddle.device.cuda.\w+` needs a GPU"):
            make()
    with pytest.raises(AttributeError, match="Received: None"):
        device.set_stream(None)
    with pytest.raises(TypeError, match="argument `stream_base`"):
        device.Stream(stream_base=3)
    with device.stream_guard(None):
        assert paddle.ones([1]).item() == 1.0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_streams_of_a_gpu() -> None:
    stream, usual = paddle.device.Stream("gpu:0", priority=1), paddle.device.current_stream("gpu:0")
    assert stream.stream_base._stream.priority == -1 and stream != usual and paddle.device.current_stream("gpu:0") == usual
    begin, end = paddle.device.Event("gpu:0", enable_timing=True), paddle.device.Event("gpu:0", enable_timing=True)
    with paddle.device.stream_guard(stream):
        assert paddle.device.current_stream("gpu:0") == stream
        begin.record()
        x = paddle.ones([1000, 1000]).cuda() @ paddle.ones([1000, 1000]).cuda()
        stream.record_event(end)
    usual.wait_event(end)
    usual.wait_stream(stream)
    assert float(x.sum()) == 1e9 and paddle.device.current_stream("gpu:0") == usual
    end.synchronize()
    stream.synchronize()
    assert end.query() and stream.query() and begin.elapsed_time(end) > 0
    with paddle.device.cuda.stream_guard(stream.stream_base):
        assert paddle.device.cuda.current_stream() == stream.stream_base
    with pytest.raises(ValueError, match="priority"):
        paddle.device.cuda.Stream(0, 3)


def test_devices_by_name() -> None:
    device = paddle.device
    names = [device("cpu"), device("cpu:1"), device(paddle.CPUPlace()), device("cuda"), device("cuda", 1), device(3), device("gpu:1")]
    assert names == ["cpu", "cpu", "cpu", "cuda:0", "cuda:1", "cuda:3", "gpu:1"]
    assert [(each.type, each.index) for each in names[2:5]] == [("cpu", None), ("cuda", 0), ("cuda", 1)]
    assert pickle.loads(pickle.dumps(device("cuda:1"))).index == 1 and device("cpu") != "cuda" and isinstance(names[0], device.Device)
    assert isinstance(paddle.ones([1]).device, device.Device) and paddle.ones([1]).to(device("cpu")).place.is_cpu_place()
    with pytest.raises(ValueError, match="argument `type` of `paddle.device`.*Received: foo"):
        device("foo")
    with pytest.raises(TypeError, match="argument `type` of `paddle.device`"):
        device(1.5)
    with pytest.raises(ValueError, match="argument `device` of `paddle.device.device_guard`"):
        device.device_guard(0)
    with pytest.raises(RuntimeError, match="get_device_module"):
        device.get_device_module("foo")


def test_blocks_with_a_device_of_their_own() -> None:
    device, before = paddle.device, paddle.get_device()
    for block in (device.device("cpu"), device.device_guard("cpu"), device("cpu"), paddle.cuda.device(paddle.CPUPlace())):
        with block, device.device(None), device.device(1.5):
            assert paddle.ones([2]).place.is_cpu_place()
        assert paddle.get_device() == before
    assert device.get_device_module("cpu") is device and device.get_device_module("gpu") is paddle.cuda
    assert paddle.get_default_device() == before


def test_generators_of_devices() -> None:
    device = paddle.device
    device.manual_seed(3)
    state = paddle.cuda.get_rng_state("cpu")
    first = paddle.rand([2]).tolist()
    device.set_rng_state(state, "cpu")
    assert paddle.rand([2]).tolist() == first
    paddle.seed(3)
    assert paddle.rand([2]).tolist() == first
    with pytest.raises(TypeError):
        device.manual_seed(-1)
    with pytest.raises(TypeError):
        device.set_rng_state(3)
    generator = paddle.Generator()
    assert generator.manual_seed(3).initial_seed() == 3 and generator.seed() == generator.initial_seed()


@pytest.mark.parametrize("home", [paddle.device, paddle.cuda], ids=["device", "cuda"])
def test_tensors_by_type(home: ModuleType) -> None:
    names = {"BFloat16": "bfloat16", "Bool": "bool", "Byte": "uint8", "Char": "int8", "Double": "float64", "Float": "float32"}
    for name, dtype in {**names, "Half": "float16", "Int": "int32", "Long": "int64", "Short": "int16"}.items():
        make = getattr(home, f"{name}Tensor")
        assert make([1, 2]).dtype == getattr(paddle, dtype) and make(2, 3).shape == [2, 3]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_paddle_3s_questions_about_gpus_without_one() -> None:
    device, cuda = paddle.device, paddle.cuda
    for home in (device, cuda):
        assert (home.device_count(), home.is_available(), home.current_device(), home.is_bf16_supported()) == (0, False, 0, True)
        assert not home.is_current_stream_capturing()
        for name in ("get_device_name", "get_device_properties", "max_memory_allocated", "reset_max_memory_reserved"):
            with pytest.raises(ValueError, match="needs a GPU"):
                getattr(home, name)()
        with pytest.raises(RuntimeError, match="needs a GPU"):
            home.ipc_collect()
    assert not cuda.is_initialized()
    for call in (cuda.mem_get_info, lambda: cuda.set_device(0), lambda: device.device("gpu:0"), lambda: device.set_default_device(1)):
        with pytest.raises(ValueError, match="needs a GPU"):
            call()
    with pytest.raises(ValueError, match="needs a GPU"):
        device.set_device(1)


def test_the_current_device_by_number_or_by_nothing() -> None:
    before = paddle.device.get_device()
    try:
        first = paddle.set_device(0)  # Paddle 3.3 takes numbers, and None
        assert first == (paddle.CUDAPlace(0) if torch.cuda.is_available() else paddle.CPUPlace())
        assert paddle.set_device(None) == first
        with pytest.raises(AttributeError, match="Received: 2.5"):
            paddle.set_device(2.5)
    finally:
        paddle.set_device(before)


@pytest.mark.parametrize(
    ("told", "gpus"),
    [
        ({}, [0, 1, 2, 3]),
        ({"FLAGS_selected_gpus": "2"}, [2]),
        ({"FLAGS_selected_gpus": "3,1"}, [3, 1]),
        ({"LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}, [1]),
        ({"LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1"}, [0, 1, 2, 3]),
        ({"FLAGS_selected_gpus": "3", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}, [3]),
        ({"LOCAL_RANK": "6", "LOCAL_WORLD_SIZE": "8"}, [2]),
    ],
)
def test_a_process_begins_on_its_own_gpu(monkeypatch: pytest.MonkeyPatch, told: dict[str, str], gpus: list[int]) -> None:
    for name in ("FLAGS_selected_gpus", "LOCAL_RANK", "LOCAL_WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    monkeypatch.setattr(place, "_current", None)
    monkeypatch.setattr(place, "watchers", [])
    assert place.current_place() == paddle.CUDAPlace(gpus[0]) == place.place_of_name("gpu")
    assert place.place_of_name("gpu:0") == paddle.CUDAPlace(0)
    assert paddle.static.cuda_places() == [paddle.CUDAPlace(number) for number in gpus]
