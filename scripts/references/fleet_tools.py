"""The small tools of fleet: fleet_tools_2.6.2.json."""

from __future__ import annotations

import importlib
import tempfile
from typing import Any, Callable

import fleet_tool_cases

WHEELS = ("2.6.2",)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def record() -> Any:
        import paddle

        paddle.device.cuda.synchronize = lambda *args: None  # which stopwatches call, and a CPU wheel refuses
        with tempfile.TemporaryDirectory() as folder:
            return fleet_tool_cases.answers(lambda path: importlib.import_module(("paddle." + path).rstrip(".")), folder)

    return {"fleet_tools_%s.json" % version: record}
