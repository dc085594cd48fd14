"""Wrong arguments of much used functions are refused where the real Paddle refuses them, with an exception that can be caught alike."""

from __future__ import annotations

import gzip
import importlib
import json
import re
from typing import Any

import pytest
from models.references import HERE, VERSIONS

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

# What Python itself says when a wheel stumbles over an argument that it did not check: any refusal will do.
STUMBLES = re.compile(
    "has no attribute|not supported between|NoneType|division|not iterable|incompatible|unsupported operand|has no len|Invoked with"
    "|not callable|empty sequence|index out of range|not subscriptable|could not convert|must be str|must be real number|ignature match"
)


def recorded(version: str) -> dict[str, Any]:
    """What a wheel does with each call."""
    content: dict[str, Any] = json.loads(gzip.decompress((HERE.parent / f"references/refusals_{version}.json.gz").read_bytes()))
    return content


def complaint(version: str, code: str, expected: Any) -> str:
    """In which way ours differs; nothing where it does not. To refuse earlier than the wheel is no difference."""
    refusal = importlib.import_module("misuse_arguments").outcome(version, code)
    if expected is None or refusal is None:
        return "" if expected is refusal else f"expected {expected}, received {refusal}"
    (when, kinds, message), (ours_when, error) = expected, refusal
    if ours_when == "run" and when == "record":
        return f"expected {kinds[0]} when it is recorded, received {error!r} when it runs"
    if STUMBLES.search(message):
        return ""
    if set(kinds) - {kind.__name__ for kind in type(error).__mro__}:
        return f"expected {kinds[0]}, received {error!r}"
    return "" if "eceived" in str(error) or len(str(error).split()) > 3 else f"a message that says nothing: {error!r}"


@pytest.mark.parametrize(("version", "code"), [(version, code) for version in VERSIONS for code in recorded(version)])
def test_wrong_argument(version: str, code: str) -> None:
    found = complaint(version, code, recorded(version)[code])
    if code in importlib.import_module("misuse_arguments").KNOWN[version]:
        assert found, "no difference any more: take it off the list"
    else:
        assert not found
