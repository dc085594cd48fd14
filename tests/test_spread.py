"""The test suite runs on all cores: one report tells what the processes did, and nothing is lost with a process that dies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from processes import ROOT, SECONDS, write_files

CONFTEST = "from spread import pytest_runtestloop, pytest_terminal_summary"
TESTS = """import os, pytest, sys, warnings

@pytest.fixture(scope="module")
def shared():
    yield []
    open(f"{os.environ['ENDS']}/{__name__}-{os.getpid()}", "w").close()

@pytest.mark.parametrize("n", range(6))
def test_it(n, shared, tmp_path):
    assert len(shared) == n or n > 3  # one process ran those before
    shared.append(n)
    tmp_path.joinpath("made").touch(exist_ok=False)
    print("said")
    if n == 0:
        warnings.warn("beware")
    if n == 1:
        pytest.skip("not now")
    if n == 2:
        assert n == 7
    if n == 3 and "_1" in __name__:
        os._exit(5)
"""


def run(folder: Path, *words: str, processes: int = 2) -> str:
    """What pytest says of 12 files."""
    write_files(folder, {"conftest.py": CONFTEST, "setup.cfg": "", **{f"test_{i}.py": TESTS for i in range(12)}})
    ends = folder / "ends"
    ends.mkdir()
    env = {**os.environ, "TEST_PROCESSES": str(processes), "PYTHONPATH": str(ROOT / "tests"), "ENDS": str(ends)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False).stdout


@pytest.mark.parametrize("processes", [2, 5])
def test_one_report_of_several_processes(tmp_path: Path, processes: int) -> None:
    said = run(tmp_path, processes=processes)
    # test_1, test_10 and test_11 end their process in test 3: that fails, and others run what was left.
    assert re.fullmatch(r"15 failed, 45 passed, 12 skipped, 12 warnings in .*", said.splitlines()[-1]), said
    assert said.count("\nthe process that ran this test ended with 5\n") == 3
    assert len(re.findall("^E +assert 2 == 7$", said, re.MULTILINE)) == 12 and said.count("Captured stdout call") == 12
    assert len(re.findall(r"^[\d.]+ s test_\d+\.py$", said, re.MULTILINE)) == 10
    cases = [(case.get("classname"), case.get("name")) for case in ElementTree.parse(tmp_path / "report.xml").iter("testcase")]
    assert sorted(cases) == sorted((f"test_{i}", f"test_it[{n}]") for i in range(12) for n in range(6))
    modules = [path.name.rpartition("-")[::2] for path in (tmp_path / "ends").iterdir()]
    assert {name for name, _ in modules} == {f"test_{i}" for i in range(12)}  # the rest of a file ends its fixtures too
    assert len(modules) == 12 and len({pid for _, pid in modules}) > 1


def test_a_run_that_stops_at_the_first_failure(tmp_path: Path) -> None:
    said = run(tmp_path, "-x")
    assert re.search(r"stopping after [12] failures", said)
    assert len(list((tmp_path / "ends").iterdir())) <= 2
