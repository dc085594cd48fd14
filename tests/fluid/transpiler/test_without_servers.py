"""Trainers without servers, by `DistributeTranspiler` alone: two processes, of which no environment speaks, train as one does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import jobs
import numpy as np
import pytest
from models.references import paddle_is_ours
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

HERE = ROOT / "tests/fluid/transpiler"
MODES = ("nccl2", "grad_allreduce", "local_sgd")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What both trainers say."""
    endpoints = ",".join(f"127.0.0.1:{port}" for port in jobs.free_ports(2))
    words = [["-m", "paddle_compat", str(HERE / "trainers_job.py"), str(number), endpoints] for number in range(2)]
    said = jobs.run_together(words, [{"CPU_NUM": "1"}] * 2, tmp_path_factory.mktemp("trainers"))
    assert [status for status, _ in said] == [0, 0], said
    return [json.loads(text.splitlines()[-1]) for _, text in said]


@pytest.fixture
def job() -> Iterator[Any]:
    sys.path.insert(0, str(HERE))
    paddle.enable_static()
    with paddle_is_ours():
        import trainers_job

        yield trainers_job
    sys.path.remove(str(HERE))
    paddle.disable_static()


@pytest.mark.parametrize("mode", MODES)
def test_two_trainers_train_as_one_on_the_joined_batch(answers: list[Any], job: Any, mode: str) -> None:
    alone = job.train(mode, 0, [])
    losses = np.mean([answer[mode]["losses"] for answer in answers], axis=0)
    np.testing.assert_allclose(losses, alone["losses"], rtol=1e-5)
    for answer in answers:
        assert answer[mode]["parameters"].keys() == alone["parameters"].keys()
        for name, value in alone["parameters"].items():
            np.testing.assert_allclose(answer[mode]["parameters"][name], value, rtol=1e-5, atol=1e-6, err_msg=name)


def transpiled(number: int = 0, trainers: Any = "127.0.0.1:6174,127.0.0.1:6175", own: str = "127.0.0.1:6174", **said: Any) -> Any:
    """A startup Program and the transpiler that wrote it."""
    main, startup = fluid.Program(), fluid.Program()
    config = fluid.DistributeTranspilerConfig()
    for name, value in said.items():
        setattr(config, name, value)
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3]), 1)))
        made = fluid.DistributeTranspiler(config)
        made.transpile(number, trainers=trainers, current_endpoint=own)
    assert made.get_trainer_program() is main
    return main, startup


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({}, ["NCCLID"]),
        ({"nccl_comm_num": 2}, ["NCCLID", "NCCLID_1"]),
        (
            {"use_hierarchical_allreduce": True, "hierarchical_allreduce_inter_nranks": 2},
            ["NCCLID", "Hierarchical_inter_NCCLID_0", "Hierarchical_exter_NCCLID_0"],
        ),
    ],
)
def test_the_startup_program_brings_trainers_together(job: Any, said: Any, names: list[str]) -> None:
    main, startup = transpiled(1, own="127.0.0.1:6175", mode="nccl2", **said)
    block = startup.global_block()
    assert [name for name, var in block.vars.items() if var.type == fluid.core.VarDesc.VarType.RAW and var.persistable] == names
    last = block.ops[-1]
    assert (last.type, last.output("NCCLID"), last.attr("trainer_id")) == ("gen_nccl_id", ["NCCLID"], 1)
    assert last.attr("trainers") == main._trainers_endpoints == ["127.0.0.1:6174", "127.0.0.1:6175"]
    assert (last.attr("nccl_comm_num"), last.attr("use_hierarchical_allreduce"), last.attr("hierarchical_allreduce_inter_nranks")) == (
        said.get("nccl_comm_num", 1),
        said.get("use_hierarchical_allreduce", False),
        said.get("hierarchical_allreduce_inter_nranks", 0),
    )
    assert not any(op.type in ("send", "recv") for op in main.global_block().ops)


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"mode": "nccl2", "trainers": 2}, "argument `trainers`.*endpoints, with commas. Received: 2"),
        ({"mode": "nccl2", "own": "127.0.0.1:9"}, "`current_endpoint`.*Received: \\(0, '127.0.0.1:9'\\)"),
        ({"mode": "nccl2", "number": 5}, "`trainer_id`.*Received: \\(5,"),
        ({"mode": "collective"}, "`config.collective_mode`.*Received: None"),
        ({"mode": "pserver"}, "argument `trainers`.*a number.*'127"),
    ],
)
def test_what_does_not_fit_is_named(job: Any, said: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        transpiled(**said)
