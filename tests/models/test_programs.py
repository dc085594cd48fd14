"""The model scripts build the real Paddle's programs: operators, slots, roles, variables and attributes."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from models.references import VERSIONS, recorded

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

PROGRAMS = [(version, name) for version in VERSIONS for name in recorded("programs", version)]
SHOWN = 12


@functools.lru_cache(maxsize=None)
def built(model: str) -> dict[str, Any]:
    """The programs that a model builds here, as plain values."""
    plain_program = importlib.import_module("programs").plain_program
    programs = importlib.import_module("catalogue").model(model).programs()
    return {name: plain_program(program) for name, program in programs.items()}


def compare(version: str, name: str, differences: Callable[[Any, Any], Iterator[str]]) -> None:
    """Fail with the first differences between a recorded program and the one built here."""
    model, _, program = name.partition("/")
    found = list(islice(differences(recorded("programs", version)[name], built(model)[program]), SHOWN))
    assert not found, f"{name} of {version}:\n" + "\n".join(found)


@pytest.mark.parametrize(("version", "name"), PROGRAMS)
def test_operators(version: str, name: str) -> None:
    """Types in order, the variables in every slot, roles."""
    compare(version, name, importlib.import_module("programs").operator_differences)


@pytest.mark.parametrize(("version", "name"), PROGRAMS)
def test_variables(version: str, name: str) -> None:
    """Names, shapes, dtypes, and what else is known about each variable."""
    compare(version, name, importlib.import_module("programs").variable_differences)


@pytest.mark.parametrize(("version", "name"), PROGRAMS)
def test_attributes(version: str, name: str) -> None:
    """Every attribute that our operator declares and the wheel wrote."""
    compare(version, name, importlib.import_module("programs").attribute_differences)
