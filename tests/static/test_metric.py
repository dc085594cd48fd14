"""Metrics inside a Program: over several batches, and in eager mode. The numbers are those of Paddle 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from paddle_state import fresh_state

import paddle_compat as paddle
from paddle_compat import fluid

# slide_steps, curve: (the area of all batches, that of the last ones) after each of three batches
AREAS = {
    (0, "ROC"): [(0.4375, 0.4375), (0.5, 0.5), (0.5625, 0.5625)],
    (1, "PR"): [(0.4375, 0.4375), (0.5, 0.5), (0.5625, 0.9)],
    (3, "ROC"): [(0.4375, 0.4375), (0.5, 0.5), (0.5625, 0.5625)],
}


@pytest.mark.parametrize(("steps", "curve"), AREAS)
def test_auc_over_batches(steps: int, curve: str) -> None:
    random = np.random.RandomState(0)
    with fresh_state():
        paddle.enable_static()
        x, label = paddle.static.data("x", [None, 2]), paddle.static.data("label", [None, 1], "int64")
        area, last, states = paddle.static.auc(x, label, curve, num_thresholds=7, slide_steps=steps)
        executor = paddle.static.Executor()
        executor.run(paddle.static.default_startup_program())
        got = []
        for _ in AREAS[steps, curve]:
            feed = {"x": random.rand(6, 2).astype("float32"), "label": random.randint(0, 2, (6, 1))}
            *areas, positive, negative = executor.run(feed=feed, fetch_list=[area, last, *states[2:]])
            got.append(tuple(float(a) for a in areas))
    assert got == AREAS[steps, curve]
    assert positive.tolist() == [[1, 1, 1, 2, 4, 1, 2, 0]] and negative.tolist() == [[1, 0, 0, 3, 0, 2, 0, 0]]


def test_auc_starts_anew_from_zeros_of_another_type() -> None:
    """As PaddleRec puts them there; the counts are int64 again, and the areas those of 1.8.5."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.scope_guard(fluid.Scope()), fluid.program_guard(main, startup):
        x, label = fluid.data("x", [-1, 2]), fluid.data("label", [-1, 1], "int64")
        area, last, states = fluid.layers.auc(x, label, num_thresholds=15)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for state in states[2:]:
            fluid.global_scope().find_var(state.name).get_tensor().set(np.zeros([1, 16], "float32"), fluid.CPUPlace())
        random, found = np.random.RandomState(0), []
        for _ in range(2):
            one = random.rand(10, 1)
            feed = {"x": np.concatenate([1 - one, one], 1).astype("float32"), "label": (random.rand(10, 1) < one).astype("int64")}
            *areas, positive, _ = exe.run(main, feed, [area, last, *states[2:]])
            found.append([float(a[0]) for a in areas])
    assert positive.dtype == np.int64 and positive.tolist() == [[0, 1, 0, 0, 0, 0, 3, 0, 0, 3, 1, 2, 0, 1, 3, 0]]
    assert found == [[0.8095238095238094, 0.8095238095238094], [0.8035714285714285, 0.7857142857142857]]


def test_click_sums_add_up() -> None:
    chance = np.array([[0.1], [0.7], [0.4], [0.9]], np.float32)
    label = np.array([[0], [1], [1], [0]], np.float32)
    with fresh_state():
        paddle.enable_static()
        feeds = [paddle.static.data(name, [None, 1]) for name in ("chance", "label")]
        sums = paddle.static.ctr_metric_bundle(*feeds)
        executor = paddle.static.Executor()
        executor.run(paddle.static.default_startup_program())
        for runs in (1, 2):
            got = executor.run(feed={"chance": chance, "label": label}, fetch_list=list(sums))
            error = chance - label
            values = (error**2, abs(error), chance, 1 / (1 + np.exp(-chance)), label, np.ones(4))
            np.testing.assert_allclose([g.item() for g in got], [runs * v.sum() for v in values], 1e-6)


def test_accuracy_in_eager_mode() -> None:
    with fresh_state():
        paddle.disable_static()
        score = paddle.Tensor(torch.tensor([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3]]))
        label = paddle.Tensor(torch.tensor([[1], [2]]))
        results: list[Any] = [paddle.static.accuracy(score, label, k=k) for k in (1, 2)]
    assert [r.item() for r in results] == [0.5, 1.0] and results[0].shape == []


@pytest.mark.parametrize("shape", [[2], [2, 2], [3, 1], [1, 1]])
def test_accuracy_takes_one_class_a_sample(shape: list[int]) -> None:
    """1.8.5, 2.6.2 and 3.3.1 refuse labels of any other shape, at once and in Programs."""
    scores, labels = np.array([[0.1, 0.9], [0.8, 0.2]], "float32"), np.ones(shape, "int64")
    with pytest.raises(ValueError, match="label"):
        paddle.metric.accuracy(paddle.to_tensor(scores), paddle.to_tensor(labels))
    with fluid.dygraph.guard(), pytest.raises(ValueError, match="label"):
        fluid.layers.accuracy(fluid.dygraph.to_variable(scores), fluid.dygraph.to_variable(labels))
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()), pytest.raises(ValueError, match="label"):
        x, label = paddle.static.data("x", [None, 2]), paddle.static.data("label", [None, *shape[1:]], "int64")
        share = paddle.metric.accuracy(x, label)
        paddle.static.Executor().run(feed={"x": scores, "label": labels}, fetch_list=[share])
