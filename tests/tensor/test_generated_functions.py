"""Functions that are made of an operator's type (`paddle.tensor.layer_function_generator`), and modules that harnesses import from."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.base.dygraph.math_op_patch import monkey_patch_math_tensor
from paddle_compat.base.dygraph.tensor_patch_methods import TensorHookRemoveHelper, monkey_patch_tensor
from paddle_compat.base.layers import layer_function_generator as of_base
from paddle_compat.tensor import layer_function_generator as made


def test_functions_of_tensors() -> None:
    x, y = paddle.to_tensor([0.5, -1.5]), paddle.to_tensor([1.0, 2.0])
    add = made.generate_layer_fn("elementwise_add")
    assert add.__name__ == "elementwise_add" and add(x, y).tolist() == add(x=x, y=y, name="n").tolist() == [1.5, 0.5]
    assert made.generate_layer_fn("scale")(x, scale=2.0).tolist() == [1.0, -3.0]
    relu = made.generate_activation_fn("relu")
    assert relu.__name__ == "relu" and relu(x).tolist() == relu(x, name="n").tolist() == [0.5, 0.0]
    square = paddle.to_tensor([4.0])
    assert made.generate_inplace_fn("sqrt_")(square) is square and square.tolist() == [2.0]


def test_functions_of_variables() -> None:
    paddle.enable_static()
    x, y = paddle.static.data("x", [2]), paddle.static.data("y", [2])
    product = made.generate_layer_fn("elementwise_mul")(x, y, act="relu")
    named = made.generate_activation_fn("exp")(x, name="zz")
    assert [product.name, named.name] == ["elementwise_mul_0.tmp_1", "zz.tmp_0"]
    assert made.generate_activation_fn("exp")(paddle.static.data("i", [2], "int64")).shape == (2,)
    assert made.generate_inplace_fn("exp_")(x) is None  # as in the wheels
    feed = {"x": np.array([0.0, -1.0], "float32"), "y": np.array([1.0, 2.0], "float32")}
    found = paddle.static.Executor().run(feed=feed | {"i": np.array([0, 0])}, fetch_list=[product, named])
    assert found[0].tolist() == [0.0, 0.0] and found[1][0] == 1.0
    with pytest.raises(TypeError, match="float16, float32, float64"):
        made.generate_activation_fn("relu")(paddle.static.data("j", [2], "int64"))


def test_refusals() -> None:
    x = paddle.ones([2])
    for build in (made.generate_layer_fn, made.generate_activation_fn):
        with pytest.raises(ValueError, match="has not been registered"):
            build("nosuch")
    for operator, why in (("split", "non duplicable"), ("top_k_v2", "one non intermediate")):
        with pytest.raises(ValueError, match=why):
            made.generate_layer_fn(operator)
    with pytest.raises(ValueError, match="must be variable"):
        made.generate_layer_fn("exp")(3)
    with pytest.raises(ValueError, match="must input same dtype"):
        made.generate_layer_fn("elementwise_add")(x, paddle.ones([2], "int64"))
    with pytest.raises(AttributeError):
        made.generate_inplace_fn("nosuch_")(x)


def test_documentation() -> None:
    def sigmoid(x: object) -> None:
        """x is a ${x_type}.${comment}"""

    assert made.templatedoc()(sigmoid).__doc__ == "x is a Variable."
    assert of_base.autodoc("Squashes.")(sigmoid).__doc__.splitlines()[:3] == ["Squashes.", "Args:", "    x (Variable)"]
    assert made.escape_math("$a$ $$b$$") == "$a$ :math:`b`" and of_base.generate_layer_fn is made.generate_layer_fn
    made.add_sample_code(sigmoid, "more")
    assert str(sigmoid.__doc__).endswith("more")


def test_what_gives_tensors_their_methods() -> None:
    monkey_patch_tensor()
    monkey_patch_math_tensor()
    x = paddle.ones([2])
    x.stop_gradient = False
    assert type(x.register_hook(lambda grad: grad)) is TensorHookRemoveHelper
