"""Gradients through loops and branches: the operators of the wheels, and their numbers."""

from __future__ import annotations

import functools
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.core import mode

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/references"))

import loop_gradients  # noqa: E402

HOMES = {"1.8.5": fluid, "2.6.2": paddle}
OLD = [("1.8.5", case) for case in loop_gradients.OLD_CASES]
EACH = pytest.mark.parametrize(("version", "case"), [*((v, c) for v in HOMES for c in loop_gradients.CASES), *OLD])


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


@functools.cache
def recorded(version: str) -> Any:
    with gzip.open(ROOT / f"tests/references/loop_gradients_{version}.json.gz", "rt") as file:
        return json.load(file)


@EACH
def test_operators_are_those_of_the_wheel(version: str, case: str) -> None:
    found = loop_gradients.operators(loop_gradients.build(HOMES[version], case)[0])
    for block, (ours, expected) in enumerate(zip(found, recorded(version)[case]["operators"])):
        assert ours == expected, f"block {block}"
    assert len(found) == len(recorded(version)[case]["operators"])


@EACH
def test_numbers_are_those_of_the_wheel(version: str, case: str) -> None:
    found = loop_gradients.numbers(HOMES[version], case)
    for ours, expected in zip(found, recorded(version)[case]["numbers"]):
        assert len(ours) == len(expected)
        for value, other in zip(ours, expected):
            np.testing.assert_allclose(value, other, rtol=1e-4, atol=1e-6)
