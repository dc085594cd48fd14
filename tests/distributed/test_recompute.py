"""Parts of a network that are computed again: gradients, random numbers, what is kept, precision, wrong use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.distributed.fleet.utils import recompute
from paddle_compat.incubate.distributed.fleet import recompute_sequential

ROWS = np.arange(12, dtype="float32").reshape(3, 4) / 12


def network() -> Any:
    paddle.seed(5)
    layers = [paddle.nn.Linear(4, 8), paddle.nn.GELU(), paddle.nn.Linear(8, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 2)]
    return paddle.nn.Sequential(*layers)


def gradients(call: Any, *, stop: bool = False) -> list[np.ndarray]:
    """The loss, and the gradients of input and parameters."""
    model, x = network(), paddle.to_tensor(ROWS, stop_gradient=stop)
    loss = (call(model, x) ** 2).sum()
    loss.backward()
    return [v.numpy() for v in (loss, *([] if stop else [x.grad]), *(p.grad for p in model.parameters()))]


WAYS: dict[str, Any] = {
    "reentrant": recompute,
    "not_reentrant": lambda model, x: recompute(model, x, use_reentrant=False),
    "rows_of_random_numbers_left": lambda model, x: recompute(model, x, preserve_rng_state=False),
    "nested": lambda model, x: recompute(lambda v: recompute(model, v) * 1, x),
    "segments": lambda model, x: recompute_sequential({"segments": 2}, model, x),
    "more_segments": lambda model, x: recompute_sequential({"segments": 3, "preserve_rng_state": False}, model, x),
    "keywords": lambda model, x: recompute(lambda v, *, scale: model(v) * scale, x, scale=1, use_reentrant=False),
    "a_list_of_layers": lambda model, x: recompute_sequential({}, list(model.children()), x),
}


@pytest.mark.parametrize("way", WAYS)
def test_gradients_are_those_of_a_plain_call(way: str) -> None:
    for got, expected in zip(gradients(WAYS[way]), gradients(lambda model, x: model(x)), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_parameters_have_gradients_where_no_input_has() -> None:
    expected = gradients(lambda model, x: model(x), stop=True)
    for got, one in zip(gradients(WAYS["not_reentrant"], stop=True), expected, strict=True):
        np.testing.assert_array_equal(got, one)


def test_reentrant_without_an_input_that_has_a_gradient() -> None:
    model, x = network(), paddle.to_tensor(ROWS)
    assert recompute(model, x).stop_gradient


@pytest.mark.parametrize("exact", [False, True])
def test_dropout_comes_again(exact: bool, request: pytest.FixtureRequest) -> None:
    if exact:
        request.getfixturevalue("exact_random")
    x = paddle.ones([64])
    x.stop_gradient = False
    y = recompute(lambda v: paddle.nn.functional.dropout(v * 1, 0.5), x)
    later = paddle.nn.functional.dropout(paddle.ones([64]), 0.5)
    y.sum().backward()
    after = paddle.nn.functional.dropout(paddle.ones([64]), 0.5)
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())
    assert (later.numpy() != y.numpy()).any() and (after.numpy() != later.numpy()).any()


def test_states_of_random_numbers_come_again(exact_random: None) -> None:
    """As the wheel: numbers drawn from fleet's tracker inside are the same the second time, and those after it go on."""
    from paddle_compat.distributed import fleet

    fleet.init(is_collective=True)
    fleet.meta_parallel.model_parallel_random_seed(5)
    tracker, seen = fleet.meta_parallel.get_rng_state_tracker(), []

    def dropped(x: Any) -> Any:
        with tracker.rng_state():
            seen.append(paddle.nn.functional.dropout(x, 0.5))
        return seen[-1] * 1.0

    x = paddle.ones([1000])
    x.stop_gradient = False
    out = recompute(dropped, x)
    rows = []
    for step in (lambda: None, lambda: out.sum().backward()):
        step()
        with tracker.rng_state():
            rows.append(paddle.rand([2]).tolist())
    np.testing.assert_array_equal(x.grad.numpy(), seen[0].numpy())
    np.testing.assert_allclose(rows, [[0.79359245, 0.90209985], [0.33714104, 0.6248622]], rtol=1e-6)
    tracker.reset()


def test_the_function_runs_twice_and_nothing_is_kept() -> None:
    calls, kept = [], []
    x = paddle.to_tensor(ROWS, stop_gradient=False)

    def square(v: Any) -> Any:
        calls.append(1)
        made = paddle.exp(v)
        kept.append(made._t)
        return made * made

    y = recompute(square, x)
    assert len(calls) == 1
    y.sum().backward()
    assert len(calls) == 2 and kept[0] is not kept[1]
    np.testing.assert_allclose(x.grad.numpy(), 2 * np.exp(2 * ROWS), rtol=1e-6)


def test_second_order() -> None:
    x = paddle.to_tensor([2.0], stop_gradient=False)
    (g,) = paddle.grad(recompute(lambda v: v * v * v, x), x, create_graph=True)
    assert g.tolist() == [12.0] and paddle.grad(g, x)[0].tolist() == [12.0]


def test_running_statistics_move_twice() -> None:
    x = paddle.to_tensor(ROWS, stop_gradient=False)
    norm, other = paddle.nn.BatchNorm1D(4), paddle.nn.BatchNorm1D(4)
    recompute(norm, x).sum().backward()
    other(x), other(x)
    np.testing.assert_array_equal(norm._mean.numpy(), other._mean.numpy())


def test_mixed_precision_holds_the_second_time_too() -> None:
    x = paddle.to_tensor(ROWS, stop_gradient=False)
    seen = []

    def product(v: Any) -> Any:
        made = paddle.matmul(v, v, transpose_y=True)
        seen.append(made.dtype)
        return made

    with paddle.amp.auto_cast(dtype="bfloat16"):
        y = recompute(product, x)
    y.sum().backward()
    assert seen == [paddle.bfloat16, paddle.bfloat16]


def test_several_results_and_tuples() -> None:
    x, w = (paddle.to_tensor([3.0], stop_gradient=False) for _ in range(2))
    product, total, nothing = recompute(lambda pair, n: (pair[0] * pair[1], pair[0] + n, None), (x, w), 5)
    (product + total).backward()
    assert nothing is None and (x.grad.tolist(), w.grad.tolist()) == ([4.0], [3.0])


def test_keywords_and_lists() -> None:
    """Keywords as in Paddle 3.3.1 (2.6.2 wants use_reentrant=False for them); both wheels end in an error for the gradients of lists."""
    x, w = (paddle.to_tensor([value], stop_gradient=False) for value in (3.0, 5.0))
    ways: tuple[Any, ...] = (
        lambda: recompute(lambda v, scale, other: v * other * scale, x, other=w, scale=2),
        lambda: recompute(lambda v, pair: v * pair[0] * 2, x, pair=(w, w)),
        lambda: recompute(lambda v, other: v * other * 2, v=x, other=w),
        lambda: recompute(lambda several: several[0] * several[1] * several[2], [x, w, 2]),
    )
    for way in ways:
        x.clear_gradient()
        w.clear_gradient()
        way().backward()
        assert (x.grad.tolist(), w.grad.tolist()) == ([10.0], [6.0])
    frozen = x.detach()
    recompute(lambda v, other: v * other, frozen, other=w).backward()
    assert w.grad.tolist() == [9.0] and recompute(lambda v, scale: v * scale, frozen, scale=2).stop_gradient
    with pytest.raises(TypeError, match="unknown"):
        recompute(lambda v: v, x, unknown=1)


def test_wrong_use() -> None:
    x = paddle.to_tensor([3.0], stop_gradient=False)
    with pytest.raises(ValueError, match="a tuple of both"):
        recompute(lambda v: v[0], (x, 3))
    with paddle.no_grad():
        assert recompute(lambda v: v * 2, x).stop_gradient
