"""What comes into a Program: `static.data` and `InputSpec`, as the wheel's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from paddle_state import fresh_state

import paddle_compat as paddle
from paddle_compat.static import InputSpec


@pytest.fixture(autouse=True)
def fresh() -> Any:
    with fresh_state():
        yield


def test_data() -> None:
    paddle.enable_static()
    made = paddle.static.data("x", [None, 3, np.int64(2)], lod_level=1)
    assert (made.name, made.shape, str(made.dtype)) == ("x", (-1, 3, 2), "paddle.float32")
    assert made.stop_gradient and made.is_data and made.need_check_feed and made.lod_level == 1 and not made.persistable
    assert made.block.program is paddle.static.default_main_program()


def test_data_takes_the_default_type() -> None:
    paddle.enable_static()
    paddle.set_default_dtype("float64")
    try:
        assert str(paddle.static.data("x", [2]).dtype) == "paddle.float64"
    finally:
        paddle.set_default_dtype("float32")


def test_data_goes_into_the_global_block() -> None:
    paddle.enable_static()
    main = paddle.static.default_main_program()
    main._create_block()
    assert paddle.static.data("x", [2]).block is main.global_block()


def test_data_chooses_static_mode_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="enable_static") as caught:
        paddle.static.data("x", [2])
    assert caught[0].filename == __file__ and not paddle.in_dynamic_mode()


def test_data_in_eager_mode() -> None:
    paddle.disable_static()
    with pytest.raises(AssertionError, match="enable_static"):
        paddle.static.data("x", [2])
    assert paddle.in_dynamic_mode()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((1, [2]), TypeError), (("y", 3), TypeError), (("y", [2], "float31"), TypeError), (("y", [2.5]), TypeError),
     (("y", [-1, "a"]), TypeError), (("x", [None, 7]), ValueError), (("x", [None, 8], "int64"), ValueError)],
)  # fmt: skip
def test_data_refuses(arguments: Any, error: type[Exception]) -> None:
    paddle.enable_static()
    paddle.static.data("x", [None, 8])
    with pytest.raises(error):
        paddle.static.data(*arguments)
    assert list(paddle.static.default_main_program().global_block().vars) == ["x"]


def test_data_twice() -> None:
    paddle.enable_static()
    for _ in range(2):
        assert paddle.static.data("x", [None, 8]).shape == (-1, 8)


def test_spec() -> None:
    spec = InputSpec([None, -5, 784], "int64", "x", stop_gradient=True)
    assert repr(spec) == "InputSpec(shape=(-1, -1, 784), dtype=paddle.int64, name=x, stop_gradient=True)"
    assert InputSpec([64]).dtype == paddle.float32 and InputSpec([], None).dtype is None


def test_specs_are_equal_by_content() -> None:
    same, other = InputSpec((64,), "float32", "x"), InputSpec([64], "float32", "y")
    assert InputSpec([64], "float32", "x") == same != other
    assert {InputSpec([64], name="x"): 1}[same] == 1 and same != 3
    assert InputSpec([64]) != InputSpec([64], stop_gradient=True)


def test_specs_of_values() -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [None, 3], "int32")
    assert InputSpec.from_tensor(x) == InputSpec([-1, 3], "int32", "x")
    assert InputSpec.from_tensor(x, "u").name == "u"
    assert InputSpec.from_numpy(np.ones([2, 2], np.int8), "z") == InputSpec([2, 2], "int8", "z")
    with pytest.raises(ValueError, match="tensor"):
        InputSpec.from_tensor(3)


def test_batching_changes_the_spec_itself() -> None:
    spec = InputSpec([64])
    assert spec.batch(4) is spec and spec.shape == (4, 64)
    assert spec.unbatch() is spec and spec.shape == (64,)
    with pytest.raises(TypeError):
        spec.batch(4.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one size"):
        spec.batch([4, 5])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="dimension"):
        InputSpec([]).unbatch()


@pytest.mark.parametrize("shape", [64, "a", None, np.array([1, 2])])
def test_shapes_that_are_no_list(shape: Any) -> None:
    with pytest.raises(TypeError):
        InputSpec(shape)


@pytest.mark.parametrize("shape", [[64, "a"], [2.5], [[1, 2]]])
def test_shapes_with_other_things(shape: Any) -> None:
    with pytest.raises(ValueError, match="shape"):
        InputSpec(shape)
