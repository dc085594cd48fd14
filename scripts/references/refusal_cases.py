"""Calls with a wrong argument: when a real wheel refuses them, and with which exception.

refusals_VERSION.json.gz: {code: null (never), or [when, classes of the exception, its message]}. Calls that end or stop the
process of a wheel are left out.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import misuse_arguments
from child_process import asked
from misuse_cases import summary

WHEELS = ("1.8.5", "2.6.2")


def answer(version: str, code: str) -> Any:
    """What a call leads to."""
    refusal = misuse_arguments.outcome(version, code)
    if refusal is None:
        return None
    when, error = refusal
    return [when, [kind.__name__ for kind in type(error).__mro__], summary(error)[-300:]]


def refusals(version: str) -> dict[str, Any]:
    """Every call's answer."""
    __import__("paddle.fluid" if version == "1.8.5" else "paddle")
    answers = {code: asked(functools.partial(answer, version, code)) for code in misuse_arguments.CALLS[version]}
    return {code: told[0] for code, told in answers.items() if told}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a wheel."""
    return {f"refusals_{version}.json.gz": functools.partial(refusals, version)}
