"""The cases of `served.py` that run alike under the 1.8.5 wheel and here, and those in which a trainer is killed; imports nothing."""

from __future__ import annotations

from typing import Any, Dict

_MERGE = {"communicator_max_merge_var_num": "3", "communicator_send_queue_size": "3", "communicator_send_wait_times": "500"}
_MEANS = dict(_MERGE, communicator_is_sgd_optimizer="0")
_TURNS = {"trainers": 2, "turns": "", "repeats": True, "names": []}

RECORDED: Dict[str, Dict[str, Any]] = {
    "async, noam": {"mode": "async", "decay": "noam"},
    "async, adam": {"mode": "async", "opt": "adam", "rate": 0.01},
    "communicator, 2 trainers, exponential decay": {"mode": "ASYNC", "decay": "exponential", "trainers": 2, "turns": ""},
    "communicator, sums": {"mode": "ASYNC", "group": 3, "steps": 9, "flags": _MERGE},
    "communicator, means": {"mode": "ASYNC", "compiled": True, "group": 3, "steps": 9, "flags": _MEANS},
    "half async": {"mode": "HALF_ASYNC", "decay": "noam", "opt": "momentum"},
    "sync by a communicator": {"mode": "SYNC", "decay": "noam", "trainers": 2},
    "geo": {"mode": "GEO", "opt": "adam", "rate": 0.01, "steps": 4},
    "geo, 2 trainers": dict(_TURNS, mode="GEO", steps=10, period=3, compiled=True),
}
KILLED: Dict[str, Dict[str, Any]] = {
    mode: {"mode": mode, "trainers": 2, "steps": 12, "dies": 4} for mode in ("split", "ASYNC", "HALF_ASYNC", "GEO")
}
