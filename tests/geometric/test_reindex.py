"""Nodes numbered anew; what is expected is what Paddle 2.6.2 gives."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle

G = paddle.geometric


def reindexed(nodes: list[int], neighbors: list[int], counts: list[int], times: int = 1, dtype: str = "int64") -> list[list[int]]:
    x, near = (np.array(numbers, dtype) * times for numbers in (nodes, neighbors))
    found = G.reindex_graph(paddle.to_tensor(x), paddle.to_tensor(near), paddle.to_tensor(counts, dtype="int32"))
    assert all(part.dtype == getattr(paddle, dtype) for part in found)
    return [part.tolist() for part in found]


@pytest.mark.parametrize("times", [1, 10**9])
def test_nodes_come_after_the_centres_as_they_are_met(times: int) -> None:
    source, target, nodes = reindexed([5, 1, 2], [7, 7, 1, 5, 9, 7], [2, 2, 2], times)
    assert source == [3, 3, 1, 0, 4, 3]
    assert target == [0, 0, 1, 1, 2, 2]
    assert nodes == [times * node for node in (5, 1, 2, 7, 9)]


def test_int32() -> None:
    assert reindexed([5, 1], [7, 1], [1, 1], 100_000_000, "int32") == [[2, 1], [0, 1], [500_000_000, 100_000_000, 700_000_000]]


def test_edges_know_the_later_one_of_two_equal_centres() -> None:
    assert reindexed([0, 1, 0], [1, 2, 0, 5], [2, 1, 1]) == [[1, 3, 2, 4], [2, 2, 1, 2], [0, 1, 0, 2, 5]]
    assert reindexed([3, 3], [3, 4], [1, 1]) == [[1, 2], [1, 1], [3, 3, 4]]


def test_several_graphs_over_the_same_centres() -> None:
    x, counts = paddle.to_tensor([4, 2]), [paddle.to_tensor(c, dtype="int32") for c in ([1, 1], [2, 0])]
    found = G.reindex_heter_graph(x, [paddle.to_tensor([9, 4]), paddle.to_tensor([2, 8])], counts)
    assert [part.tolist() for part in found] == [[2, 0, 1, 3], [0, 1, 0, 0], [4, 2, 9, 8]]
