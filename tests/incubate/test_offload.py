"""paddle.incubate.tensor.manipulation without a GPU, where its copies are made at once; and what else the package shows."""

from __future__ import annotations

import importlib

import pytest

import paddle_compat as paddle
from paddle_compat.incubate.tensor import manipulation


def test_a_tensor_goes_and_comes_back() -> None:
    loader, x = manipulation.create_async_load(), paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    there, going = manipulation.async_offload(x, loader)
    going.cpu_wait()
    with paddle.no_grad():
        there[0] = 5.0
    here, coming = manipulation.async_reload(there, loader)
    coming.cuda_wait()
    assert coming.is_completed() and going.is_completed()
    assert here.tolist() == [5.0, 2.0, 3.0] and x.tolist() == [1.0, 2.0, 3.0]
    assert there.place.is_cpu_place() and there.name == x.name and not x.stop_gradient


def test_a_parameter_gives_a_parameter() -> None:
    weight = paddle.nn.Linear(2, 3).weight
    there, _ = manipulation.async_offload(weight, manipulation.create_async_load())
    assert type(there) is type(weight) and there.name == weight.name and there.trainable
    assert there.tolist() == weight.tolist()


def test_some_elements() -> None:
    loader, source, target = manipulation.create_async_load(), paddle.arange(6).reshape([2, 3]), paddle.zeros([4], "int64")
    manipulation.async_offload_with_offset(source, target, 2, 1, 3, loader).wait()
    assert target.tolist() == [0, 2, 3, 4]
    with pytest.raises(ValueError, match=r"`src_offset`.*3 elements behind it, of 6.*Received: 4"):
        manipulation.async_offload_with_offset(source, target, 4, 0, 3, loader)
    with pytest.raises(ValueError, match=r"`dst_offset`.*Received: -1"):
        manipulation.async_offload_with_offset(source, target, 0, -1, 3, loader)


def test_segments_are_shown_by_their_modules() -> None:
    package, inner = (importlib.import_module(f"paddle_compat.incubate.{name}") for name in ("tensor", "tensor.math"))
    assert package.segment_sum is inner.segment_sum is paddle.incubate.segment_sum
