"""Short scripts write what they write with the real Paddle, to the last attribute and field."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from models.references import VERSIONS, recorded

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

CASES = [(version, name) for version in VERSIONS for name in recorded("written", version)]


def written_here(version: str, name: str) -> Any:
    """What the case writes here."""
    import paddle_compat as paddle

    written, age = importlib.import_module("written"), int(version[0])
    table = importlib.import_module("written_fluid" if age == 1 else "written_static").TEXT
    paddle.enable_static()
    return written.observe(paddle, age, written.cases(table)[name])


def differences(where: str, wanted: Any, got: Any) -> Iterator[str]:
    """The places where two plain values differ."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in [*wanted, *(key for key in got if key not in wanted)]:
            yield from differences(f"{where}, {key}", wanted.get(key), got.get(key))
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for number, (left, right) in enumerate(zip(wanted, got)):
            yield from differences(f"{where}[{number}]", left, right)
    elif wanted != got:
        yield f"{where}: expected {wanted!r}, received {got!r}"


def compare(where: str, wanted: Any, got: Any) -> Iterator[str]:
    """Where two programs differ; whether operators are the same comes before what they say."""
    kinds, ours = [[[op[0] for op in block[1]] for block in program] for program in (wanted, got)]
    if kinds != ours:
        yield f"{where}: expected operators {kinds}, received {ours}"
    else:
        yield from differences(where, wanted, got)


@pytest.mark.parametrize(("version", "name"), CASES)
def test_written(version: str, name: str) -> None:
    wanted, got = recorded("written", version)[name], written_here(version, name)
    found = [d for part in ("startup", "main") for d in compare(part, wanted.pop(part), got.pop(part))]
    found += list(differences("", wanted, got))
    assert not found, "\n".join(found[:12])
