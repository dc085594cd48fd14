"""What little eager scripts about Tensors give: the tables tests/tensor/rows_eager_*.py; and tests/tensor/operator_types.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Dict

import numpy as np

WHEELS = ("2.6.2",)
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tensor"))
TABLES = tuple(sorted(path.stem[len("rows_eager_") :] for path in (ROOT / "tests" / "tensor").glob("rows_eager_*.py")))


def record_table(name: str) -> Dict[str, Any]:
    """What the wheel answers to every row of one table."""
    import paddle
    from eager_rows import outcome

    paddle.disable_static()
    found = {}
    for row in importlib.import_module("rows_eager_" + name).ROWS:
        paddle.seed(102)
        with paddle.utils.unique_name.guard():
            found[row] = outcome(row, {"paddle": paddle, "np": np})
    return found


def record_types() -> Dict[str, Any]:
    """What Python's operators give for every pair of data types."""
    import paddle
    from operator_types import DTYPES, SIGNS, outcomes

    paddle.disable_static()
    return {"%s %s" % (dtype, sign): outcomes(paddle, sign, dtype) for dtype in DTYPES for sign in SIGNS}


def record_members() -> Dict[str, bool]:
    """The members of a Tensor, and whether each is called."""
    import paddle

    paddle.disable_static()
    x = paddle.to_tensor([1.0])
    return {name: callable(getattr(x, name)) for name in dir(x)}


def recordings(version: str) -> Dict[str, Any]:
    """The data files."""
    found = {"tensor_eager_%s_%s.json.gz" % (name, version): lambda name=name: record_table(name) for name in TABLES}
    found["tensor_members_%s.json" % version] = record_members
    found["tensor_operator_types_%s.json.gz" % version] = record_types
    return found
