"""Binomial counts out of an `Engine`, equal to what the real Paddle draws on the CPU.

Few successes are counted by the lengths of the waits between them (L. Devroye, Non-Uniform Random Variate Generation, 1986, chapter X.4),
many drawn by rejection: W. Hoermann, The Generation of Binomial Random Variates (1993), algorithm BTRS.
"""

from __future__ import annotations

import math

import numpy as np

from paddle_compat.core.distributions import Array
from paddle_compat.core.engines import Engine
from paddle_compat.core.poisson import Uniforms

_MANY = 10.0  # expected successes from here on are many


def binomial(engine: Engine, trials: Array, chances: Array) -> Array:
    """How many trials succeed.

    Args:
        engine (Engine): where the words come from.
        trials (ndarray): whole numbers, of one dimension.
        chances (ndarray): float32 or float64, as many.
    Returns:
        int64, as many.
    """
    uniforms = Uniforms(engine, 4 * trials.size)
    counts = []
    one = chances.dtype.type(1)
    for trial, chance in zip(trials.astype(np.int64).tolist(), chances):
        if trial <= 0 or not chance > 0:
            counts.append(0)
        elif chance >= 1:
            counts.append(trial)
        elif chance <= 0.5:
            counts.append(_successes(uniforms, trial, float(chance)))
        else:
            counts.append(trial - _successes(uniforms, trial, float(one - chance)))
    uniforms.close()
    return np.array(counts, np.int64)


def _successes(uniforms: Uniforms, trials: int, chance: float) -> int:
    return _by_rejection(uniforms, trials, chance) if trials * chance >= _MANY else _by_waits(uniforms, trials, chance)


def _by_waits(uniforms: Uniforms, trials: int, chance: float) -> int:
    count, passed, rate = 0, 0, math.log1p(-chance)
    while True:
        share = uniforms.next()
        passed += math.ceil(math.log(share) / rate) if share else trials + 1
        if passed > trials:
            return count
        count += 1


def _by_rejection(uniforms: Uniforms, trials: int, chance: float) -> int:
    spread = math.sqrt(trials * chance * (1 - chance))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    odds, alpha, mode = chance / (1 - chance), (2.83 + 5.1 / b) * spread, math.floor((trials + 1) * chance)
    while True:
        place, slack = uniforms.next() - 0.5, uniforms.next()
        inner = 0.5 - abs(place)
        count = math.floor((2 * a / inner + b) * place + trials * chance + 0.5) if inner else -1
        if inner >= 0.07 and slack <= 0.92 - 4.2 / b:
            return count
        if not 0 <= count <= trials:
            continue
        rest, rest_of_mode = trials - count, trials - mode
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (rest_of_mode + 1)))
            + (trials + 1) * math.log((rest_of_mode + 1) / (rest + 1))
            + (count + 0.5) * math.log(odds * (rest + 1) / (count + 1))
            + _correction(mode) + _correction(rest_of_mode) - _correction(count) - _correction(rest)
        )  # fmt: skip
        if not slack or math.log(slack * alpha / (a / (inner * inner) + b)) <= bound:
            return count


def _correction(count: int) -> float:
    """What Stirling's formula leaves out of the logarithm of a factorial: by its series, of which few terms do from 10 on."""
    if count < 10:
        return math.lgamma(count + 1.0) - ((count + 0.5) * math.log(count + 1.0) - (count + 1) + 0.5 * math.log(2 * math.pi))
    square = (count + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (count + 1)
