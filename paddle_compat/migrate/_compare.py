"""Where two runs part that `recorder.py` has written down."""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

STEPS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)


def main(arguments: Sequence[str]) -> int:
    """The command line.

    Args:
        arguments: two files, and tolerances.
    Returns:
        The status of the process: 1 if the runs part.
    """
    parser = argparse.ArgumentParser("python -m paddle_compat compare", description=__doc__)
    parser.add_argument("there", help="what the real Paddle's run wrote")
    parser.add_argument("here", help="what the run here wrote")
    parser.add_argument("--rtol", type=float, default=1e-4, help="relative difference that is let pass")
    parser.add_argument("--atol", type=float, default=1e-6, help="absolute difference that is let pass")
    given = parser.parse_args(arguments)
    for line in (report := list(compare(given.there, given.here, given.rtol, given.atol))):
        print(line)
    return int(not report[-1].startswith("alike"))


def compare(there: str, here: str, rtol: float = 1e-4, atol: float = 1e-6) -> Iterator[str]:
    """What is to be said of two runs.

    Args:
        there, here: files of `recorder.py`.
        rtol, atol: differences that are let pass.
    Returns:
        Iterator of str: where the difference grows, and a last line that begins with "alike" or "part".

    Example:
        >>> import pathlib, tempfile
        >>> from paddle_compat.migrate import compare
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.jsonl"
        >>> _ = file.write_text('{"kind": "loss", "where": "train.py:9", "values": [[[], "float32", [2.5, 0.0, 2.5, 2.5], [2.5]]]}')
        >>> list(compare(str(file), str(file)))
        ['alike: 1 points']
    """
    reached, count = 0, 0
    for count, (one, other) in enumerate(itertools.zip_longest(_points(there), _points(here)), 1):
        if one is None or other is None:
            yield f"part at point {count}: {there if one is None else here} ends there"
            return
        where = f"point {count} ({other['kind']}, {other['where']})"
        if one["kind"] != other["kind"] or len(one["values"]) != len(other["values"]):
            told = [f"{each['kind']} of {len(each['values'])} values at {each['where']}" for each in (one, other)]
            yield f"part at point {count}: {told[0]} there, {told[1]} here"
            return
        for number, (left, right) in enumerate(zip(one["values"], other["values"])):
            text, share = _difference(left, right, rtol, atol)
            if text:
                yield f"part at {where}, value {number}: {text}"
                return
            while reached < len(STEPS) and share > STEPS[reached]:
                yield f"from {where} on by more than {STEPS[reached]:g}"
                reached += 1
    yield f"alike: {count} points"


def _points(path: str) -> Iterator[dict[str, Any]]:
    with open(path) as file:
        yield from map(json.loads, file)


def _difference(left: Any, right: Any, rtol: float, atol: float) -> tuple[str, float]:
    """How two arrays differ, "" if they do not; and by which part of their greatest number."""
    if left is None or right is None:
        return ("" if left is right else f"{left and left[:2]} there, {right and right[:2]} here"), 0.0
    if left[:2] != right[:2]:
        return "{} of {} there, {} of {} here".format(*left[1::-1], *right[1::-1]), 0.0
    size = max((abs(each) for each in (*left[2][2:], *right[2][2:]) if math.isfinite(each)), default=0.0)
    most = 0.0
    for one, other in zip((*left[2], *left[3]), (*right[2], *right[3])):
        if one == other or math.isnan(one) and math.isnan(other):
            continue
        apart = abs(one - other)
        if not apart <= atol + rtol * size:
            there, here = (_shown(each) for each in (left, right))
            return f"{there} there, {here} here", 0.0
        most = max(most, apart / size if apart > atol else 0.0)
    return "", most


def _shown(array: Any) -> str:
    """Its one number, or what is known of it."""
    size, first = ([float(f"{number:.9g}") for number in each] for each in array[2:])
    if len(first) == 1:
        return str(first[0])
    return "{} to {}, mean {}, deviation {}, first {}".format(*size[2:], *size[:2], first)
