"""What expressions give in eager mode and in a Program, with their gradients: the tables tests/tensor/rows_modes_*.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Dict

WHEELS = ("2.6.2",)
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tensor"))
TABLES = tuple(sorted(path.stem[len("rows_modes_") :] for path in (ROOT / "tests" / "tensor").glob("rows_modes_*.py")))


def record_table(name: str) -> Dict[str, Any]:
    """What the wheel answers to every row of one table."""
    import paddle
    from mode_rows import MODES

    rows = importlib.import_module("rows_modes_" + name).ROWS
    return {mode: {row: give(row, paddle) for row in rows[mode] + rows["both"]} for mode, give in MODES.items()}


def recordings(version: str) -> Dict[str, Any]:
    """The data files."""
    return {"tensor_modes_%s_%s.json.gz" % (name, version): lambda name=name: record_table(name) for name in TABLES}
