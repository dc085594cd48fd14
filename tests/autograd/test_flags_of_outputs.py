"""Which outputs of operators say that they stop gradients, as Paddle 2.6.2 and 3.3.1 have it (values seen in both wheels)."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core.program import Program, program_guard

F = paddle.nn.functional


def _open(*shape: int) -> Any:
    """A tensor that wants a gradient, of the mode that is on."""
    if paddle.in_dynamic_mode():
        made = paddle.ones(list(shape))
    else:
        made = paddle.static.data(f"x{shape}", list(shape))
    made.stop_gradient = False
    return made


@pytest.mark.parametrize("pool", [
    lambda: F.max_pool1d(_open(1, 2, 8), 2, return_mask=True),
    lambda: F.adaptive_max_pool1d(_open(1, 2, 8), 2, return_mask=True),
    lambda: F.max_pool2d(_open(1, 2, 4, 4), 2, return_mask=True),
    lambda: F.softmax_with_cross_entropy(_open(3, 4), paddle.zeros([3, 1], "int64"), return_softmax=True),
    lambda: paddle.linalg.lu_unpack(*paddle.linalg.lu(_open(3, 3) + paddle.eye(3))),
])  # fmt: skip
def test_outputs_beside_one_with_a_gradient_do_not_say_that_they_stop_it(pool: Any) -> None:
    out = pool()
    assert [(v.stop_gradient, v.is_leaf) for v in out] == [(False, False)] * len(out)
    assert all(v.stop_gradient for v in (paddle.no_grad()(pool)()))


def test_normal_hands_gradients_to_mean_and_deviation() -> None:
    paddle.seed(3)  # a draw near 0 has lost digits when its mean is taken off again
    mean = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    std = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
    drawn = paddle.normal(mean, std)
    drawn.sum().backward()
    assert mean.grad.tolist() == [1.0, 1.0]
    assert std.grad.numpy() == pytest.approx(((drawn - mean) / std).numpy())
    only = paddle.normal(0.0, std)
    assert not only.stop_gradient and paddle.normal(mean.detach(), 1.0).stop_gradient


@pytest.mark.parametrize("made, stops", [
    (lambda: F.sequence_mask(_open(3), 9), [True]),
    (lambda: paddle.vision.ops.prior_box(_open(1, 2, 3, 3), _open(1, 3, 9, 9), [2.0]), [True, True]),
    (lambda: paddle.vision.ops.matrix_nms(_open(1, 3, 4), _open(1, 2, 3), 0.1, 0.1, 3, 3, return_index=True), [True, False, False]),
    (lambda: paddle.vision.ops.generate_proposals(_open(1, 2, 3, 3), _open(1, 8, 3, 3), _open(1, 2), _open(3, 3, 2, 4), _open(3, 3, 2, 4),
                                                  return_rois_num=True), [True, True, True]),
    (lambda: paddle.linalg.lstsq(_open(4, 3), _open(4, 2), driver="gels"), [False, False, True, True]),
    (lambda: paddle.linalg.lstsq(_open(4, 3), _open(4, 2)), [False, False, False, True]),
    (lambda: paddle.linalg.lstsq(paddle.ones([4, 3]), paddle.ones([4, 2])), [True] * 4),
    (lambda: paddle.linalg.lstsq(_open(4, 3), _open(4, 2), driver="gelss"), [False, False, False, False]),
])  # fmt: skip
def test_outputs_of_programs(made: Any, stops: list[bool]) -> None:
    paddle.enable_static()
    try:
        with program_guard(Program(), Program()):
            out = made()
    finally:
        paddle.disable_static()
    assert [v.stop_gradient for v in (out if isinstance(out, tuple) else (out,))] == stops


def test_a_cast_to_integers_and_back_hands_gradients_on_cut_to_integers() -> None:  # as 2.6.2 and 3.3.1
    def gradient(made: Any, weights: list[float]) -> Any:
        x = paddle.to_tensor([1.2, 2.7, -0.4], stop_gradient=False)
        y = made(x)
        (y * paddle.to_tensor(weights).astype(y.dtype)).sum().backward()
        return x.grad.tolist()

    assert gradient(lambda x: x.astype("int32").astype("float32"), [1.0, 2.5, -3.5]) == [1, 2, -3]
    assert gradient(lambda x: paddle.cast(paddle.cast(x, "int8").astype("int64"), "float64"), [1.0, 2.0, 3.0]) == [1, 2, 3]
    assert gradient(lambda x: x.astype("bool").astype("float32"), [0.5, 0.0, -2.0]) == [1, 0, 1]
    assert gradient(lambda x: x + (x * 2).astype("int32").astype("float32"), [1.0, 1.0, 1.0]) == [3, 3, 3]
    x = paddle.to_tensor([1.2], stop_gradient=False)
    whole = x.astype("int32")
    first = paddle.grad((x * x).astype("int32").astype("float32"), x, create_graph=True)[0]
    assert paddle.grad(first, x)[0].tolist() == [2]
    with paddle.no_grad():
        assert whole.astype("float32").stop_gradient
    assert whole.detach().astype("float32").stop_gradient and not whole.astype("float32").stop_gradient
    whole.stop_gradient = True
    assert whole.astype("float32").stop_gradient


@pytest.mark.parametrize("api", ["meshgrid", "broadcast_tensors"])
def test_every_output_of_an_operator_needs_the_gradient_that_one_input_needs(api: str) -> None:
    x, y = paddle.to_tensor([1.0, 2.0], stop_gradient=False), paddle.to_tensor([3.0])
    first, second = getattr(paddle, api)([x, y])
    assert (first.stop_gradient, second.stop_gradient) == (False, False)
    assert paddle.grad(second.sum(), x, retain_graph=True)[0].tolist() == [0.0, 0.0]
    assert paddle.grad((first * second * second).sum(), x)[0].tolist() == [9.0, 9.0]
    assert all(out.stop_gradient for out in getattr(paddle, api)([y, y]))
    second[0] = 5.0
    assert second.flatten().tolist() == [5.0, 3.0]
