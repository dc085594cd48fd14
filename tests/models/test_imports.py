"""Recording the models' programs imports no slow part of PyTorch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from models.references import VERSIONS
from processes import SECONDS

RECORD = """
import sys
import paddle_compat
sys.path.insert(0, {folder!r})
with paddle_compat.install():
    import catalogue
    for name, model in catalogue.models({version!r}).items():
        model.programs()
        slow = sorted({{"torch._dynamo", "sympy"}} & set(sys.modules))
        if slow:
            sys.exit(name + " imports " + ", ".join(slow))
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_recording_imports_neither_dynamo_nor_sympy(version: str) -> None:
    """An operator without an `infer` rule may run PyTorch code on meta tensors that imports both: +1 s, +70 MB."""
    folder = Path(__file__).parent
    code = RECORD.format(folder=str(folder), version=version)
    path = os.pathsep.join([str(folder.parents[1]), os.environ.get("PYTHONPATH", "")])
    words, env = [sys.executable, "-W", "ignore", "-c", code], {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
