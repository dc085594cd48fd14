"""A process that is alone writes the Programs of any job, as with Paddle 2.6.2: nobody is waited for until something runs."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.core import rings
from paddle_compat.distributed import fleet
from paddle_compat.engine import processes

sys.path.insert(0, str(ROOT / "scripts/references"))

import fleet_static_cases as cases

REAL = json.loads((ROOT / "tests/references/fleet_static_2.6.2.json").read_text())


@pytest.fixture(scope="module")
def ours() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "join", None)  # who meets others here fails
        patch.setattr(rings, "joins", [None])
        return json.loads(json.dumps(cases.asked(fleet, paddle)))


@pytest.mark.parametrize("name", REAL)
def test_answers(name: str, ours: dict[str, Any]) -> None:
    assert ours[name] == REAL[name]
