"""How outputs and gradients of frequent operators on dist tensors lie: as in Paddle 3.3.1, for inputs in every layout."""

from __future__ import annotations

import json
from pathlib import Path

from jobs import run_job
from processes import ROOT

RECORDED = json.loads((ROOT / "tests/references/dist_operators_3.3.1.json").read_text())
# Where this divides what the wheel gathers (add_n, gather, tril, scatter, interpolate, pooling of channels, batch norm), sums up partial
# tensors whose product is not partial, makes partial means of losses that the wheel sums up at once, gives the whole gradient of a partial
# input on each process and a partial one of what processes use each for itself (gather_nd, embedding), or the wheel's piece is a wrong
# one (flatten).
OTHERWISE = {
    "add_n: S0 S0", "add_n: S0 R", "add_n: S1 S1", "batch norm: S0 R", "concat over rows: P P", "embedding: S0R RS0", "flatten: S1",
    "gather: S1", "gather_nd: R S0", "interpolate: S0", "kl_div: S0 S0", "logits: S0 S0", "max_pool2d of channels: S1", "multiply: P P",
    "multiply: P R", "nll_loss: S0 S0", "reshape joined: P", "reshape split: P", "scatter: S1", "smooth_l1_loss: S0 S0", "tril: S0",
}  # fmt: skip


def test_outputs_and_gradients_lie_as_in_the_wheel(tmp_path: Path) -> None:
    script = tmp_path / "cases.py"
    script.write_text((ROOT / "scripts/references/dist_operator_cases.py").read_text())
    for status, text in run_job(script, 4, 240, arguments=[str(tmp_path), "all"]):
        assert status == 0, text
    got = json.loads((tmp_path / "0.json").read_text())
    different = {key for key, real in RECORDED.items() if any(got[key].get(what) != answer for what, answer in real.items())}
    assert different == OTHERWISE
