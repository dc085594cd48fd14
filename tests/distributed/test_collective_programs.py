"""Collective operators in Programs between two processes: what each gives and its gradients, and training with the transpilers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import collective_job
import numpy as np
import pytest
import split_programs
import torch
from jobs import free_ports, run_together
from processes import ROOT

import paddle_compat as paddle

REAL = json.loads((ROOT / "tests/references/collective_answers_2.6.2.json").read_text())
X = [np.arange(8, dtype="float32").reshape(4, 2) + 10 * rank for rank in range(2)]
W = [np.arange(1, 9, dtype="float32").reshape(4, 2) * (1 + rank) for rank in range(2)]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What both processes answer, whom no environment variable calls a job."""
    ports = ",".join(map(str, free_ports(2)))
    words = [[str(ROOT / "tests/collective_job.py"), str(rank), ports] for rank in range(2)]
    said = run_together(words, [{}, {}], tmp_path_factory.mktemp("programs"))
    assert [status for status, _ in said] == [0, 0], said
    return [json.loads(next(line for line in text.splitlines() if line.startswith("{"))) for _, text in said]


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


CASES = ["line/sgd", "line/adam", "line/momentum", "words/sgd", "words/adam", "line/momentum/fleet", "line/adam/fleet collective"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("static_mode")
def test_two_processes_train_as_one_on_the_joined_batch(answers: list[dict[str, Any]], case: str) -> None:
    alone = collective_job.train(*case.split("/")[:2])
    both = [answer[f"joined/{case}"] for answer in answers]
    assert both[0]["begun"] == alone["begun"]
    assert (both[1]["begun"] == alone["begun"]) == (case != "line/momentum/fleet")  # there the first step begins with it
    for found in both:
        assert found["parameters"].keys() == alone["parameters"].keys()
        for name, value in alone["parameters"].items():
            np.testing.assert_allclose(found["parameters"][name], value, rtol=1e-6, atol=1e-6)
    assert np.mean([found["losses"] for found in both], 0) == pytest.approx(alone["losses"], rel=1e-5)
    assert both[0]["losses"] != both[1]["losses"]


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_batch_norm_over_all_ranks(answers: list[dict[str, Any]], data_format: str) -> None:
    both, alone = [answer[f"norm/{data_format}"] for answer in answers], collective_job.normalized(data_format, list(range(6)))
    for name in ("y", "x", "tested"):  # of samples
        np.testing.assert_allclose(np.concatenate([found[name] for found in both]), alone[name], rtol=1e-4, atol=1e-5)
    for name in ("weight", "bias"):  # of a rank's samples
        np.testing.assert_allclose(np.sum([found[name] for found in both], 0), alone[name], rtol=1e-4, atol=1e-5)
    for name in ("mean", "variance"):
        for found in both:
            np.testing.assert_allclose(found[name], alone[name], rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("static_mode")
def test_batch_norm_over_all_ranks_in_a_program(answers: list[dict[str, Any]]) -> None:
    both, alone = [answer["norm/program"] for answer in answers], collective_job.normalized_in_a_program(list(range(6)))
    np.testing.assert_allclose(np.concatenate([found[0] for found in both]), alone[0], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.sum([found[1] for found in both], 0), alone[1], rtol=1e-4, atol=1e-4)


def test_local_steps_and_means(answers: list[dict[str, Any]]) -> None:
    both = [answer["local/line/adam"] for answer in answers]
    names = ("fc_0.w_0", "fc_0.b_0", "fc_1.w_0", "fc_1.b_0")
    ranks = [[torch.tensor(both[0]["begun"][name], requires_grad=True) for name in names] for _ in range(2)]
    optimizers = [torch.optim.Adam(parameters, 0.1) for parameters in ranks]
    losses: list[list[float]] = [[], []]
    for step, batch in enumerate(collective_job.batches("line")):
        for rank, (parameters, optimizer) in enumerate(zip(ranks, optimizers)):
            x, y = (torch.from_numpy(value) for value in collective_job.half(batch, rank).values())
            w, b, v, c = parameters
            loss = (torch.tanh(x @ w + b) @ v + c - y).square().mean()
            losses[rank].append(loss.item())
            optimizer.param_groups[0]["lr"] = 0.1 * 0.5 ** (step / 3)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            for each in zip(*ranks):
                mean = torch.stack(each).mean(0)
                for parameter in each:
                    parameter.copy_(mean)
    for rank, found in enumerate(both):
        assert found["losses"] == pytest.approx(losses[rank], rel=1e-4)
        for name, parameter in zip(names, ranks[rank]):
            np.testing.assert_allclose(found["parameters"][name], parameter.detach(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("question", REAL)
def test_what_the_wheel_gives(answers: list[dict[str, Any]], question: str) -> None:
    assert [answer["wheel"][question] for answer in answers] == REAL[question]


def expected(rank: int) -> dict[str, Any]:
    """What a rank gets, by numpy."""
    mine, theirs, total, rows = X[rank], X[1 - rank], X[0] + X[1], np.concatenate(X)
    part, columns = slice(2 * rank, 2 * rank + 2), slice(rank, rank + 1)
    half_known = np.concatenate([np.zeros((2, 2)), theirs[2:]])
    wide = np.arange(16).reshape(4, 4)
    logits, label = np.concatenate(np.sin(X), 1), np.arange(4)
    softmax = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    ignored = (label == 1)[:, None]
    loss = np.where(ignored, 0, -np.log(softmax[label, label])[:, None])
    of_logits = np.where(ignored, 0, (softmax - np.eye(4))[:, 2 * rank : 2 * rank + 2] * W[rank][:, :1])
    ids = np.array([[0, 3], [4, 7]])
    here = (ids // 4 == rank)[..., None]
    of_table = np.zeros((4, 2))
    weights = np.stack([W[rank][:2], W[rank][2:]])
    for place, row in np.ndenumerate(ids):
        if row // 4 == rank:
            of_table[row % 4] += weights[place]
    return {
        "c_broadcast": X[1], "broadcast": X[1], "all_reduce": X[1], "reduce": total if rank == 1 else mine,
        "c_scatter": X[1][part], "all_gather": rows, "dist_concat": rows, "c_reducescatter": total[part],
        "reduce_scatter": total[part], "alltoall": np.concatenate([x[part] for x in X]),
        "all_to_all": np.concatenate([x[part] for x in X]), "barrier": mine, "c_sync_calc_stream": mine, "c_wait_comm": mine,
        "partial_allgather": np.concatenate([X[0][:2], X[1][2:]]),
        "recv_v2 False": theirs, "recv_v2 True": theirs, "partial_recv": half_known,
        "c_identity": (mine, W[0] + W[1]), "mp_allreduce_sum": (total, W[rank]),
        "c_concat": (np.concatenate(X, 1), wide[:, 2 * rank : 2 * rank + 2]),
        "c_split": (mine[:, columns], np.concatenate([w[:, :1] for w in W], 1)),
        "c_embedding": (np.where(here, mine[ids % 4], 0), of_table), "classes": (loss, of_logits),
    }  # fmt: skip


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("question", expected(0))
def test_operators(answers: list[dict[str, Any]], question: str, rank: int) -> None:
    found, wanted = answers[rank]["operators"][question], expected(rank)[question]
    if "recv" in question:
        (found,) = [answer for answer in found if answer is not None]
    for one, other in zip(found, wanted) if isinstance(wanted, tuple) else [(found, wanted)]:
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rank", [0, 1])
def test_refusals(answers: list[dict[str, Any]], rank: int) -> None:
    said = answers[rank]["operators"]
    assert "Expected nranks 2, as many as its ring has. Received: 3" in said["another number of ranks"]
    assert "`root`" in said["no root"] and "from 0 to 1. Received: 2" in said["no root"]
    assert "`peer`" in said["no peer"] and f"as this is rank {rank}" in said["no peer"]
    assert f"Expected rank {rank} of 2. Received: {rank} of 3" in said["ring 0 again"]


def test_two_replicas_in_each_of_two_processes(answers: list[dict[str, Any]]) -> None:
    x = np.arange(16.0).reshape(4, 4)  # the samples of each replica
    for rank in range(2):
        found, mine = answers[rank]["replicas"], slice(2 * rank, 2 * rank + 2)
        assert found["c_allgather"] == list(range(16)) * 2
        assert found["c_broadcast"] == x[2].tolist() * 2
        assert found["alltoall"] == x.T[mine].reshape(-1).tolist()
        assert found["c_allreduce_max"] == x[3].tolist() * 2
        assert found["ring 5"] == x.sum(0).tolist() * 2


MEETINGS = {
    "rows": ["c_split", "mp_allreduce_sum", "c_identity", "c_allgather"],
    "columns": ["c_identity", "c_concat", "c_split", "c_allreduce_sum"],
    "both": ["c_identity", "mp_allreduce_sum", "c_identity", "c_allreduce_sum"],
    "words": ["c_embedding", "mp_allreduce_sum", "c_identity", "c_embedding_grad"],
}  # as 2.6.2 writes them
APART = {"rows": {"w": 0}, "columns": {"w": 1, "b": 0}, "both": {"w": 1, "b": 0, "v": 0}, "words": {"table": 0}}  # and along which axis


@pytest.mark.parametrize("by_fleet", [False, True])
@pytest.mark.parametrize("net", MEETINGS)
@pytest.mark.usefixtures("static_mode")
def test_weights_that_processes_share_out(answers: list[dict[str, Any]], net: str, by_fleet: bool) -> None:
    alone, ranks = split_programs.answers(net, None), [answer[f"split/{net}"][by_fleet] for answer in answers]
    for rank, found in enumerate(ranks):
        assert found["apart"] == sorted(APART[net])
        np.testing.assert_allclose(found["y"], alone["y"], rtol=1e-6, atol=1e-6)
        if not by_fleet:
            assert found["operators"] == MEETINGS[net]
        for kind in ("gradients", "parameters"):
            assert found[kind].keys() == alone[kind].keys()
            for name, value in alone[kind].items():
                wanted = np.split(np.array(value), 2, APART[net][name])[rank] if name in APART[net] else value
                np.testing.assert_allclose(found[kind][name], wanted, rtol=1e-6, atol=1e-6, err_msg=name)


@pytest.mark.usefixtures("static_mode")
def test_what_cannot_be_shared_out_is_refused() -> None:
    split, fleet = paddle.distributed.split, paddle.distributed.fleet
    former = fleet.fleet._role_maker
    x, ids = paddle.static.data("x", [2, 4]), paddle.static.data("ids", [2, 3], "int64")
    try:
        fleet.fleet._role_maker = None
        with pytest.raises(AssertionError, match="fleet.init"):
            split(x, (4, 8), "linear", num_partitions=2)
        made = fleet.UserDefinedRoleMaker(
            is_collective=True, current_id=1, role=fleet.Role.WORKER, worker_num=2, worker_endpoints=["127.0.0.1:1", "127.0.0.1:2"]
        )
        made._generate_role()
        fleet.fleet._role_maker = made
        for wrong in (
            lambda: split(x, 4, "linear", num_partitions=2), lambda: split(x, (4, 8, 1), "linear", num_partitions=2),
            lambda: split(x, (4, 8), "conv", num_partitions=2), lambda: split(ids, (4, 8), "embedding", 1, 2),
            lambda: split(ids, (5, 8), "embedding", 0, 2), lambda: split(x, (5, 8), "linear", 0, 2),
            lambda: split(x, (4, 9), "linear", 1, 2),
        ):  # fmt: skip
            with pytest.raises(AssertionError):
                wrong()
        with pytest.raises(ValueError, match="axis"):
            split(x, (4, 8), "linear", axis=2, num_partitions=2)
        with pytest.raises(ValueError, match="num_partitions"):
            split(x, (4, 8), "linear", axis=1, num_partitions=4)
        with pytest.raises(TypeError, match="int64"):
            split(x, (4, 8), "embedding", num_partitions=2)
        with pytest.raises(ValueError, match="that 2 ranks divide"):
            split(paddle.static.data("odd", [2, 3]), (4, 8), "linear", num_partitions=2)
    finally:
        fleet.fleet._role_maker = former


def test_eager_mode_looks_at_what_is_asked_for_first() -> None:
    x = paddle.ones([2, 4])
    for size, operation in ((4, "linear"), ((4, 8, 1), "linear"), ((4, 8), "conv")):
        with pytest.raises(AssertionError):
            paddle.distributed.split(x, size, operation)
    with pytest.raises(ValueError, match="static mode"):
        paddle.distributed.split(x, (4, 8), "linear")
