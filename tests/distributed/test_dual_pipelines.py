"""Pipelines whose stages have a part forth and one back, against Paddle 3.3.1; gradients of weights that come later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.distributed.fleet.meta_parallel import ScheduleChunk, ScheduleNode, _schedules, zero_bubble_utils
from paddle_compat.distributed.fleet.meta_parallel.pp_utils.forward_backward_overlap_utils import detach_and_requires_grad

# of Paddle 3.3.1, whose stages sent by gloo's own messages in place of NCCL's
LOSSES = [[0.245344877243042], [0.39028722047805786], [0.3228675127029419]]
SUMS = [
    [-2.4756875, -0.00015197373, 0.38358903, 0.00023850883, -4.5529785, 0.0074290438, 2.6301625, 0.011438977],
    [1.428056, 0.00026147428, -1.0475744, 0.0005036955, -0.27889115, 0.0015645541, 1.2231327, 0.001441541],
]
CALLED_WITH = ["TTTTTTlTllTlTTlTllTl", "lTlTlTlTlTlTlTlT"]  # Tensors, or lists of them: by which also shows what comes first


def test_stages_are_the_wheels(tmp_path: Path) -> None:
    said = run_job(Path(__file__).with_name("dual_pipeline_job.py"), 2, arguments=[f"{tmp_path}/"], folder=tmp_path)
    assert [status for status, _ in said] == [0, 0], said
    for rank, (sums, seen, begins) in enumerate(zip(SUMS, CALLED_WITH, ((0, 6), (2, 4)))):
        told = json.loads((tmp_path / str(rank)).read_text())
        kinds = ("fc.bias", "fc.weight")
        assert told["names"] == [f"{begin}.{place}.{name}" for begin in begins for place in range(2) for name in kinds]
        assert (told["parts"], told["places"]) == ([0, 2, 4, 6, 8], [0, 0, 1, 1, 1, 1, 0, 0])
        assert told["kind"] == "DualPipeVParallel" and "accumulate_steps=3, num_ranks=2" in told["refused"]
        assert told["losses"] == [pytest.approx(loss, rel=1e-6) for loss in LOSSES]
        assert told["sums"] == pytest.approx(sums, rel=2e-6)
        assert "".join(kind[0] for kind in told["seen"]) == seen
        assert told["whole"] == [pytest.approx([0.3181842], rel=1e-6), 4 if rank == 0 else 0]


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_no_order_waits_for_itself(stages: int) -> None:
    for batches in (2 * stages, 2 * stages + 1, 4 * stages):
        orders = [_schedules.folded(stage, stages, batches) for stage in range(stages)]
        times = _schedules.ticks(orders, 2, True)
        wanted = [(way, micro, chunk) for way in (False, True) for micro in range(batches) for chunk in range(2)]
        for stage, order in enumerate(orders):
            assert sorted(map(tuple, order)) == wanted
            assert [now[stage] for now in times if now[stage] is not None] == order
    with pytest.raises(AssertionError, match="at least twice"):
        _schedules.folded(0, stages, 2 * stages - 1)


def test_parts_go_forth_and_back() -> None:
    assert [_schedules.number_of(stage, chunk, 3, True) for chunk in range(2) for stage in range(3)] == [0, 1, 2, 5, 4, 3]
    assert [_schedules.place_of(number, 3, True) for number in range(6)] == [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]


@pytest.fixture
def store() -> Iterator[Any]:
    yield zero_bubble_utils.WeightGradStore
    zero_bubble_utils.WeightGradStore.enabled = False
    zero_bubble_utils.WeightGradStore.clear()


def test_gradients_of_weights_come_later(store: Any) -> None:
    """As in Paddle 3.3.1."""
    paddle.seed(1)
    layer = zero_bubble_utils.SplitBWLinear(3, 2)
    x = paddle.arange(12, dtype="float32").reshape([2, 2, 3]) / 10
    x.stop_gradient = False
    layer(x).sum().backward()
    rows, first = [[1.8, 1.8], [2.2, 2.2], [2.6, 2.6]], x.grad
    assert layer.weight.grad.numpy() == pytest.approx(paddle.to_tensor(rows).numpy())
    assert layer.bias.grad.tolist() == [4.0, 4.0]
    layer.clear_gradients()
    x.clear_grad()
    store.enabled = True
    layer(x).sum().backward()
    assert float(layer.weight.grad.abs().sum()) == 0.0 and layer.bias.grad.tolist() == [4.0, 4.0]
    assert x.grad.tolist() == first.tolist() and (len(store.cache), store.funcs_queue.qsize()) == (1, 0)
    layer(x).sum().backward()
    store.flush()
    assert (len(store.cache), store.funcs_queue.qsize()) == (0, 1)
    store.pop()
    assert layer.weight.grad.numpy() == pytest.approx(2 * paddle.to_tensor(rows).numpy())
    with pytest.raises(AssertionError, match="pop empty queue"):
        store.pop()
    layer.weight.main_grad = paddle.zeros([3, 2], "float64")
    zero_bubble_utils.grad_weight_fn(x, layer.weight, paddle.ones([2, 2, 2]), inplace_update_grad=False)
    assert layer.weight.main_grad.dtype == paddle.float64 and float(layer.weight.main_grad.sum()) == pytest.approx(13.2)


def test_nodes() -> None:
    """As in Paddle 3.3.1."""
    x, ones = paddle.ones([2]), paddle.ones([2])
    x.stop_gradient = False
    node: Any = ScheduleNode(lambda a, labels: ((a - labels) ** 2).mean(), "loss")
    node.labels, node.scale_loss_factor = paddle.zeros([2]), 4
    assert float(node.forward(x)) == 0.25 and node.backward()[0].tolist() == [0.25, 0.25]
    assert (node.inputs, node.outputs, node.name) == (None, None, "loss")
    with pytest.raises(AssertionError, match="no backward pass has used"):
        node.backward()
    node = ScheduleNode(lambda a: (a[0] * 2, a[1] * 3))
    assert [out.stop_gradient for out in node.forward((x, ones))] == [False, True]
    assert [None if each is None else each.tolist() for each in node.backward((ones, None))] == [[2.0, 2.0], None]
    node.forward([x, x])
    with pytest.raises(AssertionError, match="Expected 2 gradients. Received: 1"):
        node.backward((ones,))
    node = ScheduleNode(lambda a: {"once": a["x"], "twice": a["x"]})
    chunk = ScheduleChunk([node, ScheduleNode(lambda a, scale=5.0: a["once"] * scale + a["twice"])])
    assert chunk.forward({"x": x}).tolist() == [6.0, 6.0]
    (found,) = chunk.backward(ones)
    assert found.tolist() == [6.0, 6.0] and x.grad is None
    with pytest.raises(AssertionError, match="Expected ScheduleNodes"):
        ScheduleChunk([None])
    assert detach_and_requires_grad([x, None])[1] is None and detach_and_requires_grad(ones).stop_gradient
