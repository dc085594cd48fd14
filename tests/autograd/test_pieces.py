"""Short pieces of eager code answer what the real Paddle answers, or raise what it raises."""

from __future__ import annotations

import functools
import gzip
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models.references import HERE

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

sys.path.insert(0, str(Path(__file__).parent))
pieces = importlib.import_module("pieces")
CASES = [(table, name) for table in pieces.TABLES for name in pieces.cases(table)]


@functools.cache
def recorded(table: str) -> dict[str, Any]:
    """What the wheel answered."""
    path = HERE.parent / "references" / f"autograd_{table}.json.gz"
    content: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return content


def check(got: Any, expected: Any, rtol: float = 2e-5) -> None:
    """Compare two answers: numbers up to their last bits, everything else exactly."""
    if isinstance(expected, float):
        assert isinstance(got, float)
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=2e-6)
    elif isinstance(expected, list):
        assert isinstance(got, list), f"expected {expected}, received {got}"
        assert len(got) == len(expected), f"expected {expected}, received {got}"
        for one, other in zip(got, expected):
            check(one, other, rtol)
    elif isinstance(expected, dict):
        assert isinstance(got, dict), f"the wheel raises {expected['raises'][0]}, here the answer is {got}"
        assert not set(expected["raises"]) - set(got["raises"]), f"expected {expected['raises']}, received {got['raises']}"
    else:
        assert got == expected


@pytest.mark.parametrize(("table", "name"), CASES)
def test_piece(table: str, name: str) -> None:
    code, expected = pieces.cases(table)[name], recorded(table).get(name)
    assert expected is not None, "record the pieces again"
    assert expected["code"] == code, "record the pieces again"
    check(pieces.answer(code), expected["answer"])
