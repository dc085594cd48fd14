"""Random draws in which Paddle 3.3.1 shares chances and masks out, and whole numbers that it draws in place."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.nn import functional as F


def test_chances_spread_over_the_tensor() -> None:
    paddle.seed(1)
    x = paddle.zeros([2, 6]).bernoulli_(paddle.to_tensor([[0.1], [0.9]]))
    assert x.tolist() == [[1, 0, 0, 1, 0, 0], [1, 1, 1, 1, 1, 1]]
    paddle.seed(1)
    assert paddle.zeros([2, 6]).bernoulli_(paddle.to_tensor(0.1)).tolist() == [[1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0]]
    paddle.seed(1)
    x = paddle.zeros([6]).bernoulli_(paddle.full([6], 0.9, dtype="float64"))
    assert x.tolist() == [1, 1, 1, 1, 1, 0] and x.dtype == paddle.float32
    assert paddle.zeros([2, 1]).bernoulli_(paddle.full([2, 6], 0.9)).shape == [2, 6]


def test_sequences_of_a_batch_lose_the_same_channels(exact_random: None) -> None:
    for seed, kept in ((0, [0, 0, 2, 2]), (1, [0, 2, 2, 0]), (2, [2, 2, 0, 2])):
        paddle.seed(seed)
        assert F.dropout1d(paddle.ones([3, 4, 5]))[:, :, 0].tolist() == [kept] * 3
        paddle.seed(seed)
        assert F.dropout1d(paddle.ones([4, 5]))[:, 1].tolist() == kept


@pytest.mark.parametrize(
    ("dtype", "ends", "expected"),
    [
        ("int32", (0, 10), [7, 5, 8, 4]),
        ("int64", (5,), [2, 0, 3, 4]),
        ("float32", (-3, 4), [0, 1, -1, -3]),
        ("int32", (), [1774361027, 947117330, 1661165359, 700160941]),
        ("int64", (), [5761556218444793869, 2336792305036948641, 5832253765845170017, 474788691371231251]),
        ("int64", (-(2**63), 2**63 - 1), [-3461815818409981939, -6886579731817827167, 5832253765845170016, 474788691371231250]),
        ("int64", (0, 2**33), [3386394637, 2006447265, 1092794208, 2626553874]),
        ("float16", (), [13, 1185, 1888, 18]),
        ("float32", (), [14174221, 9958561, 2275168, 9308178]),
        ("float32", (0, 2**33), [3204542976, 3851177216, 5124877824, 5156395520]),
        ("float64", (), [5955894665299981, 3927698059031713, 4595848027748192, 6414330124699666]),
    ],
)
def test_whole_numbers_in_place(dtype: str, ends: tuple[int, ...], expected: list[int]) -> None:
    """What Paddle 3.3.1 draws after paddle.seed(0)."""
    paddle.seed(0)
    x = paddle.zeros([2, 2], dtype)
    assert x.random_(*ends) is x and x.flatten().tolist() == expected


def test_what_whole_numbers_in_place_refuse() -> None:
    whole, leaf = paddle.zeros([2], "int64"), paddle.to_tensor([1.0], stop_gradient=False)
    calls: list[tuple[Any, type[Exception]]] = [
        (lambda: whole.random_(5, 5), ValueError), (lambda: whole.random_(-1), ValueError), (lambda: whole.random_(None), TypeError),
        (lambda: whole.random_(1.5, 9.7), TypeError), (lambda: paddle.zeros([2], "int8").random_(), RuntimeError),
        (lambda: leaf.random_(), ValueError),
    ]  # fmt: skip
    for call, kind in calls:
        with pytest.raises(kind, match="Expected .* Received"):
            call()
