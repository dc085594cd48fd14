"""What `viterbi_decode` makes of empty sequences; the figures are Paddle 2.6.2's."""

from __future__ import annotations

import pytest

import paddle_compat as paddle


@pytest.mark.parametrize("lengths, scores, path", [
    ([2, 0], [9.25, 3.25], [[2, 0], [0, 0]]),
    ([0, 2], [2.25, 12.25], [[0, 0], [2, 0]]),
])  # fmt: skip
def test_an_empty_sequence_begins_and_does_not_end(lengths: list[int], scores: list[float], path: list[list[int]]) -> None:
    emissions = paddle.to_tensor([[[1.0, 2.0, 0.5, 0.0], [0.0, 1.0, 0.0, 3.0]], [[0.5, 0.0, 2.5, 1.0], [1.0, 0.0, 0.0, 0.0]]])
    transitions = paddle.to_tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.0], [4.0, 0.25, 1.5, 0.75], [0.5, 0.25, 0.75, 1.0]])
    best = paddle.text.viterbi_decode(emissions, transitions, paddle.to_tensor(lengths))
    assert [value.tolist() for value in best] == [scores, path]
