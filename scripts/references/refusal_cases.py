"""Calls with a wrong argument: when a real wheel refuses them, and with which exception.

refusals_VERSION.json.gz: {code: null (never), or [when, classes of the exception, its message]}. Calls that end or stop the
process of a wheel are left out.
"""

from __future__ import annotations

import functools
import json
import os
import signal
from typing import Any, Callable

import misuse_arguments
from misuse_cases import summary

WHEELS = ("1.8.5", "2.6.2")
SECONDS = 10


def answer(version: str, code: str) -> Any:
    """What a call leads to."""
    refusal = misuse_arguments.outcome(version, code)
    if refusal is None:
        return None
    when, error = refusal
    return [when, [kind.__name__ for kind in type(error).__mro__], summary(error)[-300:]]


def in_a_child(version: str, code: str) -> str:
    """The answer as JSON; nothing where the wheel crashes."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        signal.alarm(SECONDS)  # some calls make a wheel wait for ever
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(write, "w") as pipe:
            pipe.write(json.dumps(answer(version, code)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text


def refusals(version: str) -> dict[str, Any]:
    """Every call's answer."""
    __import__("paddle.fluid" if version == "1.8.5" else "paddle")
    texts = {code: in_a_child(version, code) for code in misuse_arguments.CALLS[version]}
    return {code: json.loads(text) for code, text in texts.items() if text}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a wheel."""
    return {f"refusals_{version}.json.gz": functools.partial(refusals, version)}
