"""Wrong uses of Paddle: the exception and the message of a real wheel.

errors_VERSION.json: {case: {code, mro, message}}; mro is null where the wheel lets it pass.
"""

from __future__ import annotations

import functools
import re
from typing import Any, Callable

import misuse

WHEELS = ("1.8.5", "2.6.2")


def summary(error: BaseException) -> str:
    """The part of a message that is about the mistake: no stacks, no paths of the machine."""
    text = str(error)
    if "Error Message Summary" in text:
        text = text.split("Error Message Summary", 1)[1].split("\n", 2)[2]
    if "In user code:" in text:
        text = text.rsplit("extract_stack():", 1)[-1]
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    return re.sub(r"\S*/([\w.]+)(?=[:\s\)\"]|$)", r"\1", text).strip()


def failures(version: str) -> dict[str, Any]:
    """What each wrong use raises, each after a script of its own."""
    found = {}
    for name, case in misuse.CASES[version].items():
        with misuse.script(version) as names:
            error = misuse.failure(names, case.code)
            found[name] = {
                "code": case.code,
                "mro": None if error is None else [kind.__name__ for kind in type(error).__mro__],
                "message": None if error is None else summary(error),
            }
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a version."""
    return {f"errors_{version}.json": functools.partial(failures, version)}
