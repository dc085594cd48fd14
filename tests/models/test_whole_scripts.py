"""Whole scripts, as users write them, print here what they print under the wheel: text for text, numbers to their last digit."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from models.references import HERE, recorded
from paddle_state import fresh_state

FOLDERS = {"1.8.5": "fluid", "2.6.2": "paddle"}
CASES = [(version, name) for version in FOLDERS for name in recorded("whole_scripts", version)]
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")
RELATIVE = 1e-5


def same(expected: str, received: str) -> bool:
    """Whether two lines differ in nothing but the rounding of fractions."""
    texts = [[part.strip() for part in NUMBER.split(line)] for line in (expected, received)]
    return texts[0] == texts[1] and all(map(close, NUMBER.findall(expected), NUMBER.findall(received)))


def close(expected: str, received: str) -> bool:
    """Whether two numbers are equal but for a unit of the last digit that is printed."""
    if expected == received or not {".", "e"} & set(expected):
        return expected == received
    digits, _, power = expected.partition("e")
    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(expected) - float(received)) <= RELATIVE * abs(float(expected)) + 1.01 * unit


@pytest.mark.usefixtures("paddle_is_ours", "exact_random")
@pytest.mark.parametrize(("version", "name"), CASES)
def test_prints_what_the_wheel_prints(
    version: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [name])
    with fresh_state():
        runpy.run_path(str(HERE / "whole" / FOLDERS[version] / f"{name}.py"), run_name="__main__")
    expected, received = recorded("whole_scripts", version)[name], capsys.readouterr().out.splitlines()
    different = [(e, r) for e, r in zip(expected, received) if not same(e, r)]
    assert not different, different[:5]
    assert len(expected) == len(received) > 0
