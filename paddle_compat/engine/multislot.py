"""MultiSlot text to arrays: each line holds, slot by slot, how many values follow and the values.

A chunk of whole lines is read at once: the edges of words, the digits of all words in three multiplications (eight bytes are one
64-bit number), and then, slot by slot, where the words of all lines lie. No line is looked at by itself unless it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from paddle_compat.core.errors import InvalidArgumentError

_PAD = b" " * 32  # before a chunk, so that the eight bytes that end with a word's last one are always there
_POWERS = 10 ** np.arange(20, dtype=np.uint64)
_EXACT = 1 << 53  # whole numbers up to here are float64s
_SPACE, _NEWLINE, _PLUS, _MINUS, _DOT, _ZERO = b" \n+-.0"


class Slot(NamedTuple):
    """What a line has for one variable."""

    name: str
    is_float: bool  # float32, else int64
    shape: tuple[int, ...] | None  # of a sample's dense tensor; None: a sequence of any length


class Columns:
    """Samples, slot by slot: the values of all of them one after another.

    Args:
        slots: what each sample has.
        values: of each slot.
        offsets: where in them each sample begins, and their end; None for a dense slot.
        size: how many samples there are.
    """

    def __init__(self, slots: Sequence[Slot], values: list[np.ndarray], offsets: list[np.ndarray | None], size: int) -> None:
        self.slots, self.values, self.offsets, self.size = slots, values, offsets, size

    def part(self, begin: int, end: int) -> Columns:
        """Some samples in a row; what they hold is shared."""
        values: list[np.ndarray] = []
        offsets: list[np.ndarray | None] = []
        for slot, array, offset in zip(self.slots, self.values, self.offsets, strict=True):
            if offset is None:
                width = _width(slot)
                values.append(array[begin * width : end * width])
                offsets.append(None)
            else:
                values.append(array[offset[begin] : offset[end]])
                offsets.append(offset[begin : end + 1] - offset[begin])
        return Columns(self.slots, values, offsets, end - begin)

    def chosen(self, rows: np.ndarray, only: str | None = None) -> Columns:
        """Samples in another order.

        Args:
            rows: their numbers.
            only: the slot that comes in that order, where the others stay.
        """
        values, offsets = list(self.values), list(self.offsets)
        for i, slot in enumerate(self.slots):
            if only is not None and slot.name != only:
                continue
            offset = offsets[i]
            if offset is None:
                values[i] = values[i].reshape(self.size, _width(slot))[rows].reshape(-1)
            else:
                counts = np.diff(offset)[rows]
                offsets[i] = _offsets(counts)
                values[i] = values[i][_ranges(offset[:-1][rows], counts)]
        return Columns(self.slots, values, offsets, len(rows))

    def without_zeros(self) -> Columns:
        """Sequences without their zeros; one that holds nothing else is a single zero. Dense slots keep theirs."""
        values, offsets = list(self.values), list(self.offsets)
        for i, offset in enumerate(self.offsets):
            if offset is None or not len(self.values[i]):
                continue
            kept = np.abs(self.values[i].astype(np.float64)) >= 1e-6 if self.slots[i].is_float else self.values[i] != 0
            counts = np.add.reduceat(kept, offset[:-1], dtype=np.int64)
            kept[offset[:-1][counts == 0]] = True  # the first one stands for all
            found = values[i][kept]
            offsets[i] = places = _offsets(np.maximum(counts, 1))
            found[places[:-1][counts == 0]] = 0
            values[i] = found
        return Columns(self.slots, values, offsets, self.size)

    @staticmethod
    def joined(slots: Sequence[Slot], parts: Sequence[Columns]) -> Columns:
        """Samples of several parts, one part after another."""
        if len(parts) == 1:
            return parts[0]
        values: list[np.ndarray] = []
        offsets: list[np.ndarray | None] = []
        for i, slot in enumerate(slots):
            empty = np.empty(0, np.float32 if slot.is_float else np.int64)
            values.append(np.concatenate([empty, *(part.values[i] for part in parts)]))
            if slot.shape is None:
                lengths = [np.diff(offset) for part in parts if (offset := part.offsets[i]) is not None]
                offsets.append(_offsets(np.concatenate([np.empty(0, np.int64), *lengths])))
            else:
                offsets.append(None)
        return Columns(slots, values, offsets, sum(part.size for part in parts))


def _width(slot: Slot) -> int:
    return int(np.prod(slot.shape or (1,), dtype=np.int64))


def _offsets(counts: np.ndarray) -> np.ndarray:
    made = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=made[1:])
    return made


def _ranges(begins: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers from each beginning on, as many as its count says."""
    offsets = _offsets(counts)
    return np.repeat(begins - offsets[:-1], counts) + np.arange(offsets[-1])


def parse(text: bytes, slots: Sequence[Slot], source: str = "<text>", line: int = 1, skipped: int = 0) -> Columns:
    """The samples in whole lines.

    Args:
        text: the lines; the last one may lack its end.
        slots: what each line has, in order.
        source: the file, and
        line: the number of its first line here, for errors.
        skipped: fields of one word each that come before the slots (the sample's name, its content).
    Raises:
        InvalidArgumentError: a line has not what the slots ask for; it names the file and the line.
    """
    return _Chunk(text, source, line).columns(slots, skipped)


class _Chunk:
    """The words of some lines."""

    def __init__(self, text: bytes, source: str, line: int) -> None:
        self.source, self.line = source, line
        whole = b"".join((_PAD, text, b"" if text.endswith(b"\n") else b"\n"))
        self.bytes = np.frombuffer(whole, np.uint8)
        self.words = np.ndarray((len(whole) - 7,), "<u8", whole, 0, (1,))  # the eight bytes from each one on
        spaces = self.bytes <= _SPACE
        edges = np.flatnonzero(spaces[1:] != spaces[:-1]) + 1
        self.begins, self.ends = edges[0::2], edges[1::2]
        first = self.bytes[self.begins]
        self.negative = first == _MINUS
        self.digits = self.begins + (self.negative | (first == _PLUS))  # where the first digit is
        odd = ((self.bytes - np.uint8(_ZERO)) > 9) & ~spaces
        odd[self.begins[self.digits != self.begins]] = False
        odd = np.flatnonzero(odd)
        owners = np.searchsorted(self.begins, odd, "right") - 1
        self.odd = np.bincount(owners, minlength=len(self.begins))  # how many characters of each word are no digits
        self.dots = np.full(len(self.begins), -1, np.int64)
        is_dot = self.bytes[odd] == _DOT
        self.dots[owners[is_dot]] = odd[is_dot]
        newlines = np.flatnonzero(self.bytes == _NEWLINE)
        self.line_ends = np.searchsorted(self.begins, newlines)  # the word that each line ends before

    def columns(self, slots: Sequence[Slot], skipped: int) -> Columns:
        """The samples in these lines."""
        size = len(self.line_ends)
        position = np.concatenate([[0], self.line_ends[:-1]]) + 2 * skipped
        whole = self._whole_numbers()
        is_whole = (self.odd == 0) & (self.digits < self.ends)
        last = max(len(whole) - 1, 0)
        where: list[np.ndarray] = []
        offsets: list[np.ndarray | None] = []
        for slot in slots:
            here = np.minimum(position, last)
            counts = whole[here].view(np.int64) if len(whole) else np.zeros(size, np.int64)
            known = (position < self.line_ends) & (is_whole[here] if len(whole) else False)
            expected = "a number of values above 0" if slot.shape is None else f"{_width(slot)} values, as its shape says"
            good = known & (counts > 0 if slot.shape is None else counts == _width(slot)) & (counts < self.line_ends - position)
            if not good.all():
                row = int(np.argmin(good))
                self._refuse(row, slot, expected + ", and as many values behind it", position[row])
            if slot.shape is not None:
                where.append(((position + 1)[:, None] + np.arange(_width(slot))).reshape(-1))
                offsets.append(None)
            else:
                where.append(_ranges(position + 1, counts))
                offsets.append(_offsets(counts))
            position = position + counts + 1
        values = []
        for slot, words in zip(slots, where, strict=True):
            if not slot.is_float and not is_whole[words].all():
                bad = words[int(np.argmin(is_whole[words]))]
                self._refuse(self._row_of(bad), slot, "whole numbers", bad)
            values.append(whole[words].view(np.int64) if not slot.is_float else np.empty(0, np.float32))
        self._floats(slots, where, values, whole)
        return Columns(slots, values, offsets, size)

    def _number(self, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The whole numbers whose digits (19 at most) lie between two places each."""
        lengths = ends - begins
        found = self._eight(ends, lengths)
        for i in (1, 2):
            longer = np.flatnonzero(lengths > 8 * i)
            if not len(longer):
                break
            found[longer] += self._eight(ends[longer] - 8 * i, lengths[longer] - 8 * i) * _POWERS[8 * i]
        return found

    def _eight(self, ends: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """The numbers that the last eight digits before each place make, or as many as there are."""
        found = self.words[ends - 8]
        found &= 0x0F0F0F0F0F0F0F0F
        before = (8 * (8 - np.clip(lengths, 1, 8))).astype(np.uint64)  # bits of what comes before the digits, which lie lowest
        found >>= before
        found <<= before
        for factor, shift, mask in ((10, 8, 0x00FF00FF00FF00FF), (100, 16, 0x0000FFFF0000FFFF), (10000, 32, 0xFFFFFFFF)):
            pairs = found >> np.uint64(shift)
            found *= np.uint64(factor)
            found += pairs
            found &= np.uint64(mask)
        if len(lengths) and lengths.min() <= 0:
            found[lengths <= 0] = 0
        return found

    def _whole_numbers(self) -> np.ndarray:
        """Every word as a whole number; those that are none give anything."""
        found = self._number(self.digits, np.minimum(self.ends, self.digits + 19) if len(self.ends) else self.ends)
        for i in np.flatnonzero((self.ends - self.digits > 19) & (self.odd == 0)):
            found[i] = min(int(self._word(i).lstrip("+-")), 2**64 - 1)  # as strtoull does
        np.negative(found, out=found, where=self.negative)
        return found

    def _floats(self, slots: Sequence[Slot], where: list[np.ndarray], values: list[np.ndarray], whole: np.ndarray) -> None:
        """Fill in the values of the slots of floats."""
        chosen = [i for i, slot in enumerate(slots) if slot.is_float]
        if not chosen:
            return
        words = np.concatenate([where[i] for i in chosen])
        begins, ends, dots = self.digits[words], self.ends[words], self.dots[words]
        has_dot = dots >= 0
        middles = np.where(has_dot, dots, ends)
        fractions = np.where(has_dot, ends - dots - 1, 0)
        digits = ends - begins - has_dot
        plain = (self.odd[words] == has_dot) & (digits > 0) & (digits <= 19)
        middles, fractions = np.where(plain, middles, begins), np.where(plain, fractions, 0)
        mantissas = self._number(begins, middles) * _POWERS[fractions]
        mantissas += self._number(ends - fractions, ends)
        found = mantissas.astype(np.float64) / _POWERS[fractions].astype(np.float64)
        np.negative(found, out=found, where=self.negative[words])
        # Both numbers of the division were rounded: where that could tip the rounding to float32, the long way decides
        doubtful = (mantissas > _EXACT) & (np.abs((found.view(np.int64) & 0x1FFFFFFF) - 0x10000000) < 8)
        long = np.flatnonzero(~plain | doubtful)
        if len(long):
            found[long] = self._any_floats(words[long], slots, where)
        ends_of = np.cumsum([len(where[i]) for i in chosen])[:-1]
        with np.errstate(over="ignore"):
            for i, part in zip(chosen, np.split(found.astype(np.float32), ends_of), strict=True):
                values[i] = part

    def _any_floats(self, words: np.ndarray, slots: Sequence[Slot], where: list[np.ndarray]) -> np.ndarray:
        """Words as floats, however they are written."""
        begins, lengths = self.begins[words], self.ends[words] - self.begins[words]
        places = begins[:, None] + np.arange(lengths.max())
        letters = np.where(places < self.ends[words][:, None], self.bytes[np.minimum(places, len(self.bytes) - 1)], 0).astype(np.uint8)
        try:
            return letters.view(f"S{letters.shape[1]}")[:, 0].astype(np.float64)
        except ValueError:
            for word in words:
                try:
                    float(self._word(word))
                except ValueError:
                    slot = next(slot for slot, found in zip(slots, where, strict=True) if slot.is_float and word in found)
                    self._refuse(self._row_of(word), slot, "numbers", word)
            raise

    # ---- errors
    def _word(self, i: int | np.integer) -> str:
        return self.bytes[self.begins[i] : self.ends[i]].tobytes().decode(errors="replace")

    def _row_of(self, word: int | np.integer) -> int:
        return int(np.searchsorted(self.line_ends, word, "right"))

    def _refuse(self, row: int, slot: Slot, expected: str, word: int | np.integer) -> NoReturn:
        first = self.line_ends[row - 1] if row else 0
        end = self.line_ends[row]
        text = " ".join(self._word(i) for i in range(first, min(end, first + 40)))
        received = repr(self._word(word)) if word < end else "the end of the line"
        raise InvalidArgumentError(
            f"{self.source}, line {self.line + row}: slot `{slot.name}` is malformed. Expected {expected} (a data generator pads slots "
            f"without values). Received: {received}, as value {int(word - first) + 1} of the line {text!r:.200}"
        )
