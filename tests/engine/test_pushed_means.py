"""Means of what trainers push: the numbers of `sum` and `scale`, in the memory in which gradients came."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.operator import Operator
from paddle_compat.engine.pushed_means import Mean, mean_at_first, take_means
from paddle_compat.ops.math import add_n, scale


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def rows(ids: list[int]) -> torch.Tensor:
    return torch.sparse_coo_tensor(torch.tensor([ids]), torch.randn(len(ids), 2), (9, 2), check_invariants=False)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_they_are_sums_times_a_factor(count: int) -> None:
    parts = {name: [f"{name}.trainer_{i}" for i in range(count)] for name in "abc"}
    feed = {name: torch.randn(3, 4) for each in (parts["a"], parts["b"]) for name in each}
    feed |= {name: rows([i, 4, 7]) for i, name in enumerate(parts["c"])}
    feed["other"] = torch.zeros(1)
    expected = {name: scale.fn(add_n.fn([feed[part] for part in names]), scale=1 / count).to_dense() for name, names in parts.items()}
    places = {feed[names[0]].data_ptr() for name, names in parts.items() if name != "c"}
    take_means([Mean(tuple(names), name, 1 / count) for name, names in parts.items()], feed)
    assert feed.keys() == {"a", "b", "c", "other"} and {feed[name].data_ptr() for name in "ab"} == places
    for name, value in expected.items():
        torch.testing.assert_close(feed[name].to_dense(), value, rtol=0, atol=1e-6 if name == "c" else 0)


def block(*ops: tuple[str, list[str], str, dict[str, float]]) -> list[Operator]:
    made = fluid.Program().global_block()
    for type_, names, out, attrs in ops:
        for name in (*names, out):
            if name not in made.vars:
                made.create_var(name=name, shape=[2], dtype="float32")
        made.append_op(type_, {"X": names}, {"Out": [out]}, attrs)
    return list(made.ops)


def test_what_is_no_mean_of_pushed_gradients_stays() -> None:
    pushed = ["g0", "g1"]
    whole = block(("sum", pushed, "g", {}), ("scale", ["g"], "g", {"scale": 0.5}), ("relu", ["g"], "h", {}))
    mean, left = mean_at_first(whole, pushed)
    assert mean == Mean(("g0", "g1"), "g", 0.5) and [op.type for op in left] == ["relu"]
    assert mean_at_first(whole, ["g0"]) == (None, whole)
    shifted = block(("sum", pushed, "g", {}), ("scale", ["g"], "g", {"scale": 0.5, "bias": 1.0}))
    mean, left = mean_at_first(shifted, pushed)
    assert mean == Mean(("g0", "g1"), "g", 1.0) and [op.type for op in left] == ["scale"]
    again = block(("sum", pushed, "g", {}), ("relu", ["g1"], "h", {}))
    assert mean_at_first(again, pushed) == (None, again)
