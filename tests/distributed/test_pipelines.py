"""Models in stages: as Paddle 2.6.2 trains them on two processes by gloo, as a whole model trains, and what they are made of."""

from __future__ import annotations

import gzip
import json
import math
import os
from typing import Any

import pytest
from jobs import run_job
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.meta_parallel import _schedules
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import SegmentLayers
from paddle_compat.distributed.fleet.meta_parallel.pp_utils import utils
from paddle_compat.distributed.fleet.utils import timer_helper
from paddle_compat.nn import functional as F

meta = fleet.meta_parallel
WHEEL = json.loads(gzip.decompress((ROOT / "tests/references/pipelines_2.6.2.json.gz").read_bytes()))
PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests/models")))
BAD = "ValueError: the third batch is a bad one"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("stages")
    said = run_job(ROOT / "tests/distributed/pipeline_job.py", 2, arguments=[f"{folder}/"], folder=folder, PYTHONPATH=PATH)
    assert [status for status, _ in said] == [0, 0], said
    return [json.loads((folder / str(rank)).read_text()) for rank in range(2)]


def same(found: Any, right: Any, where: str) -> None:
    """Equal, numbers nearly."""
    if isinstance(right, (list, dict)):
        assert type(found) is type(right) and len(found) == len(right), where
        for key in right if isinstance(right, dict) else range(len(right)):
            same(found[key], right[key], f"{where}/{key}")
    elif isinstance(right, float):
        assert math.isclose(found, right, rel_tol=2e-5, abs_tol=2e-6), (where, found, right)
    else:
        assert found == right, (where, found, right)


@pytest.mark.parametrize("case", list(WHEEL[0]))
def test_stages_are_the_wheels(two: list[dict[str, Any]], case: str) -> None:
    for rank, each in enumerate(two):
        same(each["asked"][case], WHEEL[rank][case], f"{case} on {rank}")


def test_steps_are_those_of_a_whole_model(two: list[dict[str, Any]]) -> None:
    """The job has compared the numbers."""
    kinds = ["PipelineParallel"] * 6 + ["PipelineParallelWithInterleave", "PipelineParallelWithInterleaveFthenB"]
    for rank, each in enumerate(two):
        shapes = [[4] if place == 3 else [1] if rank == 0 else [] for place in range(8)]
        counts = [4, 1, 5, 4, 4, 4, 4, 3]
        assert each["beside"] == [[kind, shape, [[2, 5, 12]] * count * rank] for kind, shape, count in zip(kinds, shapes, counts)]


def test_a_stage_that_fails_lets_the_other_know(two: list[dict[str, Any]]) -> None:
    """And both go on with the next batch."""
    lost = "UnavailableError: Stage {} of this pipeline failed. Expected what it makes. Received: " + BAD
    for rank, each in enumerate(two):
        assert [said[0] for said in each["failed"]] == [BAD if rank == stage else lost.format(stage) for stage in range(2)]
        assert each["step"][2][0] == (BAD if rank == 1 else lost.format(1))
    assert [said[1] for said in two[0]["failed"]] == [said[1] for said in two[1]["failed"]]


def test_stages_that_send_and_receive_together(two: list[dict[str, Any]]) -> None:
    """As NCCL wants it; the job has compared the numbers."""
    for each in two:
        assert [said[0] for said in each["step"][:2]] == ["PipelineParallel", "PipelineParallelWithInterleave"]


def test_hooks_and_several_losses(two: list[dict[str, Any]]) -> None:
    forward, backward = (
        [[f"{way}_begin {n} {few}", f"{way}_end {n} {few + 1}"] for n in range(2)] for way, few in (("forward", 2), ("backward", 4))
    )
    orders = [[*forward, *backward], [forward[0], backward[0], forward[1], backward[1]]]
    for each, order in zip(two, orders):
        assert each["hooks"] == [*(told for pair in order for told in pair), *two[0]["hooks"][-2:]]


@pytest.mark.parametrize(
    ("sizes", "right"),  # of the wheel
    [
        ((2, 4, 2, 4), "f0_vp0;f1_vp0;f2_vp0;f3_vp0;f0_vp1;f1_vp1;f2_vp1;b0_vp1;f3_vp1;b1_vp1;b2_vp1;b3_vp1;b0_vp0;b1_vp0;b2_vp0;b3_vp0;"),
        (
            (0, 3, 2, 6),
            "f0_vp0;f1_vp0;f2_vp0;f0_vp1;f1_vp1;f2_vp1;f3_vp0;f4_vp0;b0_vp1;f5_vp0;b1_vp1;f3_vp1;b2_vp1;f4_vp1;b0_vp0;f5_vp1;b1_vp0;b2_vp0;"
            "b3_vp1;b4_vp1;b5_vp1;b3_vp0;b4_vp0;b5_vp0;",
        ),
    ],
)
def test_orders_of_several_parts(sizes: tuple[int, int, int, int], right: str) -> None:
    assert _schedules.shown(_schedules.interleaved(*sizes), True) == right
    with pytest.raises(AssertionError, match="evenly divisible"):
        _schedules.interleaved(0, 4, 2, 6)


@pytest.mark.parametrize("stages", [1, 2, 3, 5])
@pytest.mark.parametrize("chunks", [1, 2, 3])
@pytest.mark.parametrize("order", [_schedules.one_by_one, _schedules.interleaved, _schedules.forward_then_backward])
def test_no_order_waits_for_itself(order: Any, stages: int, chunks: int) -> None:
    chunks = 1 if order is _schedules.one_by_one else chunks
    for batches in (stages, 4 * stages) if order is _schedules.interleaved else (1, stages, 4 * stages + 1):
        orders = [order(stage, stages, chunks, batches) for stage in range(stages)]
        times = _schedules.ticks(orders, chunks)
        for stage in range(stages):
            assert [now[stage] for now in times if now[stage] is not None] == orders[stage]
            assert sorted(orders[stage]) == sorted(
                _schedules.Turn(way, micro, chunk) for way in (True, False) for micro in range(batches) for chunk in range(chunks)
            )
    with pytest.raises(AssertionError, match="wait for one another"):
        _schedules.ticks([[_schedules.Turn(False, 0), _schedules.Turn(True, 0)], [_schedules.Turn(True, 0), _schedules.Turn(False, 0)]], 1)


class Encoder(nn.Layer):
    """What a list is cut by."""


KINDS = [meta.LayerDesc(nn.ReLU), meta.LayerDesc(Encoder), meta.LayerDesc(Encoder), F.relu, Encoder(), Encoder(), nn.Linear(2, 2)]


@pytest.mark.parametrize(
    ("parts", "method", "right"),
    [
        (3, "uniform", [0, 2, 4, 7]), (4, "uniform", [0, 1, 3, 5, 7]), (7, "uniform", list(range(8))), (2, "layer:Encoder", [0, 3, 7]),
        (4, "layer:encod", [0, 2, 3, 5, 7]), (2, "layer:relu", [0, 1, 7]), (1, "layer:Linear", [0, 7]), (2, [0, 5], [0, 5, 7]),
        (2, [0, 5, 6], [0, 5, 6]),
    ],
)  # fmt: skip
def test_where_lists_are_cut(parts: int, method: Any, right: list[int]) -> None:
    assert SegmentLayers(KINDS, parts, method).do_segment() == right


@pytest.mark.parametrize(
    ("parts", "method", "error", "said"),
    [
        (3, "layer:Encoder", AssertionError, r"layers \(4\) should be divided by part number\(3\)"),
        (2, "layer:Decoder", AssertionError, "length should be greater than 0"),
        (8, "uniform", AssertionError, "greater than number of segments"),
        (2, "halves", ValueError, "method halves is not supported"), (2, [1, 3], AssertionError, r"seg_method\[0\] should be 0"),
        (2, [0, 9], AssertionError, r"part\[9\] should be less than num_items\[7\]"),
        (2, [0, 3, 7, 7], ValueError, "this length is 4, but the number of stages is 2"),
    ],
)  # fmt: skip
def test_lists_that_cannot_be_cut(parts: int, method: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        SegmentLayers(KINDS, parts, method).do_segment()


def test_layers_by_their_description() -> None:
    spec = meta.LayerSpec(nn.Linear, {"bias_attr": False})
    assert repr(spec).endswith("{'bias_attr': False}") and spec == meta.LayerSpec(nn.Linear, {"bias_attr": False})
    assert meta.build_spec_layer(spec, 2, 3).bias is None and meta.LayerDesc(spec, 2, out_features=3).build_layer().bias is None
    assert meta.build_spec_layer(meta.LayerSpec(("paddle_compat.nn", "Linear")), 2, 3).weight.shape == [2, 3]
    assert meta.build_spec_layer(F.relu, 1) is meta.get_spec_layer(F.relu) is F.relu
    with pytest.raises(TypeError, match="when instantiating Linear"):
        meta.build_spec_layer(spec, 2)
    with pytest.raises(KeyError):
        meta.import_spec_layer(("paddle_compat.nn", "Lineal"))
    for wrong in (3, "Linear", dict, F.relu, nn.Linear(2, 2)):
        with pytest.raises(TypeError, match="derived class of Layer"):
            meta.LayerDesc(wrong)


def test_dicts_between_stages() -> None:
    one, other = paddle.ones([2]), paddle.zeros([3])
    parts = meta.dict_to_tuple_helper({"x": one, "masks": (one + 1, other)})
    back, was = utils.tuple_to_dict_helper(parts)
    assert was and [each.shape for each in back["masks"]] == [[2], [3]] and back["x"] is one
    plain = paddle.ones([1])
    assert meta.dict_to_tuple_helper(plain) is plain and utils.tuple_to_dict_helper(plain) == (plain, False)
    with pytest.raises(AssertionError):
        utils.paddle_2_number(paddle.complex64)


def test_several_parts_in_one_process() -> None:
    strategy = fleet.DistributedStrategy()
    strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 3}
    strategy.hybrid_configs = {"pp_configs": {"best_unbalanced_scheduler": True}}
    fleet.init(is_collective=True, strategy=strategy)
    groups, layers = fleet.get_hybrid_communicate_group(), [meta.LayerDesc(nn.Linear, 4, 4), F.tanh, meta.LayerDesc(nn.Linear, 4, 1)]
    shared = [meta.LocalSharedLayerDesc("same", nn.Linear, None, "weight", 4, 4)] * 2
    data, right = [paddle.rand([6, 4]), paddle.rand([6, 1])], []
    for kind in (None, meta.VPPFhenBInBalancedMemory, meta.PipelineParallelWithInterleave):
        parts = {"num_virtual_pipeline_stages": 2, "seg_method": "layer:Linear"} if kind else {}
        net = meta.PipelineLayer([*shared, *layers, nn.Identity()], num_stages=1, loss_fn=nn.MSELoss(), **parts)
        assert len(net.parameters()) == 6 and sum("local_shared_layers.same" in name for name in net.state_dict()) == 2
        model: Any = kind(net, groups, strategy) if kind else fleet.distributed_model(net)
        assert kind or isinstance(model, meta.NoPipelineParallel)
        sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        losses = [float(model.train_batch(data, sgd)) for _ in range(3)]
        right = right or losses
        assert losses == pytest.approx(right, rel=1e-6) and losses[2] < losses[0]
        if kind:
            assert model.forward_backward_pipeline(data, forward_only=True).shape == []
            assert isinstance(meta.pipeline_parallel.chosen(net, groups, strategy), meta.VPPFhenBInBalancedMemory)
            plain = fleet.distributed_model(net)
            before = float(model.eval_batch(data, compute_loss=True))
            assert float(plain.train_batch(data, sgd)) == pytest.approx(before, rel=1e-5)
            assert plain.get_static_scheduler() == "f0_vp0;f0_vp1;b0_vp1;f1_vp0;b0_vp0;f1_vp1;b1_vp1;b1_vp0;"
            model.set_virtual_pipeline_rank(1)
            assert (model.is_pipeline_first_stage(), model.is_pipeline_last_stage(), model.is_pipeline_first_stage(True)) == (
                False,
                True,
                True,
            )
            with pytest.raises(PermissionError, match="cannot be called directly"):
                net.get_model_chunks()[0](data[0])
    with pytest.raises(AssertionError, match="length of input should be 2"):
        model.train_batch([data[0]], sgd)
    with pytest.raises(AssertionError, match="loss function 3 should exist"):
        model.train_batch(data, sgd, loss_fn_idx=3)
    with pytest.raises(AssertionError, match="Invalid location 'x'"):
        model.register_hook("x", print)
    with pytest.raises(AssertionError, match="an instance of PipelineLayer"):
        meta.pipeline_parallel.chosen(nn.Linear(2, 2), groups, strategy)
    strategy.hybrid_configs = {"pp_configs": {"use_dualpipev": True}}
    with pytest.raises(AssertionError, match="use_dualpipev"):
        meta.pipeline_parallel.chosen(net, groups, strategy)


def test_timers_of_a_pipeline(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timer_helper, "_GLOBAL_TIMERS", None)  # as in a process in which nobody has asked for them
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"pp_configs": {"enable_timer": True}}
    fleet.init(is_collective=True, strategy=strategy)
    net = meta.PipelineLayer([nn.Linear(2, 1)], num_stages=1, loss_fn=nn.MSELoss())
    model = meta.PipelineParallel(net, fleet.get_hybrid_communicate_group(), strategy)
    model.train_batch([paddle.ones([1, 2]), paddle.ones([1, 1])], paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    assert "time (ms) | forward_step: " in capsys.readouterr().out
