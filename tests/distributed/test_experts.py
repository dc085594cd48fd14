"""Mixtures of experts: the layers as Paddle 2.6.2 has them, the operators that count and place rows, wrong use."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from processes import ROOT

sys.path.insert(0, str(ROOT / "scripts/references"))

import moe_cases

import paddle_compat as paddle
from paddle_compat.distributed.models.moe import utils
from paddle_compat.distributed.utils import moe_utils
from paddle_compat.incubate.distributed.models import moe
from paddle_compat.nn.clip import ClipGradByGlobalNorm

REAL = json.loads((ROOT / "tests/references/moe_2.6.2.json").read_text())


def integers(value: Any) -> Any:
    return paddle.to_tensor(np.asarray(value, "int64"))


@pytest.mark.parametrize("case", moe_cases.CASES)
def test_layers(case: str) -> None:
    found, wanted = moe_cases.answers(paddle, moe, case), REAL[case]
    assert found.keys() == wanted.keys() and found["names"] == wanted["names"]
    for name in found.keys() - {"names"}:
        one = name not in ("parameters", "of_loss")
        ours, theirs = ([each[name]] if one else each[name] for each in (found, wanted))
        for mine, real in zip(ours, theirs, strict=True):
            assert (mine is None) == (real is None)
            if real is not None:
                np.testing.assert_allclose(mine, real, rtol=1e-5, atol=1e-3, err_msg=name)


def test_the_gradient_of_rows_with_several_experts() -> None:
    layer = moe_cases.layer(paddle, moe, "naive 2")
    x = np.random.RandomState(0).randn(2, 5, 4).astype("float32")
    weights = [p.numpy().astype("float64") for p in layer.parameters()]

    def total(x: np.ndarray) -> float:
        rows = x.reshape(-1, 4)
        scores = rows @ weights[-2] + weights[-1]
        found = np.zeros_like(rows)
        for row, score in enumerate(scores):
            for expert in np.argsort(-score)[:2]:
                found[row] += score[expert] * (rows[row] @ weights[2 * expert] + weights[2 * expert + 1])
        return float((found**2).sum())

    given = paddle.to_tensor(x, stop_gradient=False)
    (layer(given) ** 2).sum().backward()
    for place in ((0, 0, 0), (0, 1, 2), (1, 4, 3)):
        step = np.zeros(x.shape)
        step[place] = 1e-5
        assert given.grad.numpy()[place] == pytest.approx((total(x + step) - total(x - step)) / 2e-5, rel=1e-4)


def test_what_is_computed_again_has_the_same_gradients() -> None:
    results = []
    for interval in (0, 1):
        layer = moe_cases.layer(paddle, moe, "naive 2")
        layer.recompute_interval = interval
        (layer(paddle.to_tensor(np.random.RandomState(0).randn(2, 5, 4).astype("float32"))) ** 2).sum().backward()
        results.append([p.grad.numpy() for p in layer.parameters()])
    for once, again in zip(*results):
        np.testing.assert_array_equal(once, again)


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_counting_and_placing(kind: str) -> None:
    numbers = np.random.RandomState(1)
    kernels = moe_cases.numpy_kernels(lambda value: paddle.to_tensor(np.asarray(value, kind)))
    gate = numbers.randint(-1, 6, (20, 2)).astype(kind)
    counts = kernels["_number_count"](paddle.to_tensor(gate), 6).astype(kind)
    several = numbers.randint(0, 9, 6).astype(kind)
    capacity = np.array([5, 0, 11]).astype(kind)
    asked = {
        "_number_count": (gate, 6),
        "_assign_pos": (gate, counts.numpy().cumsum().astype(kind)),
        "_limit_by_capacity": (several, capacity, 2),
        "_prune_gate_by_capacity": (gate, several // 2, 3, 2),
        "_random_routing": (np.abs(gate), numbers.rand(20, 2).astype("float32"), numbers.rand(20).astype("float32")),
    }
    for name, arguments in asked.items():
        given = [paddle.to_tensor(each) if isinstance(each, np.ndarray) else each for each in arguments]
        found, wanted = getattr(utils, name)(*given), kernels[name](*given)
        assert str(found.dtype) == f"paddle.{kind}"
        np.testing.assert_array_equal(found.numpy(), wanted.numpy(), err_msg=name)


def test_rows_that_travel_in_programs() -> None:
    assert moe_cases.programs(paddle, moe_utils) == REAL["programs"]


def test_rows_without_an_expert() -> None:
    layer = moe_cases.layer(paddle, moe, "switch small")
    layer.gate.capacity = (0.0, 0.0)
    assert not layer(paddle.ones([1, 3, 4])).numpy().any()


def test_wrong_use() -> None:
    experts, x = [paddle.nn.Linear(4, 4)], paddle.ones([2, 4])
    counts = integers([1, 1])
    for wrong in (
        lambda: moe.GShardGate(4, 2, 1, topk=1), lambda: moe.SwitchGate(4, 2, 1, topk=2), lambda: moe.MoELayer(4, experts, gate="naive"),
        lambda: moe.MoELayer(4, experts, gate={"type": "other"}), lambda: moe.MoELayer(4, experts, gate={"type": "naive", "top_k": 1})(x),
    ):  # fmt: skip
        with pytest.raises(AssertionError):
            wrong()
    with pytest.raises(NotImplementedError, match="BaseGate"):
        moe.BaseGate(2, 1)(x)
    with pytest.raises(NotImplementedError, match="topk=3"):
        utils._random_routing(counts, x, x, topk=3)
    for name in ("global_scatter", "global_gather"):
        travel = getattr(moe_utils, name)
        with pytest.raises(ValueError, match="3 rows, as many as"):
            travel(x, integers([1, 2]), integers([1, 2]))
        with pytest.raises(TypeError, match="local_count"):
            travel(x, counts.astype("int32"), counts)
        with pytest.raises(TypeError, match="bool"):
            travel(x.astype("bool"), counts, counts)
    with pytest.raises(ValueError, match="a number for each of 2 experts"):
        utils._limit_by_capacity(integers([1, 2, 3, 4]), integers([1]), 2)


@pytest.mark.parametrize("expert", [None, lambda p: "w" in p.name, lambda p: True])
def test_a_clip_in_one_process_is_the_one_by_the_global_norm(expert: Any) -> None:
    layer = paddle.nn.Linear(3, 2)
    (layer(paddle.ones([1, 3])) * 5).sum().backward()
    pairs = [(p, p.grad) for p in layer.parameters()]
    clip = moe.ClipGradForMOEByGlobalNorm(1.5, expert)
    for (_, found), (_, wanted) in zip(clip(pairs), ClipGradByGlobalNorm(1.5)(pairs)):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)
    total, kind = clip.get_l2_norm_pow(pairs)
    assert (total.tolist(), kind) == ([200.0], "float32") and clip.get_l2_norm_pow([]) == (None, None)
    assert str(clip) == "Gradient Clip By GlobalNorm, global_norm=1.500000"
