"""Data parallel runs on several CPU replicas give what Paddle 1.8.5 gives: losses, parameters, parts, errors."""

from __future__ import annotations

import gzip
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT, replicas_end

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import parallel_cases
import parallel_programs
import parallel_uses

MODULES = (parallel_cases, parallel_programs, parallel_uses)
REAL = {
    module: json.loads(gzip.decompress((ROOT / f"tests/references/{module.__name__}.json.gz").read_bytes())) for module in MODULES
}


class Kind:
    """Equals an exception's kinds that the wheel's kind is one of."""

    def __init__(self, kinds: list[str]) -> None:
        self.kind = kinds[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and self.kind in other["kinds"]

    def __repr__(self) -> str:
        return self.kind


def close(value: Any) -> Any:
    """A value to compare with, but for rounding."""
    if isinstance(value, list):
        return [close(item) for item in value]
    if isinstance(value, dict):
        return Kind(value["kinds"]) if "kinds" in value else {key: close(item) for key, item in value.items()}
    return pytest.approx(value, rel=1e-5, abs=1e-6, nan_ok=True) if isinstance(value, float) else value


def of_wheel(found: Any, real: Any) -> Any:
    """What is found, without the entries of later versions."""
    if isinstance(real, dict) and "kinds" not in real and isinstance(found, dict):
        return {key: of_wheel(found[key], item) for key, item in real.items()}
    if isinstance(real, list) and isinstance(found, list) and len(real) == len(found):
        return [of_wheel(each, item) for each, item in zip(found, real)]
    return found


@pytest.fixture(scope="module", autouse=True)
def no_thread_is_left() -> Iterator[None]:
    with replicas_end():
        yield  # to all cases: looking through what each of them left takes longer than the cases


@pytest.mark.parametrize(("module", "case"), [(module, case) for module in MODULES for case in module.CASES])
def test_answers(module: Any, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # into which cases draw graphs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert of_wheel(module.answer(fluid, case), REAL[module][case]) == close(REAL[module][case])
