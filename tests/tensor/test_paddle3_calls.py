"""Calls in Paddle 3's spelling compute what 3.3.1 computes: values, data types, gradients; and are refused where it refuses them."""

from __future__ import annotations

import builtins
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from eager_rows import outcome
from rows_compat import ROWS as COMPAT
from rows_paddle3 import ROWS as SPELLINGS
from rows_paddle3 import names
from rows_paddle3_names import ROWS as NAMES
from test_eager_rows import same

import paddle_compat as paddle

WHEEL: dict[str, Any] = json.loads(gzip.decompress((Path(__file__).parents[1] / "references/paddle3_calls_3.3.1.json.gz").read_bytes()))
ROWS = [*SPELLINGS, *NAMES, *COMPAT]


def difference(row: str) -> str:
    """In which way ours differs; nothing where it does not."""
    theirs = WHEEL[row]
    ours = outcome(row, names(paddle))
    if "error" not in theirs:
        return "" if same(ours.get("value"), theirs["value"], 1e-5) else f"{row}: {ours}, the wheel {theirs}"
    kinds = {kind for kind in theirs["error"] if hasattr(builtins, kind)}
    return "" if kinds & set(ours.get("error", ())) - {"Exception"} else f"{row}: {ours}, the wheel {theirs}"


@pytest.mark.parametrize("part", range(8))
def test_calls(part: int) -> None:
    paddle.disable_static()
    assert not [told for told in map(difference, ROWS[part::8]) if told]
