"""The LoD levels that gradient operators hand on are the wheels'."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paddle_compat.core import op as registry
from paddle_compat.core._grad_lods import lod_source
from paddle_compat.core.operator import GRAD_SUFFIX

REFERENCES = Path(__file__).parent.parent / "references"
AGES = {1: "1.8.5", 2: "2.6.2"}


@pytest.mark.parametrize("age", AGES)
def test_every_gradient_takes_its_level_from_where_the_wheel_does(age: int) -> None:
    recorded = json.loads((REFERENCES / f"gradient_lods_{AGES[age]}.json").read_text())
    ours = {definition.grad_type for definition in registry.registered().values()}
    compared = {type_: row for type_, row in recorded.items() if type_ in ours}
    assert len(compared) > 150
    for type_, row in compared.items():
        assert {slot: lod_source(type_, slot, age) for slot in row} == row, type_
        assert all(slot.endswith(GRAD_SUFFIX) for slot in row)
