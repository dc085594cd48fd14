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

import paddle_compat as paddle

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
