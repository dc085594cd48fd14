"""Branches, loops and sequence layers of `paddle.static.nn` against the wheel."""

from __future__ import annotations

import gzip
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core.tensor import Tensor

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/fluid/layers", "scripts/references", "tests/models")]

import sequence_layers_replay  # noqa: E402
import static_sequence  # noqa: E402


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave, by case."""
    with gzip.open(ROOT / "tests/references/ops_seq_static.json.gz") as file:
        return json.load(file)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", list(static_sequence.CASES))
def test_as_the_wheel(name: str) -> None:
    from paddle_compat.fluid import core

    got = json.loads(json.dumps(static_sequence.observe(paddle, core, static_sequence.CASES[name])))
    sequence_layers_replay.compare(got, recorded()[name])


def test_assert_stops_the_run() -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [1], "float32")
    paddle.static.nn.control_flow.Assert(x < 5.0, [x])
    exe = paddle.static.Executor()
    exe.run(feed={"x": np.array([1], "float32")}, fetch_list=[x])
    with pytest.raises(ValueError, match="condition variable"):
        exe.run(feed={"x": np.array([9], "float32")}, fetch_list=[x])


def test_branches_and_loops_run_at_once_on_tensors() -> None:
    control_flow = paddle.static.nn.control_flow

    def tensor(value: Any) -> Tensor:
        return Tensor(torch.as_tensor(value))

    assert control_flow.cond(tensor(True), lambda: "yes", lambda: "no") == "yes"
    assert control_flow.cond(tensor([False]), lambda: "yes") is None
    assert control_flow.case([(tensor(False), lambda: 1), (tensor(True), lambda: 2)], default=lambda: 3) == 2
    (out,) = control_flow.while_loop(lambda i: tensor(i._t < 3), lambda i: tensor(i._t + 2), [tensor(0)])
    assert int(out) == 4
    with pytest.raises(ValueError, match="as many"):
        control_flow.while_loop(lambda i: tensor(True), lambda i: [i, i], [tensor(0)])


@pytest.mark.parametrize("turns", [0, 3])
def test_seeds_of_loops_and_branches_start_themselves(turns: int) -> None:
    paddle.enable_static()
    try:
        with (
            paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()),
            paddle.static.scope_guard(paddle.static.Scope()),
        ):
            x = paddle.static.data("x", [None, 2])
            shuffle = paddle.incubate.layers.shuffle_batch
            if turns:
                start = [paddle.zeros([1], "int32"), x]
                out = paddle.static.nn.while_loop(lambda i, x: i < turns, lambda i, x: [i + 1, shuffle(x, 3)], start)[1]
            else:
                out = paddle.static.nn.cond(x.sum() > 0, lambda: shuffle(x, 3), lambda: x)
            executor, rows = paddle.static.Executor(), np.arange(8, dtype=np.float32).reshape(4, 2)
            found = [executor.run(feed={"x": rows}, fetch_list=[out])[0] for _ in range(4)]
    finally:
        paddle.disable_static()
    assert all(sorted(each[:, 0].tolist()) == [0, 2, 4, 6] for each in found)
    assert any(not np.array_equal(each, found[0]) for each in found)  # the seed moves on from run to run
