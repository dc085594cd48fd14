"""Short pieces of Paddle 3 code answer what Paddle 3.3 answers, or raise what it raises."""

from __future__ import annotations

import gzip
import importlib
import json
from typing import Any

import pytest
from models.references import HERE
from test_behaviours import check

pytestmark = pytest.mark.usefixtures("paddle_is_ours")
RECORDED: dict[str, Any] = json.loads(gzip.decompress((HERE.parent / "references/paddle3_pieces_3.3.1.json.gz").read_bytes()))


@pytest.mark.parametrize("name", RECORDED)
def test_piece(name: str) -> None:
    pieces = importlib.import_module("paddle3_pieces")
    assert RECORDED[name]["code"] == pieces.CASES[name], "record the pieces again"
    check(pieces.answer(name), RECORDED[name]["answer"])


def test_all_pieces_are_recorded() -> None:
    assert RECORDED.keys() == importlib.import_module("paddle3_pieces").CASES.keys()
