"""The benchmarks run, do the same work in every spelling, and fill in their page."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from jobs import Forked
from processes import ROOT

WORKLOADS = ROOT / "benchmarks/workloads"
STATIC = ["mlp", "resnet18", "convnet", "transformer", "ctr_sgd", "ctr_adam", "infer"]
FLUID = ["mlp", "ctr_sgd", "ctr_adam"]
PAGE = "# Speed\n\n<!-- {0} -->\n| old |\n|---|\n<!-- /{0} -->\n\nThe end.\n"


def python(*command: str) -> str:
    """What a benchmark prints; an exit status of 1 (a bar was missed: two steps say nothing about speed) is no failure."""
    status, out, errors = Forked(ROOT).run(*command)
    assert status in (0, 1) and "Traceback" not in errors, errors[-2000:]
    return out


def losses(*command: str) -> dict[str, float]:
    """Loss of an early step, by workload."""
    rows = [json.loads(line) for line in python(*command, "--steps", "2").splitlines()]
    assert all(0 < row["min_ms"] <= row["median_ms"] and row["first_ms"] > 0 and row["peak_mib"] > 100 for row in rows)
    return {row["workload"]: row["loss"] for row in rows}


@pytest.fixture(scope="module")
def by_hand() -> dict[str, float]:
    return losses(str(WORKLOADS / "torch_eager.py"), *STATIC)


@pytest.mark.parametrize("script, workloads", [("paddle_static.py", STATIC), ("paddle_fluid.py", FLUID)])
def test_same_work(script: str, workloads: list[str], by_hand: dict[str, float]) -> None:
    found = losses("-m", "paddle_compat", str(WORKLOADS / script), *workloads)
    expected = {name: by_hand[name] for name in workloads}
    rough = 1e-3 if "ctr_adam" in workloads else 1e-5  # the first steps of Adam hang on where epsilon stands
    for name, loss in found.items():
        assert loss == pytest.approx(expected[name], rel=rough if name in ("ctr_adam", "resnet18") else 1e-5), name
    assert list(found) == workloads


def test_runner_fills_in_its_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("steps"))
    command = ["benchmarks/steps.py", "--rounds", "1", "--steps", "2", "--only", "infer", "--markdown", str(page)]
    printed = python(*command)
    cells = page.read_text().split("<!-- steps -->\n")[1].splitlines()[2].strip("| ").split(" | ")
    assert cells[0] == "infer" and cells == printed.splitlines()[1].split(" | ")
    ours, torch = cells[-1].split(", ")
    assert ours == torch
    tables = runpy.run_path(str(ROOT / "benchmarks/tables.py"))
    tables["fill"](page, "steps", printed.splitlines()[0].split(" | "), [cells])  # as the next run does
    assert page.read_text().count("| infer |") == 1 and page.read_text().endswith("\n\nThe end.\n")


def test_every_peephole_has_a_workload_it_applies_to(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("peepholes"))
    command = ["benchmarks/peepholes.py", "--rounds", "1", "--steps", "2", "--markdown", str(page)]
    rows = [line.split(" | ") for line in python(*command).splitlines()[1:]]
    from paddle_compat.engine import peephole

    assert [row[0] for row in rows] == peephole.ENABLED
    for name, _, without, with_it, *_ in rows:
        assert int(with_it) < int(without) or name == "affine_of_part", name  # which computes less in as many calls
        assert f"| {name} |" in page.read_text()


def test_single_operators_run_with_gradients() -> None:
    names = ["clip", "maximum", "gather", "cross_entropy_small"]
    rows = [json.loads(line) for line in python("-m", "paddle_compat", str(WORKLOADS / "static_operators.py"), *names).splitlines()]
    assert [row["operator"] for row in rows] == names
    assert [len(row["grads"]) for row in rows] == [1, 2, 1, 1]
    assert all(0 < row["min_ms"] <= row["median_ms"] and row["size"] > 0 and min(row["grads"]) > 0 for row in rows)


def test_updates_of_optimizers_run_alone() -> None:
    names = ["sgd_small", "lamb_middle", "clipped_adam_small"]
    rows = [json.loads(line) for line in python("-m", "paddle_compat", str(WORKLOADS / "static_updates.py"), *names).splitlines()]
    assert [row["operator"] for row in rows] == names
    assert all(0 < row["min_ms"] <= row["median_ms"] and 0.2 < row["size"] < 0.4 for row in rows)


def test_checkpoints_are_the_same_for_all() -> None:
    printed = python("benchmarks/checkpoint.py", "--rounds", "1", "--scale", "0.001").splitlines()
    assert [line.split(" | ")[:2] for line in printed[1:]] == [[s, w] for s in ("large", "small") for w in ("save", "load")]
    assert all(len(line.split(" | ")) == 5 for line in printed)


def test_loaders_read_the_same() -> None:
    printed = python("benchmarks/dataloader.py", "--rounds", "1", "--images", "200")
    assert re.fullmatch(r"(?:[02] workers, \d+ ms: \d+\.\d\d of torch's \(limit 1\.05\), processor time \d+\.\d\d\n){2}", printed)


def test_eager_updates_are_compared_with_torchs() -> None:
    rows = python("benchmarks/eager_updates.py", "--rounds", "2").splitlines()[2:]
    parts = ("train", "step", "clear_grad")
    assert [row.split(" | ")[0] for row in rows] == [f"| {name} {part}" for name in ("sgd", "adam") for part in parts]


def test_whole_scripts_are_timed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("start_up"))
    printed = python("benchmarks/start_up.py", "--rounds", "1", "--warm-up", "0", "--markdown", str(page)).splitlines()
    assert [line.split(" | ")[0] for line in printed] == ["script", "static", "fluid", "eager"]
    assert all(f"| {line} |" in page.read_text() for line in printed)


def test_replicas_do_the_same_work_as_one() -> None:
    found = [python("-m", "paddle_compat", str(WORKLOADS / "replicas_fluid.py"), "mlp", str(n), "5") for n in (1, 2)]
    one, two = (json.loads(text.splitlines()[-1])["loss"] for text in found)
    assert one == pytest.approx(two, rel=1e-5)
    by_hand = json.loads(python(str(WORKLOADS / "replicas_ddp.py"), "mlp", "2", "5").splitlines()[-1])
    assert 0 < by_hand["loss"] < 3 and by_hand["median_ms"] > 0
