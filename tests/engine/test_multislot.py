"""MultiSlot text as arrays: every way to write numbers, malformed lines by file and number, and the order of samples."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.engine.multislot import Columns, Slot, parse

IDS, X, W = Slot("ids", False, None), Slot("x", True, (2,)), Slot("w", True, None)


def floats(words: list[str]) -> np.ndarray:
    return parse(f"{len(words)} {' '.join(words)}\n".encode(), [W]).values[0]


def test_whole_numbers() -> None:
    numbers = np.random.default_rng(0)
    words = [str(int(numbers.integers(0, 10**k, dtype=np.uint64))) for k in range(1, 20) for _ in range(50)]
    words += ["0", "-1", "+7", "-9223372036854775808", "18446744073709551615", "99999999999999999999999", "00000000000000000000012"]
    found = parse(f"{len(words)} {' '.join(words)}\n".encode(), [IDS]).values[0]
    assert found.dtype == np.int64
    assert found.tolist() == [(min(int(w), 2**64 - 1) + 2**63) % 2**64 - 2**63 for w in words]


def test_floats_are_those_of_python() -> None:
    numbers = np.random.default_rng(1)
    values = np.concatenate([numbers.standard_normal(3000), numbers.standard_normal(500) * 10.0 ** numbers.integers(-30, 30, 500)])
    words = [f(v) for v in values.tolist() for f in (repr, "{:g}".format, "{:.4f}".format, "{:.12f}".format, "{:e}".format)]
    words += [".5", "5.", "-.25", "+1", "-0", "nan", "-inf", "1E3", "1e-45", "3.4028236e38", "16777217", "0.1000000000000000000001"]
    # halfway between two float32s, and next to it
    words += ["1.00000005960464477539", "1.000000059604644775390625", "1.00000005960464478", "33554434.0000000001", "16777219.00000000001"]
    with np.errstate(over="ignore"):
        expected = np.array([float(word) for word in words]).astype(np.float32)
    found = floats(words)
    assert found.dtype == np.float32
    assert found.tobytes() == expected.tobytes()


def test_samples() -> None:
    text = b"2 1 2 2 .5 1 1 7\n1 3\t2  1 1.5 2 8 9 extra words\r\n3 4 5 6 2 2 2.5 1 10"
    found = parse(text, [IDS, X, W])
    assert found.size == 3
    assert found.values[0].tolist() == [1, 2, 3, 4, 5, 6] and found.offsets[0].tolist() == [0, 2, 3, 6]  # type: ignore[union-attr]
    assert found.values[1].tolist() == [0.5, 1, 1, 1.5, 2, 2.5] and found.offsets[1] is None
    assert found.values[2].tolist() == [7, 8, 9, 10]
    turned = found.chosen(np.array([2, 0, 1]))
    assert turned.values[0].tolist() == [4, 5, 6, 1, 2, 3] and turned.values[1].tolist() == [2, 2.5, 0.5, 1, 1, 1.5]
    assert found.chosen(np.array([2, 0, 1]), only="ids").values[2].tolist() == [7, 8, 9, 10]
    back = Columns.joined(found.slots, [found.part(0, 1), found.part(1, 3)])
    for one, other in zip(
        [*back.values, back.offsets[0], back.offsets[2]], [*found.values, found.offsets[0], found.offsets[2]], strict=True
    ):
        assert np.array_equal(one, other)  # type: ignore[arg-type]
    named = parse(b"1 name 1 9 2 1 2 1 3\n", [IDS, X, W], skipped=1)
    assert named.values[0].tolist() == [9]


@pytest.mark.parametrize(
    ("line", "slot", "received"),
    [
        ("0 2 0.5 1.5", "ids", "'0', as value 1"),
        ("1 5", "x", "the end of the line, as value 3"),
        ("1 5 2 0.5", "x", "'2', as value 3"),
        ("1 abc 2 0.5 1.5", "ids", "'abc', as value 2"),
        ("1 5.5 2 0.5 1.5", "ids", "'5.5', as value 2"),
        ("1 - 2 0.5 1.5", "ids", "'-', as value 2"),
        ("1 5 3 0.5 1.5 2.5", "x", "'3', as value 3"),
        ("1 5 2 0.5 1.5x", "x", "'1.5x', as value 5"),
        ("1 5 2 . 1.5", "x", "'.', as value 4"),
        ("-1 5 2 0.5 1.5", "ids", "'-1', as value 1"),
        ("9 5 2 0.5 1.5", "ids", "'9', as value 1"),
        ("", "ids", "the end of the line, as value 1"),
    ],
)
def test_malformed_lines(line: str, slot: str, received: str) -> None:
    good = "1 5 2 0.5 1.5\n"
    with pytest.raises(InvalidArgumentError) as caught:
        parse((good * 3 + line + "\n" + good).encode(), [IDS, X], "part-1", 101)
    text = str(caught.value)
    assert text.startswith("part-1, line 104: ") and f"`{slot}`" in text and received in text
