"""Numbers that processes along the model axis have of their own from `fleet.init` on: those of Paddle 2.6.2 on two processes by gloo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jobs import run_job

FOUND = {  # by `tensor_init_seed`: what all share, and each one's own, before and after another init
    "55": (1.2870259, ([0.53944486, 1.1105355], [0.061595377, 1.0721639]), ([0.6395075, -0.89106864], [-2.5164301, 0.21481374])),
    "-1": (-0.8353148, ([-0.6464737, 1.2366893], [-1.584826, -1.1253457]), ([0.19899553, -0.7372241], [-0.7433276, 1.0820436])),
}


@pytest.mark.parametrize("seed", list(FOUND))
def test_numbers_are_the_wheels(seed: str, tmp_path: Path) -> None:
    job = Path(__file__).with_name("model_numbers_job.py")
    said = run_job(job, 2, arguments=[str(tmp_path), seed], folder=tmp_path)
    assert [status for status, _ in said] == [0, 0], said
    shared, *own = FOUND[seed]
    for rank, (first, again) in enumerate(own):
        told = json.loads((tmp_path / str(rank)).read_text())
        assert told["states"] == ["model_parallel_rng"] and told["shape"] == [4, 2]
        assert told["shared"] == pytest.approx([shared], rel=1e-6)
        assert told["first"] == pytest.approx(first, rel=1e-6) and told["again"] == pytest.approx(again, rel=1e-6)
