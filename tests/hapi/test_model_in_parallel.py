"""`paddle.Model` in two processes, as in Paddle 2.6.2; in static mode, which no CPU wheel has there, as in dynamic mode."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from jobs import run_job
from processes import ROOT

from paddle_compat.hapi.model import _all_gather

RECORDED: dict[str, list[Any]] = json.loads((ROOT / "tests/references/hapi_parallel_2.6.2.json").read_text())

JOB = """
import json, sys
import paddle
sys.path[:0] = [sys.argv[2]]
import hapi_parallel_cases as cases
rank = int(__import__("os").environ["PADDLE_TRAINER_ID"])
found = cases.answers(paddle, rank, sys.argv[1])
model = cases.prepared(paddle, rank)
found["anew"] = [model.evaluate(cases.points(paddle, 9), batch_size=2, verbose=0, num_iters=n) for n in (None, 1, None)]
found["anew"].insert(0, found["anew"].pop(1))
from paddle.hapi.model import _all_gather
own = paddle.to_tensor([[rank, 5.0]])
found["gathered"] = [_all_gather(own).tolist(), _all_gather(own, 2).tolist()]
paddle.enable_static()
specs = [paddle.static.InputSpec([None, 4], name="x")], [paddle.static.InputSpec([None, 1], "int64", "y")]
def trained(fill, **amp):
    network = paddle.nn.Linear(4, 3)
    model = paddle.Model(network, *specs)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=network.parameters()), paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy(), **amp)
    numbers = cases.np.random.RandomState(5)
    scope = paddle.static.global_scope()
    for parameter in network.parameters() if fill else ():
        scope.find_var(parameter.name).get_tensor().set(numbers.rand(*parameter.shape).astype("float32") - 0.5, paddle.CPUPlace())
    begun = cases.np.array(scope.find_var(network.weight.name).get_tensor()).tolist()
    model.fit(cases.points(paddle, 8), batch_size=2, shuffle=False, verbose=0)
    path = f"{sys.argv[1]}/static{rank}"
    model.save(path + "/it", training=False)
    weight = cases.np.array(scope.find_var(network.weight.name).get_tensor()).tolist()
    accuracy = model.evaluate(cases.points(paddle, 7), batch_size=2, verbose=0)["acc"]
    predicted = model.predict(cases.points(paddle, 7, False), batch_size=2, verbose=0, stack_outputs=True)[0].shape
    return begun, weight, accuracy, predicted, cases.os.path.exists(path)
found["static"] = trained(True)
paddle.seed(rank)
found["static, apart"] = trained(False)
json.dump(found, open(f"{sys.argv[1]}/{rank}.json", "w"))
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the two processes answer."""
    folder = tmp_path_factory.mktemp("hapi_parallel")
    script = folder / "job.py"
    script.write_text(JOB)
    for status, text in run_job(script, 2, 60, arguments=[str(folder), str(ROOT / "scripts/references")]):
        assert status == 0, text
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


def close(got: Any, real: Any) -> bool:
    """Whether answers are the same, numbers within 1e-5."""
    if isinstance(real, (list, tuple)):
        return len(got) == len(real) and all(map(close, got, real))
    if isinstance(real, dict):
        return list(got) == list(real) and all(close(got[name], real[name]) for name in real)
    return abs(got - real) < 1e-5 if isinstance(real, float) else got == real


@pytest.mark.parametrize("question", RECORDED)
def test_as_the_wheel(both: list[dict[str, Any]], question: str) -> None:
    for got, real in zip((each[question] for each in both), RECORDED[question]):
        assert close(got, real), (got, real)


def test_each_evaluation_counts_anew(both: list[dict[str, Any]]) -> None:
    cut, whole, again = both[0]["anew"]  # the wheel goes on with the count of the run that was cut short
    assert whole == again and cut["acc"] != whole["acc"]


def test_all_gather_gives_the_rows_of_all_processes(both: list[dict[str, Any]]) -> None:
    assert both[0]["gathered"] == both[1]["gathered"] == [[[0.0, 5.0], [1.0, 5.0]]] * 2


def test_all_gather_needs_a_job() -> None:
    with pytest.raises(RuntimeError, match="global group is not initialized"):
        _all_gather(np.zeros(2))


def test_static_mode_trains_as_dynamic_mode_does(both: list[dict[str, Any]]) -> None:
    for rank, found in enumerate(both):
        _, weight, accuracy, predicted, saved = found["static"]
        assert np.abs(np.subtract(weight, RECORDED["fit, even"][0])).max() < 1e-6
        assert predicted == [4, 3] and saved == (rank == 0)
        assert accuracy * 7 == pytest.approx(round(accuracy * 7))  # of each sample once


def test_static_mode_begins_with_the_first_process_values(both: list[dict[str, Any]]) -> None:
    first, second = (found["static, apart"] for found in both)
    assert first[0] == second[0] and first[1] == second[1] and first[2] == second[2]
