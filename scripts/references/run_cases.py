"""Odd and wrong calls of `Executor.run`: what a real wheel returns or raises, and what it changes.

runs_VERSION.json: {case: {code, mro, message, got, changed}}; mro is null where the wheel lets it pass. Cases that end or stop
the process of a wheel are left out.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import misuse_runs
from child_process import asked
from misuse_cases import summary

WHEELS = ("1.8.5", "2.6.2")


def answer(version: str, code: str) -> Any:
    """What a case leads to."""
    error, got, changed = misuse_runs.outcome(version, code)
    mro = None if error is None else [kind.__name__ for kind in type(error).__mro__]
    return {"code": code, "mro": mro, "message": error and summary(error)[:300], "got": got, "changed": changed}


def runs(version: str) -> dict[str, Any]:
    """Every case's answer."""
    __import__("paddle.fluid" if version == "1.8.5" else "paddle")
    answers = {name: asked(functools.partial(answer, version, code)) for name, code in misuse_runs.CASES[version].items()}
    return {name: told[0] for name, told in answers.items() if told}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a wheel."""
    return {f"runs_{version}.json": functools.partial(runs, version)}
