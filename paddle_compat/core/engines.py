"""The two engines behind Paddle's CPU random numbers, generated in blocks.

Paddle 1.8 draws from C++'s ``std::minstd_rand`` and Paddle 2.x from ``std::mt19937_64``. The C++ standard fixes both
bit for bit, so their words can be reproduced anywhere; what this file adds is to make them by the thousand with a
handful of numpy calls.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

# Of the Mersenne twister. As arrays, since numpy takes as long to make one of a number as to go through 300 words.
_ONE: Words = np.array(1, np.uint64)
_LOW_BITS: Words = np.array(0x7FFFFFFF, np.uint64)
_TWIST: Words = np.array(0xB5026F5AA96619E9, np.uint64)


class Engine(abc.ABC):
    """An endless row of unsigned words between `lowest` and `highest`, read in order.

    A sampler that rejects some of its draws asks for as many words as it still needs at least, keeps what it accepts
    and asks again: it never reads a word too many, so the engine always stands where the C++ one would.
    """

    lowest: ClassVar[int]
    highest: ClassVar[int]
    # Paddle 1.8 was built with GCC 4.8's C++ library, 2.x with that of GCC 8, and their distributions read an engine a
    # little differently: see `core.distributions`. As each has an engine of its own, the engine tells which one it is.
    old_library: ClassVar[bool]

    @abc.abstractmethod
    def take(self, count: int) -> Words:
        """The next `count` words."""

    at_hand: int = 0  # so many words can be taken and then handed back

    def reach(self, count: int) -> None:  # noqa: B027 - nothing is at hand unless an engine says so
        """Have `count` words at hand, if that is possible."""

    def hand_back(self, count: int) -> None:
        """The last `count` words out of those that were at hand, to be taken again."""
        assert not count, "nothing is at hand"

    def window(self, count: int, make: Callable[[Words], Any], step: int = 1) -> tuple[Any, int]:
        """What `make` makes of coming words, kept for later calls, as few numbers cost numpy as much as a thousand.

        Args:
            count: how many words have to be among them; they are not taken, see `skip`.
            make: the function; what it makes of a word hangs on the others of its step alone.
            step: how many words belong together, beginning with the next one.
        Returns:
            What it made, and how many words that lies back; None and 0 where so many words are not at hand.
        """
        return None, 0

    def skip(self, count: int) -> None:
        """Stand `count` words further on, within what `window` gave."""
        self.take(count)

    @property
    @abc.abstractmethod
    def state(self) -> Words:
        """All that decides the coming words; assign it to come back to this point."""

    @state.setter
    @abc.abstractmethod
    def state(self, state: Words) -> None: ...


class Minstd(Engine):
    """``std::minstd_rand``: x' = 48271 x mod (2^31 - 1).

    Args:
        seed (int): the first x; as in C++, a multiple of 2^31 - 1 counts as 1.
        multiplier (int): 16807 in place of 48271 makes ``std::minstd_rand0``.

    Example:
        >>> int(Minstd(1).take(10000)[-1])  # the value that the C++ standard asks for
        399268537
    """

    _MODULUS: ClassVar[int] = 2**31 - 1
    _BLOCK: ClassVar[int] = 1 << 15

    lowest = 1
    highest = _MODULUS - 1
    old_library = True

    def __init__(self, seed: int = 1, multiplier: int = 48271) -> None:
        self._x = seed % self._MODULUS or 1
        self._multiplier = multiplier

    def take(self, count: int) -> Words:
        out = np.empty(count, np.uint64)
        powers = _powers(self._multiplier, self._MODULUS, self._BLOCK)
        folded = np.empty(min(count, self._BLOCK), np.uint64)
        for start in range(0, count, self._BLOCK):
            # One block: x times the multiplier's powers. The products have 62 bits; 2^31 = 1 (mod 2^31 - 1) lets the
            # high half be added to the low one, after which one conditional subtraction is left. It is written as a
            # minimum, because below the modulus the unsigned difference wraps round to something huge.
            block = out[start : start + self._BLOCK]
            high = folded[: block.size]
            np.multiply(powers[: block.size], self._x, out=block)
            np.right_shift(block, 31, out=high)
            np.bitwise_and(block, self._MODULUS, out=block)
            np.add(block, high, out=block)
            np.subtract(block, self._MODULUS, out=high)
            np.minimum(block, high, out=block)
            self._x = int(block[-1])
        return out

    def rows(self, starts: Words, count: int) -> Words:
        """The `count` words that follow each of some places, counted from where the engine stands; it stays there.

        Example:
            >>> Minstd(5).rows(np.array([2], np.uint64), 3).tolist() == [Minstd(5).take(5)[2:].tolist()]
            True
        """
        modulus, base, one = self._MODULUS, self._multiplier, np.ones(1, np.uint64)
        near = np.concatenate([one, _powers(base, modulus, 1 << 16)])
        far = np.concatenate([one, _powers(int(near[-1]), modulus, 1 << 15)])
        places = starts % np.uint64(modulus - 1)  # the powers begin again there
        words = near[places & np.uint64(0xFFFF)] * far[places >> np.uint64(16)] % np.uint64(modulus)
        words = words * np.uint64(self._x) % np.uint64(modulus)
        steps = _powers(base, modulus, 1 << max(count - 1, 0).bit_length())[:count]
        return words[:, None] * steps % np.uint64(modulus)

    @property
    def state(self) -> Words:
        return np.array([self._x], np.uint64)

    @state.setter
    def state(self, state: Words) -> None:
        self._x = int(state[0])


@functools.cache
def _powers(base: int, modulus: int, count: int) -> Words:
    """base^1, base^2, ... modulo a number below 2^32; the count is a power of 2."""
    powers = np.full(1, base, np.uint64)
    while powers.size < count:
        powers = np.concatenate([powers, powers * powers[-1] % np.uint64(modulus)])
    return powers


class MT19937_64(Engine):
    """``std::mt19937_64``, the Mersenne twister with 64-bit words.

    Args:
        seed (int): the seed, below 2^64.
        sequence (bool): seed through ``std::seed_seq({seed})``, as `paddle.seed` does, where False seeds with the
            number itself. The sequence keeps the low 32 bits only.

    Example:
        >>> int(MT19937_64(5489).take(10000)[-1])  # the value that the C++ standard asks for
        9981545732273789042
    """

    _SIZE: ClassVar[int] = 312
    _MIDDLE: ClassVar[int] = 156
    _STEP: ClassVar[int] = 311
    _STEPS: ClassVar[int] = 64
    _LEAST_STEPS: ClassVar[int] = 4
    _WINDOW: ClassVar[int] = 1024

    lowest = 0
    highest = 2**64 - 1
    old_library = False

    def __init__(self, seed: int = 5489, *, sequence: bool = False) -> None:
        # `_raw` holds the 312 words of state that come before the block `_words` of finished words, then that block
        # before tempering: so the 312 words that decide what follows word `_at` are _raw[_at : _at + 312].
        self._raw = np.empty(self._SIZE + self._STEP * self._STEPS, np.uint64)
        self._words = np.empty(self._STEP * self._STEPS, np.uint64)
        self._scratch = np.empty(self._STEP * self._STEPS, np.uint64)
        self._at: int = 0  # how many words of the block were taken
        self._end: int = 0  # how many it has
        self._steps: list[tuple[Words, ...]] = []  # see `_view_steps`
        self._windows: dict[Any, tuple[Any, int, int]] = {}  # by what made them: what, and of which words of the block
        self.state = _seed_sequence_state(seed) if sequence else _seed_state(seed)

    def take(self, count: int) -> Words:
        if (end := self._at + count) <= self._end:
            start, self._at = self._at, end
            return self._words[start:end].copy()
        out = np.empty(count, np.uint64)
        done = 0
        while done < count:
            if self._at == self._end:
                self._refill(count - done)
            part = self._words[self._at : min(self._end, self._at + count - done)]
            out[done : done + part.size] = part
            done += part.size
            self._at += part.size
        return out

    @property
    def at_hand(self) -> int:  # type: ignore[override]
        """How many words of the block are left."""
        return self._end - self._at

    def reach(self, count: int) -> None:
        """Make a new block, which begins with what is left of this one."""
        if self.at_hand < count <= self._STEP * self._STEPS:
            self._refill(count)

    def hand_back(self, count: int) -> None:
        """Stand `count` words further in front, within the block."""
        self._at -= count

    def window(self, count: int, make: Callable[[Words], Any], step: int = 1) -> tuple[Any, int]:
        """As in `Engine`."""
        at = self._at
        made, start, end = self._windows.get(make, (None, 0, 0))
        if not start <= at <= end - count or (at - start) % step:
            start, end = at, min(self._end, at + self._WINDOW)
            if at + count > end:
                return None, 0
            made = make(self._words[start:end])
            self._windows[make] = made, start, end
        return made, at - start

    def skip(self, count: int) -> None:
        """As in `Engine`."""
        self._at += count

    @property
    def state(self) -> Words:
        return self._raw[self._at : self._at + self._SIZE].copy()

    @state.setter
    def state(self, state: Words) -> None:
        self._raw[: self._SIZE] = state
        self._at = self._end = 0
        self._windows.clear()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has parts of its own to cut (`_view_steps`)."""
        return _at_state, (self.state,)

    @classmethod
    def state_of_text(cls, text: str) -> Words:
        """The state that C++ prints: the 312 words of a block, and how many of them were taken.

        Args:
            text (str): what `std::mt19937_64` writes to a stream.
        Returns:
            The words before the next one: those of the block that were taken, and before them some of the block before, which
            follow from this one.
        Raises:
            ValueError: it is no such text.
        """
        *block, taken = [int(word) for word in text.split()]
        size, low, twist = cls._SIZE, int(_LOW_BITS), int(_TWIST)
        if len(block) != size or not 0 <= taken <= size or not all(0 <= word < 2**64 for word in block):
            raise ValueError(f"a state of {len(block)} words")
        words = [0] * size + block
        for i in range(size - 1, -1, -1):
            mixed = words[i + size] ^ words[i + cls._MIDDLE]  # of the high bits of word i and the low ones of the next
            joined = (mixed ^ twist) << 1 | 1 if mixed >> 63 else mixed << 1
            words[i] = joined & ~low & cls.highest
            if i + 1 < size:
                words[i + 1] |= joined & low
        return np.array(words[taken : taken + size], np.uint64)

    def _refill(self, wanted: int) -> None:
        raw, size, step = self._raw, self._SIZE, self._STEP
        raw[:size] = raw[self._at : self._at + size].copy()
        # a block twice as long as the last one: long ones cost less a word, and who draws few waits for a short one only
        steps = min(self._STEPS, max(self._LEAST_STEPS, 2 * self._end // step, -(-wanted // step)))
        self._view_steps(steps)
        mixed, odd = self._scratch[:step], self._words[:step]
        mixed_first, mixed_second = mixed[: self._MIDDLE], mixed[self._MIDDLE :]
        xor, land, shift, multiply = np.bitwise_xor, np.bitwise_and, np.right_shift, np.multiply
        for here, following, middle, first, after, second in self._steps[:steps]:
            # Word k + 312 is word k + 156 xor a mix of words k and k + 1. From 312 words, 311 such mixes can be made at
            # once; the words themselves follow in two runs, because the second half needs the first.
            xor(here, following, mixed)
            land(mixed, _LOW_BITS, mixed)
            xor(mixed, here, mixed)
            shift(mixed, _ONE, mixed)
            land(following, _ONE, odd)
            multiply(odd, _TWIST, odd)
            xor(mixed, odd, mixed)
            xor(middle, mixed_first, first)
            xor(after, mixed_second, second)
        self._at, self._end = 0, steps * step
        self._windows.clear()
        _temper(raw[size : size + self._end], self._words[: self._end], self._scratch[: self._end])

    def _view_steps(self, count: int) -> None:
        """See that the parts of `_raw` that the first `count` steps of a block read and write are at hand.

        Cutting them anew takes half as long as all that is computed with them.
        """
        raw, size, step, middle = self._raw, self._SIZE, self._STEP, self._MIDDLE
        for start in range(len(self._steps) * step, count * step, step):
            new = start + size
            half, end = new + middle, new + step
            here, following = raw[start : new - 1], raw[start + 1 : new]
            self._steps.append((here, following, raw[start + middle : new], raw[new:half], raw[new : end - middle], raw[half:end]))


def _at_state(state: Words) -> MT19937_64:
    engine = MT19937_64()
    engine.state = state
    return engine


def _temper(raw: Words, out: Words, scratch: Words) -> None:
    np.right_shift(raw, 29, out=scratch)
    np.bitwise_and(scratch, 0x5555555555555555, out=scratch)
    np.bitwise_xor(raw, scratch, out=out)
    for shift, mask in ((17, 0x71D67FFFEDA60000), (37, 0xFFF7EEE000000000)):
        np.left_shift(out, shift, out=scratch)
        np.bitwise_and(scratch, np.uint64(mask), out=scratch)
        np.bitwise_xor(out, scratch, out=out)
    np.right_shift(out, 43, out=scratch)
    np.bitwise_xor(out, scratch, out=out)


def _seed_state(seed: int) -> Words:
    """The state after ``engine.seed(seed)``."""
    word = seed % 2**64
    words = [word]
    for index in range(1, 312):
        word = (6364136223846793005 * (word ^ word >> 62) + index) % 2**64
        words.append(word)
    return np.array(words, np.uint64)


@functools.lru_cache(maxsize=16)  # of Python's own speed, and scripts that compare things seed alike again and again
def _seed_sequence_state(seed: int) -> Words:
    """The state after ``engine.seed(std::seed_seq({seed}))``: 624 half words as the C++ standard defines generate()."""
    size = 624
    mask = 2**32 - 1
    half = [0x8B8B8B8B] * size
    lag, middle = 11, (size - 11) // 2  # the standard's t and p for a sequence this long

    def mix(value: int) -> int:
        return value ^ value >> 27

    for k in range(size):
        value = 1664525 * mix(half[k] ^ half[(k + middle) % size] ^ half[k - 1]) & mask
        half[(k + middle) % size] = half[(k + middle) % size] + value & mask
        value = value + (1 if k == 0 else k % size + seed if k == 1 else k % size) & mask
        half[(k + middle + lag) % size] = half[(k + middle + lag) % size] + value & mask
        half[k] = value
    for k in range(size, 2 * size):
        at, near, far = k % size, (k + middle) % size, (k + middle + lag) % size
        value = 1566083941 * mix(half[at] + half[near] + half[at - 1] & mask) & mask
        half[near] ^= value
        value = value - at & mask
        half[far] ^= value
        half[at] = value
    words = np.array(half, np.uint64)
    return words[0::2] | words[1::2] << np.uint64(32)
