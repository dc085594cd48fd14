"""On a GPU, or on one that the CPU plays: what is made lies there, operators find it there, steps give the CPU's losses"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
SECONDS = 600  # many times what all checks need
CHECKS = {
    function.name: {mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)}
    for function in ast.parse((TESTS / "gpu_checks.py").read_text()).body
    if isinstance(function, ast.FunctionDef)
}


@pytest.fixture(scope="module")
def failures() -> dict[str, str]:
    """How each check failed, in a process of its own: who believes in a GPU believes in it until the end."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("PADDLE_COMPAT_CPU", None)
    environment["CUDA_VISIBLE_DEVICES"] = environment["CUDA_VISIBLE_TO_CHECKS"]
    if environment["CUDA_VISIBLE_DEVICES"] == "all":
        del environment["CUDA_VISIBLE_DEVICES"]
    words = [sys.executable, str(TESTS / "gpu_checks.py")]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("name", [name for name, marks in CHECKS.items() if "check" in marks])
def test_of_any_gpu(failures: dict[str, str], name: str) -> None:
    assert not failures[name], failures[name]


@pytest.mark.parametrize("name", [name for name, marks in CHECKS.items() if "real_only" in marks])
def test_of_a_real_gpu(failures: dict[str, str], name: str) -> None:
    if name not in failures:
        pytest.skip("there is no GPU")
    assert not failures[name], failures[name]
