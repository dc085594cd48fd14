"""`paddle.DataParallel` in two processes, as in Paddle 2.6.2; what it refuses, and what it does with one process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from processes import ROOT

import paddle_compat as paddle

RECORDED: dict[str, list[Any]] = json.loads((ROOT / "tests/references/data_parallel_2.6.2.json").read_text())

DIFFERENT = """
import os, sys, paddle
from paddle.distributed.parallel_helper import _is_data_parallel_mode
met = [_is_data_parallel_mode()]
paddle.distributed.collective._init_parallel_env("gloo")
assert [*met, _is_data_parallel_mode()] == [False, True]
rank = int(os.environ["PADDLE_TRAINER_ID"])
layers = [paddle.nn.Linear(1, 1) for _ in range(2)]
model = paddle.DataParallel(paddle.nn.LayerList(layers))
model._layers.forward = lambda x: layers[1](layers[0](x)) if rank else layers[0](x)
try:
    model(paddle.ones([1, 1])).sum().backward()
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the two processes answer."""
    folder = tmp_path_factory.mktemp("data_parallel")
    script = folder / "cases.py"
    script.write_text((ROOT / "scripts/references/data_parallel_cases.py").read_text())
    for status, text in run_job(script, 2, arguments=[str(folder)]):
        assert status == 0, text
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


@pytest.mark.parametrize("question", RECORDED)
def test_as_the_wheel(both: list[dict[str, Any]], question: str) -> None:
    for got, real in zip((each[question] for each in both), RECORDED[question]):
        if question.startswith(("dense", "convolutions", "a table", "clipped")):
            assert np.abs(np.subtract(got, real)).max() < 1e-5
        else:
            assert got == real


def test_every_recorded_question_is_asked(both: list[dict[str, Any]]) -> None:
    assert list(both[0]) == list(RECORDED)


def test_parameters_that_one_process_uses_and_another_does_not(tmp_path: Path) -> None:
    script = tmp_path / "different.py"
    script.write_text(DIFFERENT)
    (_, first), (_, second) = run_job(script, 2)
    assert "PreconditionNotMetError Parameter linear_1.b_0 has a gradient in another process and none in process 0" in first
    assert "find_unused_parameters=True" in first and second == ""


def test_one_process_warns_and_averages_nothing() -> None:
    layer = paddle.nn.Linear(2, 1)
    with pytest.warns(UserWarning, match="There is one process"):
        model = paddle.DataParallel(layer)
    assert model.var_dtype is paddle.Tensor
    (3 * model(paddle.ones([1, 2]))).sum().backward()
    assert layer.weight.grad.tolist() == [[3.0], [3.0]]
    assert model.scale_loss(layer.bias) is layer.bias
    with model.no_sync():
        assert not model.grad_need_sync
    model.init_reducer()
    model.set_state_dict({"weight": np.ones((2, 1), "float32"), "bias": np.ones(1, "float32")})
    assert float(model(paddle.ones([1, 2]))) == 3.0
