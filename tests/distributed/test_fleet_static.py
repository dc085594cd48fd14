"""A process that is alone writes the Programs of any job, as with Paddle 2.6.2: nobody is waited for until something runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.core import rings
from paddle_compat.distributed import fleet
from paddle_compat.engine import processes

sys.path.insert(0, str(ROOT / "scripts/references"))

import fleet_static_cases as cases

REAL = json.loads((ROOT / "tests/references/fleet_static_2.6.2.json").read_text())
LOSSES = json.loads((ROOT / "tests/references/fleet_training_2.6.2.json").read_text())


@pytest.fixture(scope="module")
def ours() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "join", None)  # who meets others here fails
        patch.setattr(rings, "joins", [None])
        return json.loads(json.dumps(cases.asked(fleet, paddle)))


@pytest.mark.parametrize("name", REAL)
def test_answers(name: str, ours: dict[str, Any]) -> None:
    assert ours[name] == REAL[name]


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    script = tmp_path_factory.mktemp("job") / "fleet_static_job.py"
    script.write_text((Path(__file__).parent / script.name).read_text())
    ended = run_job(script, 2, 60, [str(ROOT / "scripts/references")])
    assert [status for status, _ in ended] == [0, 0], "\n".join(said for _, said in ended)
    return [json.loads(said.splitlines()[-1]) for _, said in ended]


def test_workers_meet_when_something_first_runs(workers: Any) -> None:
    assert [told["sums"] for told in workers] == [[2.0, 1.0]] * 2
    assert [told["group"] for told in workers] == [[0, 1, 0, 1]] * 2


def test_a_program_that_sums_itself_is_not_summed_again(workers: Any) -> None:
    for plain, compiled in (told["transpiled"] for told in workers):
        np.testing.assert_allclose(compiled, plain, rtol=1e-6)
        assert plain == workers[0]["transpiled"][0]


@pytest.mark.parametrize("case", LOSSES)
def test_two_workers_train_as_one_process_of_the_wheel(case: str, workers: Any) -> None:
    first, second = (np.array(told["losses"][case]) for told in workers)
    np.testing.assert_allclose((first + second) / 2, LOSSES[case], rtol=1e-5, atol=1e-6)
    assert first[-1] == second[-1]
