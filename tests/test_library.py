"""`paddle.library`: functions become operators of `paddle.ops`, as 3.3.1 has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import library
from paddle_compat.errors import PreconditionNotMetError, UnsupportedError

ONES = np.ones(2, "float32")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Operators of a test end with it."""
    monkeypatch.setattr(library.PYTHON_OP_REGISTRY, "_registry", {})
    yield


def test_a_function_becomes_an_operator() -> None:
    @library.custom_op("mine::scaled", mutates_args=())
    def scaled(x: Any, by: float = 2.0) -> Any:
        return x * by

    assert isinstance(scaled, library.CustomOpDef) and repr(scaled) == "<CustomOpDef(mine::scaled)>"
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert paddle.ops.mine.scaled(x).tolist() == [2.0, 4.0] and paddle.ops.mine is paddle.ops.mine
    paddle.ops.mine.scaled.default(x, by=3.0).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(TypeError, match="not callable"):
        scaled(x)
    deep = library.custom_op("mine::inner::op", abs, mutates_args="unknown")
    assert (deep._namespace, deep._name, deep._schema, deep._tags) == ("mine", "inner::op", "", [])


def test_an_operator_in_a_program() -> None:
    library.custom_op("mine::doubled", lambda x: x + x, mutates_args=())
    paddle.enable_static()
    x = paddle.static.data("x", [2], "float32")
    y = paddle.ops.mine.doubled(x)
    (out,) = paddle.static.Executor().run(feed={"x": ONES}, fetch_list=[y])
    assert out.tolist() == [2.0, 2.0]


def test_names() -> None:
    with pytest.raises(AssertionError, match="my_namespace::my_op.*'plain'"):
        library.custom_op("plain", mutates_args=())
    library.custom_op("mine::once", abs, mutates_args=())
    with pytest.raises(ValueError, match="'mine::once' is already registered"):
        library.custom_op("mine::once", abs, mutates_args=())
    assert library.PYTHON_OP_REGISTRY.has_operator("mine::once") and library.PYTHON_OP_REGISTRY.get_operator("mine::once") is abs
    with pytest.raises(ValueError, match="'mine::never' is not registered.*mine::once"):
        library.PYTHON_OP_REGISTRY.get_operator("mine::never")
    late = paddle.ops.mine.never
    with pytest.raises(PreconditionNotMetError, match="'mine::never' is not there"):
        late(1)
    library.CustomOpDef("mine", "never", "", abs)  # which defines, and registers nothing
    assert not library.PYTHON_OP_REGISTRY.has_operator("mine::never")
    with pytest.raises(UnsupportedError, match="compiled operators"):
        paddle.ops.load_library("operators.so")
    assert not hasattr(paddle.ops, "__nothing__")


def test_what_has_no_effect_is_said() -> None:
    with pytest.warns(UserWarning) as found:
        made = library.custom_op("mine::told", abs, mutates_args="x", device_types="cpu", schema="(x) -> x", tags=(library.Tag(),))
        assert library.register_fake("mine::told", abs) is abs and library.register_fake(made)(abs) is abs
        assert made.register_fake(abs) is abs
    features = [str(one.message).split("`")[1] for one in found]
    assert features == ["device_types", "schema", "tags", "register_fake", "register_fake", "register_fake"]
    assert made._schema == "(x) -> x"
