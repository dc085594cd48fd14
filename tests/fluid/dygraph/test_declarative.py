"""Functions of eager mode become Programs, and saved models layers, as in Paddle 1.8.5."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path[:0] = [str(ROOT / "scripts/references")]

import declarative_cases  # noqa: E402

RECORDED: dict[str, str] = json.loads((ROOT / "tests/references/declarative_1.8.5.json").read_text())


@pytest.fixture(scope="module")
def ours() -> Any:
    """What ours answers, asked once."""
    return declarative_cases.answers(fluid)


def test_every_recorded_question_is_still_asked(ours: Any) -> None:
    assert sorted(ours) == sorted(RECORDED)


@pytest.mark.parametrize("question", RECORDED)
def test_as_the_wheel(question: str, ours: Any) -> None:
    got, real = ours[question], RECORDED[question]
    if real.startswith("raises "):
        assert got.startswith("raises ") and real.split()[1].split("|")[0] in got.split()[1].split("|")
    else:
        assert got == real
