"""Operators on dist tensors in eager mode: two processes get what one does, outputs and gradients, and divide what is frequent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jobs import run_job
from processes import ROOT

JOB = ROOT / "tests/distributed/auto_parallel/operators_job.py"
FREQUENT = """
arg_max batch_norm cast clip concat conv2d cumsum elementwise_add elementwise_div elementwise_mul elementwise_sub expand_v2 gather gelu
layer_norm log_softmax lookup_table_v2 matmul_v2 mean one_hot_v2 pool2d pow reduce_max reduce_mean reduce_sum relu reshape2 scale sigmoid
slice softmax softmax_with_cross_entropy split squeeze2 stack sum tanh tile transpose2 tril_triu unsqueeze2 where
""".split()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the two processes say of all operators."""
    folder = tmp_path_factory.mktemp("operators")
    script = folder / "operators_job.py"
    script.write_text(JOB.read_text())
    for status, text in run_job(script, 2, 240, arguments=[str(folder), str(ROOT / "tests")]):
        assert status == 0, text
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


def test_every_operator_gives_what_it_gives_to_one_process(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        assert answer["differences"] == {}
        assert answer["count"] > 700


def test_frequent_operators_are_divided(answers: list[dict[str, Any]]) -> None:
    assert set(FREQUENT) <= set(answers[0]["divided"])


def test_dist_tensors_are_read_written_and_differentiated_as_plain_ones(tmp_path: Path) -> None:
    script = tmp_path / "tensors_job.py"
    script.write_text((JOB.parent / "tensors_job.py").read_text())
    for status, text in run_job(script, 2, 120, arguments=[str(tmp_path)]):
        assert (status, text.splitlines()[-1:]) == (0, ["nothing differs"]), text
