"""Odd and wrong calls of `Executor.run` do what the real Paddle does: the same results, exceptions that can be caught alike."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest
from models.references import HERE, VERSIONS
from test_wrong_arguments import STUMBLES

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


def recorded(version: str) -> dict[str, Any]:
    """What the wheel of a version did in each case."""
    content: dict[str, Any] = json.loads((HERE.parent / "references" / f"runs_{version}.json").read_text())
    return content


def equal(ours: Any, theirs: Any) -> bool:
    """Whether two received values, as JSON has them, are equal but for rounding."""
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(equal, ours, theirs))
    if isinstance(theirs, dict):
        alike = isinstance(ours, dict) and (ours["dtype"], ours["shape"]) == (theirs["dtype"], theirs["shape"])
        return alike and np.allclose(ours["values"], theirs["values"], rtol=1e-5, atol=1e-6, equal_nan=True)
    if isinstance(theirs, float):
        return bool(np.isclose(ours, theirs, rtol=1e-5))
    return bool(ours == theirs)


def difference(version: str, name: str) -> str:
    """In which way ours differs; nothing where it does not."""
    misuse_runs, expected = importlib.import_module("misuse_runs"), recorded(version)[name]
    assert expected["code"] == misuse_runs.CASES[version][name], "record the runs again"
    error, got, changed = misuse_runs.outcome(version, expected["code"])
    if expected["mro"] is None:
        if error is not None:
            return f"the wheel lets it pass, here {error!r} is raised"
        if not equal(got, expected["got"]):
            return f"expected {expected['got']}, received {got}"
        return "" if changed == expected["changed"] else f"expected changes of {expected['changed']}, received {changed}"
    if error is None:
        return f"the wheel raises {expected['mro'][0]}, here {got} is received"
    kinds = set() if STUMBLES.search(expected["message"]) else set(expected["mro"])
    if kinds - {kind.__name__ for kind in type(error).__mro__}:
        return f"expected a {expected['mro'][0]}, received {error!r}"
    if set(changed) - set(expected["changed"]):
        return f"a failed run changed {changed}"
    return "" if len(str(error).split()) > 3 else f"a message that says nothing: {error!r}"


@pytest.mark.parametrize(("version", "name"), [(version, name) for version in VERSIONS for name in recorded(version)])
def test_run(version: str, name: str) -> None:
    found = difference(version, name)
    if name in importlib.import_module("misuse_runs").KNOWN[version]:
        assert found, "no difference any more: take it off the list"
    else:
        assert not found
