"""Random draws whose chances, or whose mask, are fewer than the numbers that they decide, as in Paddle 3.3.1."""

from __future__ import annotations

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
