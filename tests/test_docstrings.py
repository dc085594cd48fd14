"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest
from paddle_state import fresh_state
from test_architecture import SOURCES, module_of

WITH_EXAMPLES = [module_of(path) for path in SOURCES if ">>> " in path.read_text()]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples(module: str) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report: list[str] = []
    found = [test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples]
    for test in found:
        with fresh_state():
            runner.run(test, out=report.append)
    assert found and not runner.failures, "".join(report)
