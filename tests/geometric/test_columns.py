"""Numbers of nodes may come as columns, [N, 1], as Paddle 2.6.2 and 3.3.1 take them; the results are theirs."""

from __future__ import annotations

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
