"""Under PADDLE_COMPAT_VERSION=3.3.1 operands of two data types meet in Paddle 3's types."""

from __future__ import annotations

import gzip
import json

import pytest
from jobs import Forked
from processes import ROOT

SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import paddle, meetings
print(json.dumps(meetings.outcomes(paddle)))
"""


def on_purpose(group: str, case: str) -> bool:
    """Whether ours gives something else.

    The wheel divides truth values by truth values as such; and makes a vector of a complex number, and of True as an exponent, beside
    a Tensor without dimensions.
    """
    if group.endswith("/"):
        return set(case.split()[:2]) <= {"bool", "True"} or "1+2j" in case and case.endswith("0")
    return group.startswith("beside numbers") and case.endswith("0") and ("1+2j" in case or group.endswith("**"))


def recorded(version: str) -> dict[str, dict[str, str | None]]:
    """What the wheel gives."""
    with gzip.open(ROOT / f"tests/references/paddle3_meetings_{version}.json.gz", "rt") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str | None]]:
    runner = Forked(tmp_path_factory.mktemp("meetings"))
    runner.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    runner.write({"script.py": SCRIPT})
    return json.loads(runner.output("-m", "paddle_compat", "script.py", str(ROOT / "tests/tensor")))


@pytest.mark.parametrize("group", recorded("3.3.1"))
def test_types(group: str, ours: dict[str, dict[str, str | None]]) -> None:
    theirs = recorded("3.3.1")[group]
    assert ours[group].keys() == theirs.keys()
    told = {case: answer for case, answer in theirs.items() if answer is not None and not on_purpose(group, case)}
    assert {case: ours[group][case] for case in told} == told


@pytest.mark.parametrize("group", [group for group in recorded("3.3.1") if not group.startswith("beside")])
def test_vectors_of_types_that_do_not_meet_are_refused(group: str, ours: dict[str, dict[str, str | None]]) -> None:
    refused = {case: answer for case, answer in recorded("3.3.1")[group].items() if answer is None and case.endswith("vv")}
    apart = [case for case in refused if "float16" not in case and len(set(case.split()[:2])) == 2]  # GPUs have kernels of 16 bits
    assert {case: ours[group][case] for case in apart} == dict.fromkeys(apart)
