"""What `paddle.static` makes in eager mode: variables are Tensors, areas under the curve are counted at once."""

from __future__ import annotations

import paddle_compat as paddle
from paddle_compat.base.layer_helper import LayerHelper


def test_global_variables_are_filled_tensors() -> None:
    made = paddle.static.create_global_var([2], 1.5, "float32", persistable=True, name="filled")
    assert isinstance(made, paddle.Tensor)
    assert (made.name, made.persistable, made.stop_gradient, made.tolist()) == ("filled", True, True, [1.5, 1.5])


def test_helper_makes_tensors_and_nothing_in_the_program() -> None:
    before = len(paddle.static.default_main_program().global_block().vars)
    out = LayerHelper("mine").create_variable_for_type_inference("float64")
    assert isinstance(out, paddle.Tensor)
    assert out.dtype == paddle.float64
    assert len(paddle.static.default_main_program().global_block().vars) == before


def test_auc_counts() -> None:
    scores = paddle.to_tensor([[0.5, 0.1], [0.4, 0.9], [0.2, 0.6]])
    area, last, states = paddle.static.auc(scores, paddle.to_tensor([[0], [1], [0]]), num_thresholds=7, slide_steps=2)
    assert (float(area), float(last)) == (1.0, 1.0)
    assert [s.shape for s in states] == [[25], [25], [1, 8], [1, 8]]
    assert states[2].tolist() == [[0, 0, 0, 0, 0, 0, 1, 0]]
    assert states[3].tolist() == [[1, 0, 0, 0, 1, 0, 0, 0]]
