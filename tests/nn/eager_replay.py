"""Run the eager cases of scripts/references with paddle_compat and compare with what the wheel answered."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import paddle_compat

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "references"))

import eager_answers  # noqa: E402


@cache
def recorded(table: str) -> dict[str, Any]:
    """What the wheel answered."""
    path = ROOT / "tests" / "references" / f"{table}_2.6.2.json"
    return json.loads(path.read_text() if path.exists() else gzip.decompress(path.with_suffix(".json.gz").read_bytes()))


def replay(module: str, table: str, name: str, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    """Run one case and compare all that it returned, warned of or raised."""
    case = importlib.import_module(module).CASES[name]
    got = json.loads(json.dumps(eager_answers.answer(paddle_compat, case)))
    found = [f"{where or '/'}: {ours!r}, the wheel: {real!r}" for where, ours, real in differences(got, recorded(table)[name], rtol, atol)]
    assert not found, "\n".join(found)


def differences(ours: Any, real: Any, rtol: float, atol: float, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two plain values differ, beyond rounding."""
    if isinstance(ours, dict) and isinstance(real, dict) and ours.keys() == real.keys():
        for key in ours:
            yield from differences(ours[key], real[key], rtol, atol, f"{where}/{key}")
    elif isinstance(ours, list) and isinstance(real, list) and len(ours) == len(real):
        for i, pair in enumerate(zip(ours, real)):
            yield from differences(*pair, rtol, atol, f"{where}/{i}")
    elif type(ours) is float and isinstance(real, (int, float)):
        if not np.allclose(ours, real, rtol, atol, equal_nan=True):
            yield where, ours, real
    elif isinstance(ours, str) and isinstance(real, str) and "Error" in real:
        if real.split("|")[0] not in ours.split("|"):
            yield where, ours, real
    elif ours != real:
        yield where, ours, real
