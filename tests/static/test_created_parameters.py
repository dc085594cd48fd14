"""What `create_parameter` takes for `attr`, in either mode."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid

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


def test_eager_mode_takes_the_shape_of_a_tensor() -> None:  # as 2.6.2 and 3.3.1, where it has one dimension
    gain = paddle.zeros([3])
    assert paddle.create_parameter(paddle.shape(gain), "float32", default_initializer=Constant(2.0)).tolist() == [2, 2, 2]
    assert paddle.nn.Linear(2, 2).create_parameter(paddle.shape(gain), is_bias=True).shape == [3]
    with pytest.raises(TypeError):
        paddle.create_parameter(paddle.to_tensor(3), "float32")
    with pytest.raises(TypeError, match="ints"):
        paddle.nn.Linear(2, 2).create_parameter(paddle.to_tensor([3.0]))


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


@pytest.mark.usefixtures("static")
def test_a_parameter_made_twice_is_filled_once() -> None:
    for base, constant in ((fluid, fluid.initializer.Constant), (paddle.base, paddle.nn.initializer.Constant)):
        block = base.Program().global_block()
        for value in (1.0, 2.0):
            block.create_parameter(name="w", shape=[2], dtype="float32", initializer=constant(value))
        assert [(op.type, op.attr("value")) for op in block.ops] == [("fill_constant", 1.0)]
        block.append_op(type="fill_constant", outputs={"Out": "w"}, attrs={"shape": [2], "dtype": 5, "value": 3.0})
        with pytest.raises(RuntimeError, match="inited by multiple init ops"):
            block.create_parameter(name="w", shape=[2], dtype="float32", initializer=constant(1.0))
        assert block.create_parameter(name="w", shape=[2], dtype="float32").name == "w"


@pytest.mark.usefixtures("static")
@pytest.mark.parametrize("paddle_1", [True, False])
def test_what_a_name_is_given_last_counts(paddle_1: bool) -> None:  # as 1.8.5 and 2.6.2
    base = fluid if paddle_1 else paddle.static
    create = fluid.layers.create_parameter if paddle_1 else paddle.static.create_parameter
    attr = fluid.ParamAttr if paddle_1 else paddle.ParamAttr
    main, startup = base.Program(), base.Program()
    with base.program_guard(main, startup):
        first = create([2, 3], "float32", attr=attr(name="w", learning_rate=0.5))
        second = create([2, 3], "float32", attr=attr(name="w", learning_rate=0.2))
        assert first is not second and main.all_parameters() == [second]
        assert second.optimize_attr == {"learning_rate": 0.2}
        last = create([2, 3], "float32", attr=attr(name="w", trainable=False))
        assert main.global_block().var("w") is last and not last.trainable
        assert not startup.global_block().var("w").trainable and len(startup.global_block().ops) == 1
        for shape, dtype in (([2, 4], "float32"), ([2, 3], "float64")):
            with pytest.raises(ValueError, match="exists with another"):
                create(shape, dtype, attr=attr(name="w"))
        main.global_block().create_var(name="plain", shape=[2], dtype="float32")
        with pytest.raises(ValueError, match="another persistable"):
            create([2], "float32", attr=attr(name="plain"))


@pytest.mark.usefixtures("static")
def test_static_mode_takes_arrays_as_shapes_and_no_complex_numbers() -> None:  # as 2.6.2 and 3.3.1
    assert tuple(paddle.create_parameter(np.array([2, 3]), "float32").shape) == (2, 3)
    for wrong in (np.array([2.0, 3.0]), "ab", np.array(2)):
        with pytest.raises(TypeError, match="shape|ints"):
            paddle.create_parameter(wrong, "float32")
    for dtype in ("complex64", "complex128"):
        with pytest.raises(TypeError, match="dtype"):
            paddle.create_parameter([2], dtype, default_initializer=Constant(1.0))
        with pytest.raises(TypeError, match="dtype"):
            paddle.static.create_global_var([2], 1.0, dtype)
    assert paddle.nn.Layer().create_parameter([2], dtype="complex64", default_initializer=Constant(1.0)).dtype == paddle.complex64


@pytest.mark.parametrize("dtype", ["int", int, float, "double", "half", "long"])
def test_static_mode_takes_names_of_paddles_for_variables_and_their_constants(static: object, dtype: object) -> None:  # as 2.6.2
    for make in (
        lambda: paddle.static.create_global_var([1], 1, dtype),  # 3.3.1, too
        lambda: paddle.static.create_parameter([1], dtype),  # 3.3.1, too
        lambda: paddle.tensor.fill_constant([1], dtype, 1),
    ):
        with pytest.raises(TypeError, match="`dtype`"):
            make()
    assert paddle.full([1], 1, dtype).shape == (1,)  # as 3.3.1
