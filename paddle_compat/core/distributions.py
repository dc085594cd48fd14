"""Uniform, normal, whole and chosen numbers out of an `Engine`, equal to what the real Paddle draws on the CPU.

Every function reads exactly as many words as the C++ it stands for, in the same order, and computes in the same
precision with the same roundings: uniform numbers are equal to the last bit, and so are normal ones where the C
library's logarithm is the one that Paddle called. All return numpy arrays of one dimension unless they say otherwise.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from paddle_compat.core.engines import Engine, Words

Array = npt.NDArray[Any]
Float = type[np.float32] | type[np.float64]

_ONE, _LONG_WORD, _WORD = np.uint64(1), np.uint64(1 << 28), np.uint64(2**64 - 1)

# Numbers made at a time, so that the many small steps of a distribution stay in the cache.
_BLOCK = 1 << 15


def canonical(engine: Engine, count: int, dtype: Float = np.float32) -> Array:
    """Numbers in [0, 1), as ``std::generate_canonical`` makes them.

    Args:
        engine (Engine): where the words come from.
        count (int): how many numbers.
        dtype: numpy.float32 or numpy.float64; both decide how many words one number takes.
    Returns:
        `count` numbers; from an engine of the old library a few may be rounded up to 1.0.
    """
    if count <= _FEW:
        shares, at = engine.window(count, _SHARES[dtype])
        if shares is not None:
            engine.skip(count)
            few: Array = shares[at : at + count].copy()
            return few
    span, words_each, step, below_one = _parts(engine.lowest, engine.highest, dtype)  # type: ignore[arg-type]
    words = engine.take(count * words_each)
    if engine.lowest:
        words -= np.uint64(engine.lowest)
    if words_each == 1:
        out: Array = _as_floats(words, dtype) if engine.highest >> 63 else words.astype(dtype)
        out *= step
    else:
        pairs = words.reshape(count, 2).astype(dtype)
        out = (pairs[:, 0] + pairs[:, 1] * dtype(span)) / dtype(span * span)
    return out if engine.old_library else np.minimum(out, below_one, out=out)


def _as_floats(words: Words, dtype: Float) -> Array:
    """Words that have 64 bits as rounded numbers."""
    if dtype is not np.float32 or words.min(initial=_WORD) < _LONG_WORD:
        return words.astype(dtype)
    # Processors convert signed numbers. So it is half of each, with a last bit that tells whether something lies below the last one.
    halves = words >> _ONE
    words = words & _ONE
    halves |= words
    out: Array = halves.view(np.int64).astype(dtype)
    out *= dtype(2)
    return out


def _shares(words: Words, dtype: Float) -> Array:
    """`canonical` of words that have 64 bits: one makes a number."""
    _, _, step, below_one = _parts(0, 2**64 - 1, dtype)  # type: ignore[arg-type]
    out = _as_floats(words, dtype)
    out *= step
    return np.minimum(out, below_one, out=out)


def _deviations(words: Words, dtype: Float) -> tuple[Array, Array]:
    """The normal numbers, of mean 0 and deviation 1, that pairs of words make, and how many words each two of them and all before take."""
    points = _shares(words[: words.size & ~1], dtype)
    inside, radius = _inside(points)
    deviations = np.empty(2 * inside.size, dtype)
    _deviate(points, inside, radius, deviations)
    deviations += dtype(0)  # as a mean is added: -0 becomes 0
    return deviations, 2 * (inside + 1)


def _inside(points: Array) -> tuple[npt.NDArray[np.intp], Array]:
    """Which of the points (x, y, x, y, ...), spread from [0, 1) to [-1, 1), lie within the unit circle, and the square of each radius."""
    points *= 2
    points -= 1
    squares = points * points
    radius = squares[0::2] + squares[1::2]
    return np.flatnonzero((radius <= 1) & (radius != 0)), radius


def _deviate(points: Array, inside: npt.NDArray[np.intp], radius: Array, out: Array) -> None:
    """Write the normal numbers of mean 0 and deviation 1 that the polar method makes of points: of (x, y) that of y comes first."""
    scale = polar_scale(radius.take(inside))
    chosen = points.view(np.result_type(points, np.complex64)).take(inside)  # both numbers of a point as one
    np.multiply(chosen.imag, scale, out[0::2])
    np.multiply(chosen.real, scale, out[1::2])


def polar_scale(radius: Array) -> Array:
    """By what the polar method multiplies the points of a radius."""
    scale = _log(radius)
    scale *= radius.dtype.type(-2)
    scale /= radius
    return np.sqrt(scale, out=scale)


# What few numbers are taken from (`Engine.window`), by their precision.
_FEW = 128
_FEW_SWAPS = 500  # up to which elements change places faster one after another
_SORTED_SWAPS = 1 << 16  # from which on those of an array that meet are fewer than sorting costs
_SHARES = {kind: functools.partial(_shares, dtype=kind) for kind in (np.float32, np.float64)}
_DEVIATIONS = {kind: functools.partial(_deviations, dtype=kind) for kind in (np.float32, np.float64)}


@functools.lru_cache(maxsize=64)
def _width(low: float, high: float, dtype: Float) -> tuple[Any, Any]:
    """The distance of two bounds, and the lower one, in a precision."""
    return dtype(high) - dtype(low), dtype(low)


@functools.cache
def _parts(lowest: int, highest: int, dtype: Float) -> tuple[int, int, Any, Any]:
    """What `canonical` computes with: how many different words there are, how many make a number, one by that, the number below 1."""
    span = highest - lowest + 1
    words_each = -(-(np.finfo(dtype).nmant + 1) // (span.bit_length() - 1))
    return span, words_each, dtype(1) / dtype(span), np.nextafter(dtype(1), dtype(0))


def uniform(engine: Engine, count: int, low: float, high: float, dtype: Float = np.float32) -> Array:
    """Numbers in [low, high), as ``std::uniform_real_distribution`` makes them.

    Args:
        engine (Engine): where the words come from.
        count (int): how many numbers.
        low (float): the lower bound, already rounded as Paddle's attribute is (to float32).
        high (float): the upper bound, rounded likewise.
        dtype: numpy.float32 or numpy.float64.

    Example:
        >>> from paddle_compat.core.engines import MT19937_64
        >>> uniform(MT19937_64(7, sequence=True), 3, -1.0, 1.0)  # paddle.seed(7); paddle.uniform([3])
        array([-0.9702155 ,  0.31576645,  0.60507774], dtype=float32)
    """
    width, least = _width(low, high, dtype)  # type: ignore[arg-type]
    if count <= _FEW:
        few = canonical(engine, count, dtype)
        if (low, high) != (0.0, 1.0):
            few *= width
            few += least
        return few
    out = np.empty(count, dtype)
    for part in _blocks(out):
        np.multiply(canonical(engine, part.size, dtype), width, out=part)
        part += least
    return out


def normal(engine: Engine, count: int, mean: float, std: float, dtype: Float = np.float32) -> Array:
    """Normal numbers by the polar method, as ``std::normal_distribution`` makes them.

    Args:
        engine (Engine): where the words come from.
        count (int): how many numbers; the second one of the last pair is dropped when it is odd.
        mean (float): the mean, already rounded as Paddle's attribute is (to float32).
        std (float): the standard deviation, rounded likewise.
        dtype: numpy.float32 or numpy.float64.
    """
    if count <= _FEW:
        pairs_wanted = count + 1 >> 1
        found, at = engine.window(2 * pairs_wanted, _DEVIATIONS[dtype], 2)
        if found is not None:
            deviations, ends = found
            first = int(ends.searchsorted(at + 2))
            if 0 < pairs_wanted <= ends.size - first:
                engine.skip(int(ends[first + pairs_wanted - 1]) - at)
                few: Array = deviations[2 * first : 2 * first + count].copy()
                if (mean, std) != (0.0, 1.0):
                    few *= dtype(std)
                    few += dtype(mean)
                return few
    out = np.empty(count + count % 2, dtype)
    done = 0
    while done < out.size:
        # At least one point is needed for each pair that is missing, so no word is read in vain. 21% of the points are
        # rejected; the next turn makes up for them. Where words can be handed back a few more save the further turns.
        missing = min(out.size - done, 2 * _BLOCK)
        ahead = missing + missing // 3 + 32 & ~1
        engine.reach(ahead)
        points = canonical(engine, ahead if ahead <= engine.at_hand else missing, dtype)
        inside, radius = _inside(points)
        if points.size > missing:
            inside = inside[: missing // 2]
            if inside.size == missing // 2:
                engine.hand_back(points.size - 2 * (int(inside[-1]) + 1))
        part = out[done : done + 2 * inside.size]
        _deviate(points, inside, radius, part)
        part *= dtype(std)
        part += dtype(mean)
        done += part.size
    return out[:count]


def truncated_normal(
    engine: Engine, count: int, mean: float, std: float, dtype: Float = np.float32, bounds: tuple[float, float] = (-2.0, 2.0)
) -> Array:
    """Normal numbers within some standard deviations of the mean, through the inverse of the distribution.

    Args:
        engine (Engine): where the words come from; one of the old library brings Paddle 1.8's cruder tails.
        count (int): how many numbers.
        mean (float): the mean, already rounded as Paddle's attribute is (to float32).
        std (float): the standard deviation, rounded likewise.
        dtype: numpy.float32 or numpy.float64.
        bounds: how many, below and above.
    """
    below, above = (dtype((1 + math.erf(bound / math.sqrt(2))) / 2) for bound in bounds)
    tiny = dtype(np.finfo(np.float32).tiny)
    out = np.empty(count, dtype)
    for part in _blocks(out):
        share = canonical(engine, part.size, dtype) * (dtype(1) - tiny) + tiny
        deviation = _erfinv(dtype(2) * (below + (above - below) * share) - dtype(1), tails=not engine.old_library)
        part[:] = deviation.astype(np.float64) * math.sqrt(2) * float(std) + float(mean)
    return out


def exponential(engine: Engine, count: int, rate: float, dtype: Float = np.float32) -> Array:
    """Exponentially distributed numbers of the given rate."""
    out = np.empty(count, dtype)
    for part in _blocks(out):
        np.multiply(_log(dtype(1) - canonical(engine, part.size, dtype)), dtype(-1) / dtype(rate), out=part)
    return out


def remainders(engine: Engine, count: int, low: int, high: int) -> npt.NDArray[np.int64]:
    """Whole numbers in [low, high), each what is left of a word: of its lower half where there are few.

    Args:
        engine (Engine): where the words of 64 bits come from.
        count (int): how many numbers.
        low (int): the smallest number.
        high (int): one more than the largest number.
    """
    words, span = engine.take(count), high - low
    if span < 1 << 28:
        words = words & np.uint64(0xFFFFFFFF)
    return (words % np.uint64(span)).astype(np.int64) + np.int64(low)


def integers(engine: Engine, count: int, low: int, high: int) -> npt.NDArray[np.int64]:
    """Whole numbers in [low, high), as ``std::uniform_int_distribution`` makes them.

    Args:
        engine (Engine): where the words come from.
        count (int): how many numbers.
        low (int): the smallest number.
        high (int): one more than the largest number.
    """
    span, words = high - low, engine.highest - engine.lowest + 1
    if span > words:
        # The engine's words are too narrow: one is drawn for the low digits, and a number for the high ones before it.
        out = np.empty(count, np.int64)
        for index in range(count):
            value = span
            while value >= span:
                digits = int(integers(engine, 1, 0, (span - 1) // words + 1)[0])
                value = digits * words + int(engine.take(1)[0]) - engine.lowest
            out[index] = low + value
        return out
    scale = 1 if span == words else (words - 1) // span
    out = np.empty(count, np.uint64)
    done = 0
    while done < count:
        drawn = engine.take(min(count - done, 2 * _BLOCK))
        if engine.lowest:
            drawn -= np.uint64(engine.lowest)
        most = np.uint64(span * scale - 1)
        if drawn.max() > most:
            drawn = drawn[drawn <= most]
        drawn //= np.uint64(scale)
        if drawn.size == count:  # as nearly always
            numbers = drawn.view(np.int64)
            numbers += low
            return numbers
        out[done : done + drawn.size] = drawn
        done += drawn.size
    return out.view(np.int64) + low


def permutation(engine: Engine, count: int) -> npt.NDArray[np.int64]:
    """0 .. count - 1 in random order, as ``std::shuffle`` leaves them."""
    positions = np.arange(1, count, dtype=np.uint64)
    if engine.old_library or (engine.highest - engine.lowest) // max(count, 1) < count:
        return _swapped(count, below(engine, positions + np.uint64(1)))
    # One word decides about two elements; with an even number of them the second element has a word of its own.
    if count <= _FEW:
        return _swapped(count, _few_picks(engine, count))
    alone = positions[: 1 - count % 2]
    first = positions[alone.size :: 2] + np.uint64(1)
    second = first + np.uint64(1)
    drawn = below(engine, np.concatenate([alone + np.uint64(1), first * second]))
    picks = np.empty(count - 1, np.uint64)
    picks[: alone.size] = drawn[: alone.size]
    pairs = drawn[alone.size :]
    high = picks[alone.size :: 2] = pairs // second
    np.subtract(pairs, high * second, out=picks[alone.size + 1 :: 2])
    return _swapped(count, picks)


def _few_picks(engine: Engine, count: int) -> list[int]:
    """What `permutation` picks for few elements: Python counts them faster than numpy does."""
    alone = 1 - count % 2 if count else 0
    drawn = engine.take((count - 1 + alone) // 2).tolist() if count else []
    drawn.reverse()
    most = engine.highest - engine.lowest

    def below(span: int) -> int:
        scale = most // span
        while (word := drawn.pop() if drawn else int(engine.take(1)[0])) >= span * scale:
            pass
        return word // scale

    picks = [below(2)] if alone else []
    for first in range(2 + alone, count + 1, 2):
        picks += divmod(below(first * (first + 1)), first + 1)
    return picks


def permutation_by_rand(seed: int, count: int) -> npt.NDArray[np.int64]:
    """0 .. count - 1 in random order, as ``std::random_shuffle`` leaves them after ``srand(seed)`` of glibc."""
    # C takes the seed for a signed number
    values = [(seed or 1) - (seed >> 31 << 32)]
    for _ in range(30):
        values.append(16807 * values[-1] % (2**31 - 1))
    values += values[:3]
    for index in range(34, 344 + count - 1):
        values.append((values[index - 31] + values[index - 3]) & 0xFFFFFFFF)
    return _swapped(count, [(value >> 1) % (index + 2) for index, value in enumerate(values[344:])])


def bernoulli(engine: Engine, chances: Array) -> npt.NDArray[np.bool_]:
    """For each chance (float32 or float64, any shape) whether the event happens, in the array's shape."""
    drawn = canonical(engine, chances.size, chances.dtype.type)
    return np.asarray(drawn.reshape(chances.shape) < chances)


def dropout_mask(engine: Engine, count: int, chance: float) -> npt.NDArray[np.bool_]:
    """For each of `count` elements whether dropout with this chance (as float32) keeps it."""
    out = np.empty(count, np.bool_)
    for part in _blocks(out):
        np.greater_equal(canonical(engine, part.size), np.float32(chance), out=part)
    return out


def multinomial(engine: Engine, weights: Array, count: int, replacement: bool) -> npt.NDArray[np.int64]:
    """Indices drawn by weight.

    Args:
        engine (Engine): where the words come from.
        weights (Array): [rows, categories] float32 or float64, not negative, need not add up to 1.
        count (int): how many indices are drawn for each row.
        replacement (bool): whether an index may be drawn again.
    Returns:
        [rows, count] indices.
    """
    rows, categories = weights.shape
    drawn = canonical(engine, rows * count, weights.dtype.type).reshape(rows, count)
    upto = weights.cumsum(1)
    upto /= upto[:, -1:]
    if rows == 1 and (replacement or count == 1) and upto[0, -1] == 1:  # NumPy's search is the quicker one, where nothing is NaN
        return np.minimum(upto[0].searchsorted(drawn), categories - 1)
    if replacement or count == 1:
        found = torch.searchsorted(torch.from_numpy(upto), torch.from_numpy(drawn)).numpy()
        return np.minimum(found, categories - 1, out=found)
    out = np.empty((rows, count), np.int64)
    column, starts, one = np.arange(categories, dtype=np.int32), np.arange(rows) * (categories + 1), weights.dtype.type(1)
    padded = np.zeros((rows, categories + 1), upto.dtype)  # nothing lies below the first category
    padded[:, 1:] = upto
    upto, flat = padded[:, 1:], padded.reshape(-1)
    for index in range(count):
        # a search would want them in order, and what is left of a category that was taken may lie a rounding below the one before it
        chosen = np.add.reduce(upto < drawn[:, index, None], 1)
        out[:, index] = np.minimum(chosen, categories - 1, out=chosen)
        if index == count - 1:
            break
        # the chosen category leaves, and the others share what it had
        at = starts + chosen
        share = flat[at + 1] - flat[at]
        upto -= (column >= chosen[:, None]) * share[:, None]
        upto /= (one - share)[:, None]
    return out


def sampling_id(engine: Engine, chances: Array, low: float, high: float) -> npt.NDArray[np.int64]:
    """For each row of chances [rows, categories] the first category where their sum exceeds a number in [low, high)."""
    drawn = uniform(engine, len(chances), low, high, chances.dtype.type)
    left = np.subtract.accumulate(np.concatenate([drawn[:, None], chances], axis=1), axis=1)[:, 1:]
    left[:, -1] = -1  # the last category takes what rounding leaves over
    return np.argmax(left < 0, axis=1)


def _blocks(out: Array) -> Iterator[Array]:
    return (out[start : start + _BLOCK] for start in range(0, out.size, _BLOCK))


def _log(values: Array) -> Array:
    # torch.log and numpy.log have vectorised versions of their own, which differ in the last bit from the C library's
    # logarithm, the one that Paddle calls. torch.xlogy calls it too, and fast.
    result: Array = torch.xlogy(1, torch.from_numpy(values)).numpy()
    return result


def below(engine: Engine, spans: Words) -> Words:
    """One whole number below each of the spans, which are no larger than there are words."""
    words = np.uint64(engine.highest - engine.lowest)
    scales = words // spans
    drawn = engine.take(spans.size) - np.uint64(engine.lowest)
    while (rejected := np.flatnonzero(drawn >= spans * scales)).size:
        # A rejected word is skipped and all later ones move up by one.
        drawn = np.append(np.delete(drawn, rejected[0]), engine.take(1) - np.uint64(engine.lowest))
    return drawn // scales


def _swapped(count: int, picks: list[int] | Words) -> npt.NDArray[np.int64]:
    """0 .. count - 1 after the element at 1, 2, ... changed places with the one at the position picked for it, which none lies behind."""
    if isinstance(picks, np.ndarray):
        if count > _FEW_SWAPS:
            return _swapped_together(count, picks.view(np.int64))
        picks = picks.tolist()
    order = list(range(count))
    for index, pick in enumerate(picks, 1):
        order[index] = order[pick]  # which itself it still is
        order[pick] = index
    return np.array(order, np.int64)


def _swapped_together(count: int, picks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What `_swapped` gives, by whole arrays."""
    first = min(count, _SORTED_SWAPS)
    moved = _swapped_at_once(first, picks[: first - 1])
    if first == count:
        return moved
    # Of as many indices as the root of their number hardly any two meet. Where one does, it begins a new run.
    order = np.arange(count, dtype=np.int32)
    order[:first] = moved
    own, start = np.empty(count, np.int32), first
    while start < count:
        end = min(count, start + math.isqrt(start))
        places, indices = picks[start - 1 : end - 1], np.arange(start, end, dtype=np.int32)
        own[places[::-1]] = indices[::-1]  # of several for one place the first one stays
        met = np.flatnonzero((own[places] != indices) | (places >= start)).tolist()
        for left, right in zip([0, *met], [*met, end - start]):
            run = places[left:right]
            order[start + left : start + right] = order[run]
            order[run] = indices[left:right]
        start = end
    return order.astype(np.int64)


def _swapped_at_once(count: int, picks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What `_swapped` gives, all at once.

    The swap at `index` moves what lies at its pick to `index`, and puts the number `index` in its place. So what is moved is the last
    index before that picked the same position, or, where none did, what was moved to that position when it was its turn.
    """
    both = np.sort((picks << 32) | np.arange(1, count))
    positions, indices = both >> 32, both & 0xFFFFFFFF
    moved = np.full(count, -1)
    moved[0] = 0
    moved[indices[1:]] = np.where(positions[1:] == positions[:-1], indices[:-1], -1)
    sources = np.concatenate([[0], picks])
    themselves = np.flatnonzero(sources == np.arange(count))
    moved[themselves] = themselves
    left = np.flatnonzero(moved < 0)
    while left.size:  # each turn looks twice as far back
        at = sources[left]
        moved[left], sources[left] = moved[at], sources[at]
        left = left[moved[left] < 0]
    moved[positions] = indices  # of several for one position the last one stays
    return moved


# The rational approximations of algorithm AS 241 (Wichura, 1988), scaled to erfinv: up to |x| = 0.85, and beyond.
_CENTRE = (
    (1.1975323115670912564578e0, 4.7072688112383978012285e1, 6.9706266534389598238465e2, 4.8548868893843886794648e3,
     1.6235862515167575384252e4, 2.3782041382114385731252e4, 1.1819493347062294404278e4, 8.8709406962545514830200e2),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
_TAIL = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.4142135623730950488016887e0, 2.9036514445419946173133295e0, 2.3707661626024532365971225e0,
     9.7547832001787427186894837e-1, 2.0945065210512749128288442e-1, 2.1494160384252876777097297e-2,
     7.7441459065157709165577218e-4, 1.4859850019840355905497876e-9),
)  # fmt: skip


def _erfinv(x: Array, tails: bool) -> Array:
    """The inverse error function for |x| < 0.96, with Paddle's roundings.

    Paddle 1.8 means to choose by |x| too, but its C++ rounds |x| down to the integer 0 first: it uses the approximation
    of the centre everywhere, which costs its tails a few digits.
    """
    wide = x.astype(np.float64)
    r = (0.180625 - 0.25 * wide * wide).astype(x.dtype)
    centre = x * _polynomial(_CENTRE[0], r) / _polynomial(_CENTRE[1], r)
    if not tails:
        return centre
    outside = np.flatnonzero(np.abs(x) > x.dtype.type(0.85))
    far = x[outside]
    r = np.sqrt(float(x.dtype.type(math.log(2))) - _log(1.0 - np.abs(far).astype(np.float64))).astype(x.dtype)
    r = (r.astype(np.float64) - 1.6).astype(x.dtype)
    centre[outside] = np.copysign(_polynomial(_TAIL[0], r) / _polynomial(_TAIL[1], r), far)
    return centre


def _polynomial(coefficients: tuple[float, ...], x: Array) -> Array:
    out = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        out *= x
        out += x.dtype.type(coefficient)
    return out
