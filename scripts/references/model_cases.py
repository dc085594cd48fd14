"""The scripts of tests/models: their losses and parameters, and the programs that they build.

models_VERSION.json.gz: {model: what `Model.run` returns}.
programs_VERSION.json.gz: {"model/program": what `programs.plain_program` returns}.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import catalogue
import programs

WHEELS = ("1.8.5", "2.6.2")


def runs(version: str) -> dict[str, Any]:
    """What every model that has data gives; it is run twice, with all the others in between, and must repeat itself."""
    trained = {name: model for name, model in catalogue.models(version).items() if model.steps}
    first = {name: model.run(model.steps) for name, model in trained.items()}
    for name, model in trained.items():
        if model.run(model.steps) != first[name]:
            raise SystemExit(f"{name} gives other numbers when it is run again")
    return first


def built(version: str) -> dict[str, Any]:
    """Every program that a model builds."""
    return {
        name + "/" + which: programs.plain_program(program)
        for name, model in catalogue.models(version).items()
        for which, program in model.programs().items()
    }


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data files of a version."""
    return {
        f"models_{version}.json.gz": functools.partial(runs, version),
        f"programs_{version}.json.gz": functools.partial(built, version),
    }
