"""A fresh Paddle state for every test; for those of the runner all Pythons, and a package that needs no torch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jobs import Forked
from models import references
from paddle_state import fresh_state, no_dist_tensors
from processes import ROOT, Runner, write_files
from spread import pytest_runtestloop, pytest_terminal_summary  # noqa: F401  # pytest finds them here

from paddle_compat.core import flags

# Recorded numbers are the CPU's: GPUs show themselves to the process of test_on_gpus.py alone.
os.environ.setdefault("CUDA_VISIBLE_TO_CHECKS", os.environ.get("CUDA_VISIBLE_DEVICES", "all"))
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # else its compiler starts two more Pythons with torch, for little to do
# The files that run scripts, alone: they need the standard library only.
RUNNER_FILES = ("__main__.py", "_alias.py", "_environment.py", "_runner.py")
STUB_FILES = {
    "__init__.py": "from . import _alias\nfrom ._alias import install, uninstall\n",
    "version.py": "full_version = '2.6.2'\nRELEASE = '0'\n",
    "static/__init__.py": "class Program:\n    pass\n",
    "static/nn.py": "",
    "distributed/__init__.py": "",
    "distributed/launch/__init__.py": "",
    "distributed/launch/__main__.py": "import subprocess, sys\nsubprocess.run([sys.executable, *sys.argv[1:]])",
}


@pytest.fixture(scope="module", autouse=True)
def module_starts_anew() -> Iterator[None]:
    """The fixtures of a module meet nothing that those of another file left, whichever files a process runs before."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    with fresh_state():
        yield
    no_dist_tensors()
    for name in os.environ.keys() - environment.keys() - {"PYTEST_CURRENT_TEST"}:
        del os.environ[name]
    os.environ.update(environment)


@pytest.fixture(autouse=True)
def paddle_starts_anew(module_starts_anew: None) -> Iterator[None]:
    """Programs, scope, names and mode start anew in each test."""
    with fresh_state():
        yield


@pytest.fixture(scope="module")
def paddle_is_ours() -> Iterator[None]:
    """`import paddle` means paddle_compat, and the model scripts can be imported."""
    with references.paddle_is_ours():
        yield


@pytest.fixture
def exact_random() -> Iterator[None]:
    """Dropout and sampling inside training steps draw the wheel's numbers."""
    before = flags.get("FLAGS_exact_random")
    flags.set_values({"FLAGS_exact_random": True})
    yield
    flags.set_values({"FLAGS_exact_random": before})


@pytest.fixture(scope="session")
def bare_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a paddle_compat that has the real runner and hook, and next to nothing to run."""
    folder = tmp_path_factory.mktemp("bare")
    package = folder / "paddle_compat"
    write_files(package, STUB_FILES)
    for name in RUNNER_FILES:
        shutil.copy(ROOT / "paddle_compat" / name, package)
    shutil.copytree(ROOT / "paddle_compat/_startup", package / "_startup")
    return folder


def _python(minor: int) -> str | None:
    if sys.version_info[:2] == (3, minor):
        return sys.executable
    installed = sorted((Path.home() / ".pyenv/versions").glob(f"3.{minor}.*/bin/python"))
    for candidate in (*map(str, installed), shutil.which(f"python3.{minor}")):
        # A version manager's shim is found on the path, but need not run.
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


@pytest.fixture(scope="session", params=[10, 11, 12, 13], ids=lambda minor: f"3.{minor}")
def python(request: pytest.FixtureRequest) -> str:
    """Each supported Python that this machine has."""
    found = _python(request.param)
    if found is None:
        pytest.skip(f"there is no Python 3.{request.param} on this machine")
    return found


@pytest.fixture
def bare(python: str, bare_package: Path, tmp_path: Path) -> Runner:
    """Every Python in turn, with the package that needs no torch."""
    return Runner(python, bare_package, tmp_path)


@pytest.fixture
def full(tmp_path: Path) -> Runner:
    """This Python with the real package, and with torch already, which takes two seconds to import."""
    return Forked(tmp_path)


@pytest.fixture
def fresh(tmp_path: Path) -> Runner:
    """This Python with the real package, and with nothing imported yet."""
    return Runner(sys.executable, ROOT, tmp_path)
