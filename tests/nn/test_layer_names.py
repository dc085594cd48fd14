"""Names of what a layer makes beside its parameters."""

from __future__ import annotations

import paddle_compat as paddle
from paddle_compat.base.layer_helper import LayerHelper


def test_tensors_of_a_layer_have_its_name_in_front() -> None:
    with paddle.utils.unique_name.guard():
        layer = paddle.nn.Layer("mine")
        names = [layer.create_tensor("state").name, layer.create_variable("other").name, layer.create_tensor().name]
        paddle.enable_static()
        names.append(layer.create_tensor("state").name)
    assert names == ["mine_0.state", "mine_0.other", "mine_0._generated_var_0", "mine_0.state"]


def test_a_global_variable_is_made_once() -> None:
    paddle.enable_static()
    helper = LayerHelper("mine")
    made, is_new = helper.create_or_get_global_variable("total", shape=[1], dtype="float32")
    assert is_new and helper.create_or_get_global_variable("total") == (made, False)


def test_no_cinn_is_there() -> None:
    assert not paddle.is_compiled_with_cinn() and paddle.version.cinn_version == "False"
