"""What Paddle 3.3 answers to the calls of tests/tensor/rows_paddle3.py, rows_paddle3_names.py and rows_compat.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict

WHEELS = ("3.3.1",)
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "tensor"))


def calls() -> Dict[str, Any]:
    """By row: its value or the exception that it raises. Each in a child: some calls break the memory of those that follow."""
    import paddle
    from child_process import asked
    from eager_rows import outcome
    from rows_compat import ROWS as COMPAT
    from rows_paddle3 import ROWS, names
    from rows_paddle3_names import ROWS as NAMES

    return {row: asked(lambda row=row: outcome(row, names(paddle)))[0] for row in [*ROWS, *NAMES, *COMPAT]}


def recordings(version: str) -> dict:
    return {"paddle3_calls_3.3.1.json.gz": calls}
