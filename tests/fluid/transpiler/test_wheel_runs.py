"""Trainers and servers of DistributeTranspiler against jobs of Paddle 1.8.5: losses of every step, and parameters."""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together
from processes import ROOT

sys.path.insert(0, str(ROOT / "tests/models"))

import server_runs

REAL = json.loads(gzip.decompress((ROOT / "tests/references/server_runs_1.8.5.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What trainers saw: four processes are of all jobs, one after the other."""
    folder = tmp_path_factory.mktemp("runs")
    ports = iter(free_ports(2 * len(REAL)))
    ends = {name: ",".join(f"127.0.0.1:{next(ports)}" for _ in range(server_runs.CASES[name]["servers"])) for name in REAL}
    jobs = [f"{name}={endpoints}" for name, endpoints in ends.items()]
    parts = [(role, str(number)) for role in ("server", "trainer") for number in (0, 1)]
    words = [["-m", "paddle_compat", server_runs.__file__, *part, str(folder), *jobs] for part in parts]
    for status, text in run_together(words, [{}] * 4, folder, 240):
        assert status == 0, text
    return {name: [json.loads((folder / f"{name} {number}.json").read_text()) for number in (0, 1)] for name in REAL}


@pytest.mark.slow
@pytest.mark.parametrize("case", REAL)
def test_they_see_what_those_of_paddle_see(told: dict[str, Any], case: str) -> None:
    for ours, real in zip(told[case], REAL[case]):
        np.testing.assert_allclose(ours["losses"], real["losses"], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(ours["evaluated"], real["evaluated"], rtol=1e-5)
        for name, values in real["parameters"].items():  # of tables trainers have nothing
            np.testing.assert_allclose(ours["parameters"][name], values, rtol=0, atol=1e-5, err_msg=name)
