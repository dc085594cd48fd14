"""What `create_parameter` takes for `attr`, in either mode."""

from __future__ import annotations

import pytest

import paddle_compat as paddle

Constant = paddle.nn.initializer.Constant


@pytest.fixture
def static() -> object:
    """Static mode, in a Program of its own."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        yield
    paddle.disable_static()


def test_eager_mode_takes_what_stands_for_an_attr() -> None:
    assert paddle.create_parameter([2], "float32", attr=Constant(2.0)).tolist() == [2.0, 2.0]
    assert paddle.create_parameter([2], "float32", attr="of the test").name == "of the test"
    assert paddle.create_parameter([2], "float32", attr=paddle.regularizer.L2Decay(0.1)).regularizer is not None
    assert paddle.create_parameter([2], "float32", attr=False) is None


@pytest.mark.parametrize("attr", [0.5, {"name": "x"}, Constant])
def test_eager_mode_refuses_others(attr: object) -> None:
    with pytest.raises(TypeError, match="attr"):
        paddle.create_parameter([2], "float32", attr=attr)


def test_one_parameter_has_one_attr() -> None:
    for create in (paddle.create_parameter, paddle.nn.Layer().create_parameter):
        with pytest.raises(AssertionError, match="attr"):
            create([2], attr=[Constant(1.0)], dtype="float32")


@pytest.mark.parametrize("attr", ["name", Constant(2.0), False, True, 0.5, [Constant(1.0)]])
def test_static_mode_takes_a_param_attr_only(static: object, attr: object) -> None:
    with pytest.raises(TypeError, match="ParamAttr"):
        paddle.create_parameter([2], "float32", attr=attr)
    assert paddle.create_parameter([2], "float32", attr=paddle.ParamAttr(name="one")).name == "one"
