"""What Paddle 2.6 and 3.3 answer to the calls of tests/tensor/rows_corners.py, rows_accepted.py, rows_nothing.py and rows_arguments.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Dict

WHEELS = ("2.6.2", "3.3.1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "tensor"))


def answers(*modules: str) -> Dict[str, Any]:
    """By row: its value or the exception that it raises. Each in a child: some calls break the memory of those that follow."""
    from importlib import import_module

    import paddle
    from child_process import asked
    from eager_rows import outcome
    from rows_corners import names

    rows = [row for module in modules for row in import_module(module).ROWS]
    return {row: asked(lambda row=row: outcome(row, names(paddle)))[0] for row in rows}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    return {
        f"corners_{version}.json.gz": lambda: answers("rows_corners", "rows_accepted", "rows_nothing"),
        f"arguments_{version}.json.gz": lambda: answers("rows_arguments"),
    }
