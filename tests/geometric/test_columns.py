"""Numbers of nodes may come as columns, [N, 1], as Paddle 2.6.2 and 3.3.1 take them; the results are theirs."""

from __future__ import annotations

import numpy as np
import paddle_state
import pytest

import paddle_compat as paddle

G = paddle.geometric
X = paddle.to_tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
BEGINS, ENDS = paddle.to_tensor([[0], [1], [2]]), paddle.to_tensor([[1], [1], [0]])


def test_messages() -> None:
    assert G.send_u_recv(X, BEGINS, ENDS).tolist() == [[4.0, 5.0], [2.0, 4.0], [0.0, 0.0]]
    assert G.send_u_recv(X, BEGINS.flatten(), ENDS, "mean").tolist() == [[4.0, 5.0], [1.0, 2.0], [0.0, 0.0]]
    assert G.send_ue_recv(X, paddle.ones([3, 2]), BEGINS, ENDS, "add", "sum").tolist() == [[5.0, 6.0], [4.0, 6.0], [0.0, 0.0]]
    assert G.send_uv(X, X, BEGINS, ENDS, "add").tolist() == [[2.0, 4.0], [4.0, 6.0], [4.0, 6.0]]
    assert G.segment_sum(X, BEGINS).tolist() == X.tolist()


def test_subgraphs() -> None:
    nodes, neighbors = paddle.to_tensor([[0], [1]]), paddle.to_tensor([[2], [1], [0]])
    counts = paddle.to_tensor([[2], [1]], dtype="int32")
    assert [part.tolist() for part in G.reindex_graph(nodes, neighbors, counts)] == [[2, 1, 0], [0, 0, 1], [0, 1, 2]]
    row, pointers = paddle.to_tensor([[1], [2], [0]]), paddle.to_tensor([[0], [2], [3], [3]])
    assert [part.tolist() for part in G.sample_neighbors(row, pointers, nodes, 5)] == [[1, 2, 0], [2, 1]]


@pytest.mark.parametrize("shape", [[1, 3], [3, 1, 1]])
def test_other_shapes_are_refused(shape: list[int]) -> None:
    with pytest.raises(ValueError, match=r"\[N\] or \[N, 1\]"):
        G.send_u_recv(X, BEGINS.reshape(shape), ENDS.reshape(shape))


def test_a_recorded_sampler_numbers_as_many_nodes_as_it_was_given() -> None:
    with paddle_state.fresh_state():
        paddle.enable_static()
        row, pointers, nodes = (paddle.static.data(name, [size], "int64") for name, size in (("row", 13), ("pointers", 11), ("nodes", 4)))
        assert paddle.incubate.graph_khop_sampler(row, pointers, nodes, [5, 5])[3].shape == (4,)


@pytest.mark.parametrize("size", [-1, 0, 3, 12, 100])
def test_nodes_of_many_degrees_get_neighbours_of_their_own(size: int) -> None:
    random = np.random.RandomState(0)
    row, nodes = random.randint(0, 50, 600), random.randint(0, 50, 20)
    pointers = np.concatenate([[0], np.bincount(random.randint(0, 50, 600), minlength=50).cumsum()])
    given = [paddle.to_tensor(numbers) for numbers in (row, pointers, nodes)]
    found = G.sample_neighbors(*given, size, eids=paddle.to_tensor(np.arange(600)), return_eids=True)
    neighbours, counts, edges = (part.numpy() for part in found)
    for node, own, theirs in zip(nodes, np.split(edges, counts.cumsum()[:-1]), np.split(neighbours, counts.cumsum()[:-1])):
        every = np.arange(pointers[node], pointers[node + 1])
        assert len(set(own)) == len(own) == (len(every) if size < 0 else min(size, len(every)))
        assert set(own) <= set(every) and (row[own] == theirs).all()
        assert len(own) < len(every) or (own == every).all()


def test_neighbours_come_as_often_as_their_edges_weigh() -> None:
    paddle.seed(1)
    row, pointers = paddle.arange(4), paddle.to_tensor([0, 4])
    nodes, weights = paddle.zeros([4000], "int64"), paddle.to_tensor([1.0, 2.0, 3.0, 4.0])
    found = G.weighted_sample_neighbors(row, pointers, weights, nodes, 1)[0].numpy()
    np.testing.assert_allclose(np.bincount(found) / 4000, [0.1, 0.2, 0.3, 0.4], atol=0.03)
    found = G.sample_neighbors(row, pointers, nodes, 2)[0].numpy()
    np.testing.assert_allclose(np.bincount(found) / 4000, [0.5] * 4, atol=0.03)
