"""Which classes and functions of `paddle.nn` the eager cases use: eager_names_2.6.2.json is {"classes": [...], "functions": [...]}."""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Callable
from unittest import mock

WHEELS = ("2.6.2",)
TABLES = ("eager_layer_cases", "eager_class_cases", "eager_container_cases", "eager_start_cases")


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_names_{version}.json": record}


def record() -> dict[str, list[str]]:
    """Run every case and note what it makes and calls."""
    import contextlib

    import eager_answers
    import eager_programs
    import paddle

    classes: set[str] = set()
    functions: set[str] = set()

    def noted(kind: Any, name: str) -> Any:
        init = kind.__init__

        def start(self: Any, *args: Any, **kwargs: Any) -> None:
            if type(self) is kind or not name.startswith("_"):
                classes.add(name)
            init(self, *args, **kwargs)

        return start

    def called(function: Any, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            functions.add(name)
            return function(*args, **kwargs)

        return call

    cases = {table: importlib.import_module(table).CASES for table in TABLES}
    programs = {table: importlib.import_module("program_cases_" + table).CASES for table in ("layers", "functional", "rnn", "losses")}
    with contextlib.ExitStack() as spies:
        for name in paddle.nn.__all__:
            kind = getattr(paddle.nn, name)
            if inspect.isclass(kind):
                spies.enter_context(mock.patch.object(kind, "__init__", noted(kind, name)))
        for name in paddle.nn.functional.__all__:
            function = getattr(paddle.nn.functional, name)
            spies.enter_context(mock.patch.object(paddle.nn.functional, name, called(function, name)))
        for table in cases.values():
            for case in table.values():
                eager_answers.answer(paddle, case)
        for table in programs.values():
            for case in table.values():
                eager_programs.answer(paddle, case)
    return {"classes": sorted(classes), "functions": sorted(functions)}
