"""A DistModel's `Strategy` on one and two processes: sharding, mixed precision, gradient merge and recomputing, as in eager mode."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from jobs import run_job

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat import nn
from paddle_compat.distributed.auto_parallel import interface
from paddle_compat.errors import UnsupportedError

JOB = Path(__file__).with_name("dist_model_strategy_job.py")
CASES = ("sharding", "amp", "merge", "again", "scaled", "norms", "planned", "together")


@cache
def results(count: int, cases: tuple[str, ...] = CASES) -> list[dict[str, Any]]:
    """What each process of a job found."""
    with TemporaryDirectory() as folder:
        said = run_job(JOB, count, arguments=cases, folder=Path(folder), seconds=120, PADDLE_COMPAT_CPU="1")
    assert all(status == 0 for status, _ in said), "\n".join(text[-3000:] for _, text in said)
    return [json.loads(text.split("RESULT ", 1)[1].splitlines()[0]) for _, text in said]


COUNTS = pytest.mark.parametrize("count", [1, 2])
# what each stage sends: a gradient goes at once to the states, which are cut from the first stage on, and the loss is one sum more
SENT = {"reduce_scatter": 4, "all_gather": 4, "all_reduce": 1}


@COUNTS
def test_sharding(count: int) -> None:
    """States are cut along the dimension of the mesh that cuts samples; settings of speed and a larger degree change nothing."""
    for found in results(count):
        for stage, case in found["sharding"]["found"].items():
            np.testing.assert_allclose(case["losses"], found["sharding"]["eager"], atol=1e-6, rtol=0)
            assert case["moments"] == [["[Shard(dim=0)]", [16 // count, 16]], ["[Shard(dim=0)]", [16 // count, 8]]]
            assert case["weights"] == (["[Shard(dim=0)]"] if stage == "3" else ["[Replicate()]"]) * 2
            assert Counter(case["sent"]) == (SENT if count > 1 else {})


@COUNTS
def test_mixed_precision(count: int) -> None:
    """In bfloat16: the casts that eager mode makes; master copies lie as their parameters, which keep their data type."""
    for found in results(count):
        for name, case in found["amp"]["found"].items():
            kind, level = name.split()
            # sums of products in bfloat16 are rounded once more where two processes share them
            np.testing.assert_allclose(case["losses"], found["amp"]["eager"][level], atol=2e-3 if count > 1 else 1e-6, rtol=0)
            casts, kinds = case["shown"]
            assert casts == {"o1": 11, "master": 7, "lists": 4}[level]
            assert kinds[:2] == (["paddle.float32", "paddle.bfloat16"] if level == "lists" else ["paddle.bfloat16"] * 2)
            lie = ["[Replicate()]", "[Shard(dim=1)]", "[Replicate()]", "[Shard(dim=0)]"] if kind == "model" else ["[Replicate()]"] * 4
            assert case["masters"] == ([["paddle.float32", way] for way in lie] if level == "master" else [])


# what the 3.3.1 wheel returns on one process for two parts of each batch, averaged and added up
PARTS = {
    "True": [[0.60692954, 0.5972669], [0.46543363, 0.46520042], [0.37388557, 0.3744846]],
    "False": [[0.60692954, 0.5972669], [0.35834086, 0.35670304], [0.25724238, 0.2433207]],
}


@COUNTS
def test_gradient_merge(count: int) -> None:
    """A call is several passes over parts of its batch and one update; processes meet for gradients once."""
    for found in results(count):
        merge = found["merge"]
        for avg, wheel in PARTS.items():
            np.testing.assert_allclose(merge["eager"][avg], wheel, atol=1e-6, rtol=0)
            np.testing.assert_allclose(merge["found"][f"model {avg}"]["losses"], wheel, atol=1e-6, rtol=0)
            assert merge["found"][f"model {avg}"]["sent"] == (["all_reduce", "all_gather"] if count > 1 else [])
        # each process divides its own samples, so that the parts are others
        own = merge["found"]["data False"]
        np.testing.assert_allclose(np.mean(own["losses"], 1), np.mean(PARTS["False"], 1), atol=1e-6, rtol=0)
        assert own["sent"] == (["all_reduce"] * 5 if count > 1 else [])
        # where values decide what runs, all collectives are known once it has run
        picked = merge["found"]["picked"]
        np.testing.assert_allclose(picked["losses"], picked["eager"], atol=1e-6, rtol=0)
        assert count == 1 or len(picked["early"]) < len(picked["sent"]) and picked["sent"][-1] == "all_gather"
        assert merge["evaluated"] < np.mean(PARTS["False"][-1])


@COUNTS
def test_loss_scaling(count: int) -> None:
    """In float16, with sharding and with gradient merge: where one process meets something infinite, all leave the step out."""
    for found in results(count):
        for kind, case in found["scaled"]["found"].items():
            losses, factors = zip(*case["steps"])
            assert factors == pytest.approx((2048.0, 2048.0 * 0.8, 4096.0 * 0.8)) and not np.isfinite(losses[1])
            np.testing.assert_allclose([losses[0], losses[2]], found["scaled"]["eager"], atol=1e-6, rtol=0)
            # one more sum than without scaling: which gradients are finite
            sums = {"data": 2, "model": 2}[kind]
            assert count == 1 or Counter(case["sent"])["all_reduce"] == sums


@COUNTS
def test_norms_are_those_of_all_pieces(count: int) -> None:
    """Two numbers for each cut parameter (lamb, lars), or one for each cut gradient, travel besides what a step sends anyway."""
    for found in results(count):
        for name, case in found["norms"].items():
            np.testing.assert_allclose(case["losses"], case["eager"], atol=1e-6, rtol=0, err_msg=name)
            assert Counter(case["sent"]) == ({"all_reduce": 3, "all_gather": 1} if count > 1 else {})


@COUNTS
def test_plans_lay_out_what_layers_give(count: int) -> None:
    """What `parallelize` puts together is put together here, too, once."""
    for found in results(count):
        case = found["planned"]
        np.testing.assert_allclose(case["losses"], case["eager"], atol=1e-6, rtol=0)
        assert Counter(case["sent"]) == ({"all_reduce": 1, "all_gather": 2} if count > 1 else {})


@COUNTS
def test_bfloat16_and_gradient_merge(count: int) -> None:
    for found in results(count):
        case = found["together"]
        np.testing.assert_allclose(case["losses"], case["eager"], atol=2e-3 if count > 1 else 1e-6, rtol=0)
        assert Counter(case["sent"]) == ({"all_reduce": 1, "all_gather": 1} if count > 1 else {})


@COUNTS
def test_recompute(count: int) -> None:
    """What `recompute()` was called with runs again, but for what draws; it needs the strategy's word for it, as in the wheel."""
    for found in results(count):
        case = found["again"]
        assert case["again"]["losses"] == pytest.approx(case["kept"]["losses"], abs=1e-7)
        assert case["called"] == case["kept"]
        assert case["kept"]["counts"][:4] == [2, 1, 1, 1] and case["again"]["counts"][:4] == [3, 2, 2, 1]
        assert case["again"]["counts"][4] == case["kept"]["counts"][4]
        # tanh's result is what is no longer kept
        assert case["kept"]["held"] - case["again"]["held"] == 4 * 16 // count * 4


@pytest.mark.slow
def test_compiled_graph() -> None:
    """`FLAGS_use_cinn` hands a process's graph to inductor: the same losses, the same calls."""
    for found in results(2, ("compiled",)):
        plain, made = found["compiled"]["found"]
        assert found["compiled"]["compiled"] and made["losses"] == pytest.approx(plain["losses"], abs=1e-6)
        assert made["calls"] == plain["calls"] == ["all_reduce", "all_gather_into_tensor"] and made["sent"] == plain["sent"]
        for plain, made in found["compiled"]["together"].values():
            np.testing.assert_allclose(made, plain, atol=1e-6, rtol=0)


def parts() -> tuple[Any, ...]:
    """A layer, a loader, a loss and an optimizer."""
    layer = nn.Linear(4, 2)
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 4]), paddle.zeros([4, 2])]), batch_size=4)
    return layer, loader, nn.MSELoss(), paddle.optimizer.SGD(0.1, parameters=layer.parameters())


@pytest.mark.parametrize(("settings", "kind", "words"), [
    ({"gradient_merge": {"enable": True, "k_steps": 3}}, AssertionError, "3 divides"),
    ({"gradient_merge": {"enable": True, "k_steps": 0}}, AssertionError, "k_steps"),
    ({"amp": {"enable": True, "level": "o7"}}, ValueError, "level should be O0, OD, O1 or O2"),
    ({"amp": {"enable": True, "dtype": "int8"}}, ValueError, "'float16' or 'bfloat16'"),
    ({"amp": {"enable": True, "dtype": "bfloat16", "custom_white_list": ["relu"], "custom_black_list": ["relu"]}}, ValueError, "overlap"),
    ({"sharding": {"enable": True, "stage": 4}}, ValueError, "stage"),
    ({"sharding": {"enable": True, "degree": "all"}}, ValueError, "degree"),
    ({"pipeline": {"enable": True, "accumulate_steps": 0}}, AssertionError, "accumulate_steps"),
    ({"recompute": {"enable": True}}, AssertionError, "recompute"),
    ({"recompute": {"enable": True, "refined_ops_patterns": [{}]}}, UnsupportedError, "refined_ops_patterns"),
], ids=lambda value: next(iter(value)) if isinstance(value, dict) else "")  # fmt: skip
def test_settings_that_cannot_be(settings: dict[str, Any], kind: type[Exception], words: str) -> None:
    """Kinds of errors are those of the 3.3.1 wheel, which does not look at sharding's."""
    with pytest.raises(kind, match=words):
        dist.to_static(*parts(), dist.Strategy(settings))


def test_settings_that_change_no_number() -> None:
    """Passes that join operators are accepted; without `full_graph` the layer is recorded alone, as in the wheel."""
    layer, loader, loss, optimizer = parts()
    fused = dist.Strategy({"fused_passes": {"enable": True, "gemm_epilogue": True, "dropout_add": True}, "sharding": {"enable": True}})
    assert dist.to_static(layer, loader, loss, optimizer, fused)._mode == "train"
    layer, *others = parts()
    recorded = dist.to_static(layer, *others, dist.Strategy({"full_graph": False}))
    assert recorded is layer and recorded(paddle.ones([1, 4])).shape == [1, 2]


def test_stage_without_a_mesh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its own nor that of `set_mesh`."""
    monkeypatch.setattr(interface, "_mesh", None)
    with pytest.raises(ValueError, match="`mesh` of `ShardingStage1`"):
        dist.shard_optimizer(parts()[-1], dist.ShardingStage1("dp"))
