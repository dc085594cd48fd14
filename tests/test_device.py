"""`paddle.device`: what needs a GPU says so where there is none."""

from __future__ import annotations

import pytest
import torch

import paddle_compat as paddle

STREAMS = {"Event", "Stream", "current_stream", "stream_guard"}
NEEDS_GPU = sorted(set(paddle.device.cuda.__all__) - {"device_count", "empty_cache"} - STREAMS)


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
