"""How outputs and gradients of frequent operators on dist tensors lie: as in Paddle 3.3.1, for inputs in every layout."""

from __future__ import annotations

import json
from pathlib import Path

from jobs import run_job
from processes import ROOT

RECORDED = json.loads((ROOT / "tests/references/dist_operators_3.3.1.json").read_text())
# Where this divides what the wheel gathers (add_n, gather, tril), sums up partial tensors whose product is not partial, gives the whole
# gradient of a partial input on each process, or the wheel's piece is a wrong one (flatten).
OTHERWISE = {
    "add_n: S0 S0", "add_n: S0 R", "add_n: S1 S1", "concat over rows: P P", "flatten: S1", "gather: S1", "multiply: P P", "multiply: P R",
    "reshape joined: P", "reshape split: P", "tril: S0",
}  # fmt: skip


def test_outputs_and_gradients_lie_as_in_the_wheel(tmp_path: Path) -> None:
    script = tmp_path / "cases.py"
    script.write_text((ROOT / "scripts/references/dist_operator_cases.py").read_text())
    for status, text in run_job(script, 2, 120, arguments=[str(tmp_path)]):
        assert status == 0, text
    got = json.loads((tmp_path / "0.json").read_text())
    different = {key for key, real in RECORDED.items() if any(got[key].get(what) != answer for what, answer in real.items())}
    assert different == OTHERWISE
