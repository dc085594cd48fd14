"""Functions run by `to_static`, by default and with `full_graph=True`, give what they give in Paddle 2.6."""

from __future__ import annotations

import gzip
import json
import sys
from functools import cache
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references"), str(ROOT / "tests/nn")]

import jit_functions  # noqa: E402
from eager_replay import differences  # noqa: E402

CALLS = [(name, mode) for name, (_, _, both) in jit_functions.cases().items() for mode in ("free", "whole") if mode == "free" or both]


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave, by function and mode."""
    found: dict[str, Any] = json.loads(gzip.decompress((ROOT / "tests/references/jit_functions_2.6.2.json.gz").read_bytes()))
    return found


def test_every_recorded_function_is_still_there() -> None:
    assert sorted((name, mode) for name, modes in recorded().items() for mode in modes) == sorted(CALLS)


@pytest.mark.parametrize(("name", "mode"), CALLS)
def test_as_the_wheel(name: str, mode: str) -> None:
    ours = json.loads(json.dumps(jit_functions.answers(paddle, name, mode == "whole")))
    found = [f"{where}: {got!r}, the wheel: {real!r}" for where, got, real in differences(ours, recorded()[name][mode], 2e-5, 2e-6)]
    assert not found, "\n".join(found)


class Scaled(paddle.autograd.PyLayer):
    """A square times a number, with a gradient of its own."""

    @staticmethod
    def forward(ctx: Any, v: Any, by: int) -> Any:
        y = paddle.square(v) * by if v.sum() > 0 else v - by
        ctx.by = by
        ctx.save_for_backward(v, y)
        return y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        v, y = ctx.saved_tensor()
        return dy * (y + ctx.by) * v


def test_a_pylayer_is_recorded_with_its_own_gradient() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0]], stop_gradient=False)
    scaled = paddle.jit.to_static(lambda v: Scaled.apply(v + 1, by=3) * 2, full_graph=True)
    y = scaled(x)
    y.sum().backward()
    # the numbers of 2.6.2 and of 3.3.1
    assert y.tolist() == [[24.0, 54.0], [96.0, 54.0]]
    assert x.grad.tolist() == [[60.0, 180.0], [408.0, -180.0]]
    assert "pylayer" in [op.type for op in scaled.main_program.global_block().ops]
