"""`moe_permute` and `moe_unpermute` against NumPy. Paddle 3.3.1 has them on GPUs only, so no wheel's numbers are here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError
from paddle_compat.nn import functional as F

TOKENS, WIDTH, EXPERTS, K = 7, 5, 4, 3
RANDOM = np.random.RandomState(3)
ROUTE = np.array([RANDOM.permutation(EXPERTS)[:K] for _ in range(TOKENS)], "int32")
ROUTE[1, 0] = ROUTE[4, 1] = -1
ROUTE[5] = -1
PROBABILITY = np.where(ROUTE < 0, 0, RANDOM.rand(TOKENS, K)).astype("float32")
X = RANDOM.rand(TOKENS, WIDTH).astype("float32")
COUNTS = [int((expert == ROUTE).sum()) for expert in range(EXPERTS)]


def permuted(align: int, total: int | None = None) -> tuple[Any, ...]:
    """Rows, where they are, probabilities and experts, one by one."""
    rows, places = [], np.full((TOKENS, EXPERTS), -1)
    padding = np.zeros(WIDTH, "float32"), np.float32(0), -1
    for expert in range(EXPERTS):
        for token, slot in np.argwhere(expert == ROUTE):
            places[token, expert] = len(rows)
            rows.append((X[token], PROBABILITY[token, slot], expert))
        rows += [padding] * (-len(rows) % align)
    rows += [padding] * ((total or 0) - len(rows))
    values, weights, experts = (np.array(each) for each in zip(*rows))
    return values, places, weights, experts


def given(kind: str = "float32") -> tuple[Any, Any, Any]:
    return paddle.to_tensor(X).astype(kind), paddle.to_tensor(ROUTE), paddle.to_tensor(PROBABILITY)


@pytest.mark.parametrize(("align", "total"), [(1, None), (4, None), (8, 40)])
def test_rows(align: int, total: int | None) -> None:
    x, route, probability = given()
    more = {"return_expert_indices": True, "override_buffer_size": total or -1}
    out = F.moe_permute(x, x[:, :2], route, probability, EXPERTS, COUNTS, align, **more)
    rows, places, weights, experts = permuted(align, total)
    for own, expected in zip(out, (rows, places, weights, rows[:, :2], experts)):
        np.testing.assert_array_equal(own.numpy(), expected)
    assert [value.dtype for value in out] == [paddle.float32, paddle.int32, paddle.float32, paddle.float32, paddle.int32]
    assert F.moe_permute(x, None, route, probability, EXPERTS, COUNTS, align)[3:] == (None,)


@pytest.mark.parametrize("weighted", [False, True])
def test_there_and_back(weighted: bool) -> None:
    x, route, probability = given()
    x.stop_gradient = probability.stop_gradient = False
    rows, places, weights, _ = F.moe_permute(x, None, route, probability, EXPERTS, COUNTS, 4)
    rows = rows if weighted else rows * weights.unsqueeze(-1)
    back, own = F.moe_unpermute(rows, places, route, weights, TOKENS, EXPERTS, using_weighted_combine=weighted)
    np.testing.assert_array_equal(own.numpy(), PROBABILITY)
    shares = PROBABILITY.sum(1, keepdims=True)
    np.testing.assert_allclose(back.numpy(), X * shares, rtol=1e-5, atol=1e-7)
    (back * back).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * X * shares**2, rtol=1e-5, atol=1e-7)
    expected = np.where(ROUTE < 0, 0, 2 * (X**2).sum(1, keepdims=True) * shares)
    np.testing.assert_allclose(probability.grad.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_other_data_types() -> None:
    x, route, probability = given("bfloat16")
    rows, places, weights, _ = F.moe_permute(x, None, route, probability, EXPERTS, COUNTS, 2)
    assert rows.dtype == paddle.bfloat16
    for mixed in (True, False):
        back, _ = F.moe_unpermute(rows, places, route, weights, TOKENS, EXPERTS, mixed)
        assert back.dtype == paddle.bfloat16
        number = (ROUTE >= 0).sum(1, keepdims=True)
        np.testing.assert_allclose(back.astype("float32").numpy(), x.astype("float32").numpy() * number, rtol=2e-2)
    eight = paddle.to_tensor(X).astype("float8_e4m3fn")
    rows, *_ = F.moe_permute(eight, x[:, :1].astype("float32"), route, probability, EXPERTS, COUNTS, 2)
    assert rows.dtype == paddle.float8_e4m3fn
    np.testing.assert_allclose(rows.astype("float32").numpy(), permuted(2)[0], atol=0.04)


def test_wrong_use() -> None:
    x, route, probability = given()
    with pytest.raises(ValueError, match=r"`tokens_per_expert` of `moe_permute`. Expected the counts of expert_routemap_topk"):
        F.moe_permute(x, None, route, probability, EXPERTS, [1, 1, 1, 1], 2)
    with pytest.raises(ValueError, match=r"`override_buffer_size` of `moe_permute`. Expected \d+ or more. Received: 3"):
        F.moe_permute(x, None, route, probability, EXPERTS, COUNTS, 2, override_buffer_size=3)
    with pytest.raises(UnsupportedError, match="do_gather=False"):
        F.moe_permute(x, None, route, probability, EXPERTS, COUNTS, 2, do_gather=False)
    with pytest.raises(ValueError, match=r"`zipped_expertwise_rowmap` .* Expected shape \[7, 4\]. Received: \[7, 3\]"):
        F.moe_unpermute(paddle.ones([4, 2]), paddle.zeros([7, 3], "int32"), route, paddle.ones([4]), TOKENS, EXPERTS)
