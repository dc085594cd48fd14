"""What Paddle computes on GPUs only: functions that can be imported as from its builds for the CPU, and refuse to be called."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from processes import Runner

from paddle_compat import _missing
from paddle_compat.base._c_gradients import signatures
from paddle_compat.core import gpu_only
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.pir._rows import rows

ALL = [(module, name) for module, names in gpu_only.NAMES.items() for name in sorted(names)]


@pytest.mark.parametrize(("module", "name"), ALL)
def test_it_refuses_by_name_where_it_is_called(module: str, name: str) -> None:
    function = getattr(importlib.import_module(f"paddle_compat.{module}"), name)
    with pytest.raises(UnsupportedError, match=rf"`paddle\.{module}\.{name}` .*{Path(__file__).name}:\d+"):
        function(1, out=2)
    assert function.__name__ == name and name in function.__doc__


def test_it_is_a_name_of_some_wheel() -> None:
    """Those of operators are in the lists that 3.3.1 gives of its own."""
    paths = [f"paddle.{module}.{name}" for module, name in ALL]
    known = {*_missing.known_names(), *(f"paddle._C_ops.{name}" for name in (*rows(), *signatures()))}
    assert [path for path in paths if path not in known and not _missing._home(path)] == []


def test_a_script_imports_it(full: Runner) -> None:
    script = "from paddle.incubate.nn.functional import fp8_quant_blockwise as quant\nprint(quant.__name__)\nquant(1)\n"
    full.write({"script.py": script})
    status, out, err = full.run("-m", "paddle_compat", "script.py")
    assert (status, out) == (1, "fp8_quant_blockwise\n") and "script.py:3" in err
