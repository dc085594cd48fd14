"""Scripts that start a job's processes themselves, by `paddle.distributed.utils.launch_utils`."""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT

from paddle_compat.distributed import cloud_utils
from paddle_compat.distributed.backup_env import getenv_or_backup
from paddle_compat.distributed.utils import find_free_ports, get_cluster, launch_utils

sys.path.insert(0, str(ROOT / "scripts/references"))

import launch_utils_cases

REAL = json.loads((ROOT / "tests/references/launch_utils_2.6.2.json").read_text())


@functools.cache
def found() -> Any:
    return json.loads(json.dumps(launch_utils_cases.answers(launch_utils, cloud_utils)))


@pytest.mark.parametrize("case", REAL)
def test_as_the_wheel_answers(case: str) -> None:
    assert found()[case] == REAL[case]


def started(tmp_path: Path, lines: str, logs: bool = True) -> Any:
    script = tmp_path / "train.py"
    script.write_text(lines)
    ports = find_free_ports(2)
    cluster, pod = get_cluster(["127.0.0.1"], "127.0.0.1", [[f"127.0.0.1:{port}" for port in ports]], [0, 1])
    return launch_utils.start_local_trainers(cluster, pod, str(script), ["--epochs", "1"], str(tmp_path / "logs") if logs else None)


def test_processes_know_their_places(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    procs = started(tmp_path, "import os, sys; print(sys.argv[1:], os.environ['PADDLE_TRAINER_ID'], os.environ['PADDLE_TRAINERS_NUM'])")
    try:
        while launch_utils.watch_local_trainers(procs, 2):
            time.sleep(0.05)
    finally:
        launch_utils.terminate_local_procs(procs)
    logs = [(tmp_path / "logs" / f"workerlog.{rank}").read_text() for rank in range(2)]
    assert logs == [f"['--epochs', '1'] {rank} 2\n" for rank in range(2)]
    assert capfd.readouterr().out == logs[0]  # the first one's log is printed, too


def test_one_that_fails_ends_all(tmp_path: Path) -> None:
    lines = "import os, sys, time\nif os.environ['PADDLE_TRAINER_ID'] == '1': sys.exit(3)\ntime.sleep(100)"
    procs = started(tmp_path, lines)
    try:
        with pytest.raises(SystemExit) as raised:
            while launch_utils.watch_local_trainers(procs, 2):
                time.sleep(0.05)
    finally:
        launch_utils.terminate_local_procs(procs)
    assert raised.value.code == 1
    assert procs[0].proc.returncode < 0 and procs[1].proc.returncode == 3 and procs[0].log_fn.closed


def test_lost_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "variables.json").write_text('{"KEPT_APART": "1"}')
    assert getenv_or_backup("KEPT_APART", "none") == "none" and "KEPT_APART" not in os.environ
    monkeypatch.setenv("PADDLE_BACKUP_ENV_PATH", str(tmp_path / "variables.json"))
    assert getenv_or_backup("KEPT_APART") == "1" and getenv_or_backup("NOWHERE") is None
    monkeypatch.setenv("KEPT_APART", "2")
    assert getenv_or_backup("KEPT_APART") == "2"
