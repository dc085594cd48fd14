"""What two runs said of their operators' results (`TensorCheckerConfig(output_dir=...)`), side by side."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from paddle_compat.amp._worksheets import Cell

_WORD = re.compile(r"(\w+)=([^,\]\s]*)")
_NUMBERS = ("max", "min", "mean")
_COLUMNS = (("dtype", 8), ("max_value", 16), ("min_value", 16), ("mean_value", 16), ("num_zero", 10))
_HEADS = (
    *(("", title, width) for title, width in (("op_type", 24), ("tensor_name", 60), ("numel", 10), ("infinite", 8))),
    *(("fp32", title, width) for title, width in _COLUMNS),
    *(("fp16 (scale={scale})", title, width) for title, width in (*_COLUMNS, ("num_inf", 8), ("num_nan", 8))),
    *(("fp16 / fp32", f"{number}_value", 16) for number in _NUMBERS),
)
WIDTHS = tuple(width for _, _, width in _HEADS)
_MOST_ELEMENTS = np.iinfo(np.int32).max
_LARGEST_HALF = 65519.0  # above it, a float16 is infinite
_NEAR = 0.05

Line = dict[str, str]


def lines_of(path: str) -> list[Line]:
    """The lines that a run wrote into a file, by their words; none where there is no file."""
    if not os.path.isfile(path):
        print(f"the file {path} is not found")
        return []
    with open(path, encoding="utf-8") as stream:
        return [dict(_WORD.findall(line)) for line in stream if "[PRECISION]" in line]


def table(full: list[Line], half: list[Line], scale: float) -> tuple[list[list[Cell]], list[str]]:
    """Rows of what a run in half precision said, each beside what one in full precision said of the same result.

    Args:
        full: lines of the run in full precision.
        half: lines of that in half precision.
        scale: what the loss was multiplied by there.
    Returns:
        The rows, titles first, and the types of the operators whose results half precision does not hold.
    """
    groups: list[Cell] = [(group.format(scale=scale), "title" if group else "") for group, _, _ in _HEADS]
    rows = [groups, [(title, "title") for _, title, _ in _HEADS]]
    failing: list[str] = []
    for one, other, number in _pairs(full, half):
        bad = _is_bad(one, other, scale)
        if bad and other["op"] not in failing:
            failing.append(other["op"])
        name = f"{other['tensor']}#{number}" if one else other["tensor"]
        numel = int(other["numel"])
        row: list[Cell] = [(other["op"], ""), (name, "name" if one and other["tensor"] else "")]
        row += [(numel, "bad" if numel > _MOST_ELEMENTS else ""), ("1", "bad") if bad else ("0", "")]
        for line in (one, other):
            row.append((line["dtype"], "half" if line["dtype"] == "fp16" else "") if line else ("--", ""))
            row += [_number(line, what) for what in _NUMBERS]
            row.append((int(line["num_zero"]), "") if line else ("--", ""))
        row += [(found, "bad" if found else "") for found in (int(other.get(what, 0)) for what in ("num_inf", "num_nan"))]
        row += [_ratio(one, other, what, scale) for what in _NUMBERS]
        rows.append(row)
    return rows, failing


def _pairs(full: list[Line], half: list[Line]) -> Iterator[tuple[Line | None, Line, int]]:
    """Each line in half precision, that in full precision of the same operator and tensor, and which of several it is."""
    found: dict[tuple[str, str, int], Line] = {}
    count: Counter[tuple[str, str]] = Counter()
    for line in full:
        key = line["op"], line["tensor"]
        place = (*key, count[key])
        found[place] = line
        count[key] += 1
    count.clear()
    for line in half:
        key = line["op"], line["tensor"].replace(".cast_fp16", "").replace(".cast_fp32", "")
        one, number = found.get((*key, count[key])), count[key]
        if one is not None:
            count[key] += 1
            if one["numel"] != line["numel"]:
                raise AssertionError(
                    f"Invalid lines for `compare_accuracy`. Expected as many elements in both runs' {key[0]}. Received: {one} and {line}"
                )
        yield one, line, number


def _is_bad(one: Line | None, other: Line, scale: float) -> bool:
    """Whether half precision does not hold a result, or gives another gradient than full precision does."""
    values = [float(line[what]) for line in (one, other) if line for what in ("max", "min")]
    if one and "GRAD" in one["tensor"]:
        scaled = [scale * float(one[what]) for what in ("max", "min")]
        if not all(np.allclose(float(other[what]), value, atol=1e-2, rtol=1e-2) for what, value in zip(("max", "min"), scaled)):
            return True
        values += scaled
    return (
        int(other["numel"]) > _MOST_ELEMENTS
        or any(not abs(value) <= _LARGEST_HALF for value in values)
        or any(int(other.get(what, 0)) for what in ("num_inf", "num_nan"))
    )


def _number(line: Line | None, what: str) -> Cell:
    if line is None:
        return "--", ""
    value = float(line[what])
    return f"{value:.6E}" if abs(value) < 1e-5 else f"{value:.6f}", "" if abs(value) <= _LARGEST_HALF else "bad"


def _ratio(one: Line | None, other: Line, what: str, scale: float) -> Cell:
    if one is None:
        return "--", ""
    below = float(one[what])
    value = float(other[what]) / below if below else 1.0
    near = any((1 - _NEAR) * expected < value < (1 + _NEAR) * expected for expected in (1, scale))
    return f"{value:.6f}", "" if near else "far"
