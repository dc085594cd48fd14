"""Every public name is documented, and the examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import functools
import importlib
import re
from typing import Any

import numpy as np
import pytest
from documented import Public, document, lacks, public
from paddle_state import fresh_state
from test_architecture import SOURCES, module_of

from paddle_compat.core import distributions

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Documentation is written, taken over from a class, or made where functions are; `_in_place` makes that of other modules.
WITH_EXAMPLES = [
    module_of(p)
    for p in SOURCES
    if re.search(r">>> |^    __doc__ = |_calls import .*\bmake\b", p.read_text(), re.MULTILINE) and p.stem != "_in_place"
]


@functools.cache
def of_public() -> dict[str, list[doctest.DocTest]]:
    """The examples of what is public, by the module that it belongs to: they need no name that a script does not import."""
    found: dict[str, list[doctest.DocTest]] = {}
    finder = doctest.DocTestFinder(recurse=False)
    for item in public():
        if ">>> " in document(item.value):
            name = f"{item.value.__module__}.{item.value.__qualname__}"
            found.setdefault(item.value.__module__, []).extend(finder.find(item.value, name, globs={}))
    return found


def examples(module: str) -> list[doctest.DocTest]:
    """All the examples of a module; what is not public is tried inside it."""
    tests = {test.name: test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples}
    return list((tests | {test.name: test for test in of_public().get(module, ())}).values())


SOME_NORMAL = np.random.default_rng(0).standard_normal(1 << 15, np.float32)


def repeated_normal(engine: Any, count: int, mean: float, std: float, dtype: Any = np.float32) -> Any:
    """The same normal numbers again and again, at a hundredth of the time that the wheel's take."""
    return np.resize((SOME_NORMAL * std + mean).astype(dtype), count)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if module.startswith("paddle_compat.vision.models."):  # hundreds of millions of weights, of which the examples show no value
        monkeypatch.setattr(distributions, "normal", repeated_normal)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report: list[str] = []
    found = examples(module)
    for test in found:
        with fresh_state():
            runner.run(test, out=report.append)
    assert found and not runner.failures, "".join(report)


def test_every_public_example_is_tried() -> None:
    names = {test.name.rpartition(".")[2] for tests in of_public().values() for test in tests}
    assert {"abs_", "where_", "add_", "reshape_", "fill_diagonal_tensor_"} <= names
    assert set(of_public()) <= set(WITH_EXAMPLES)


# What a docstring need not have, and why.
NEED_NOT = {
    **dict.fromkeys(("paddle_compat.install", "paddle_compat.uninstall"), {"the version of Paddle"}),  # no Paddle has them
}


def test_every_public_name_is_documented() -> None:
    found = {item.api: [what for what in lacks(item) if what not in NEED_NOT.get(item.api, ())] for item in public()}
    wrong = [f"{api} lacks {'; '.join(what)}" for api, what in found.items() if what]
    assert not wrong, "\n".join(wrong)
    assert all(api in found for api in NEED_NOT)


def test_what_lacks_something_is_seen() -> None:
    def bare(x: int) -> int:
        raise ValueError(x)

    assert lacks(Public("bare", bare)) == ["a docstring"]
    bare.__doc__ = "Nothing\n\nArgs:\n    y: another."
    assert lacks(Public("bare", bare)) == ["one line", "Args: x", "Returns", "Raises", "Example", "the version of Paddle"]
    bare.__doc__ = "One line.\n\nArgs:\n    x: it.\nReturns:\n    It.\nRaises:\n    ValueError: always.\n\nExample:\n    >>> 1\n    1\n\n"
    assert lacks(Public("bare", bare)) == ["the version of Paddle"]
    bare.__doc__ += "Follows Paddle 2.6."
    assert not lacks(Public("bare", bare))
