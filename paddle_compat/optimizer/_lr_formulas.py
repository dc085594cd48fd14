"""Learning rates that operators compute from the number of the step: what Paddle 1.8 and 2.6 record alike."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import default_main_program
from paddle_compat.optimizer._counter import step_counter
from paddle_compat.static.nn._blocks import call


def schedule() -> Any:
    """What the operators of a schedule are recorded under."""
    return default_main_program()._lr_schedule_guard()


def step_number(age: int, begin: int = 0) -> Any:
    """The number of the step as float32: 0 in the first run unless `begin` says otherwise."""
    counter = step_counter(age, "@LR_DECAY_COUNTER@", begin)
    return call("cast", counter, in_dtype=counter.dtype, out_dtype=VarType.FP32)


def _periods(age: int, decay_steps: int, staircase: bool) -> Any:
    """How many times `decay_steps` steps have been taken; whole times for a staircase."""
    periods = step_number(age) / decay_steps
    return periods.floor() if staircase else periods


def exponential(age: int, rate: Any, decay_steps: int, decay_rate: float, staircase: bool) -> Any:
    with schedule():
        return rate * (decay_rate ** _periods(age, decay_steps, staircase))


def natural_exp(age: int, rate: Any, decay_steps: int, decay_rate: float, staircase: bool) -> Any:
    with schedule():
        return rate * (-1 * decay_rate * _periods(age, decay_steps, staircase)).exp()


def inverse_time(age: int, rate: Any, decay_steps: int, decay_rate: float, staircase: bool) -> Any:
    with schedule():
        return rate / (1 + decay_rate * _periods(age, decay_steps, staircase))


def cosine(age: int, rate: Any, step_each_epoch: int, epochs: int) -> Any:
    with schedule():
        return rate * 0.5 * ((_periods(age, step_each_epoch, True) * math.pi / epochs).cos() + 1)


def polynomial(rate: Any, end: float, step: Any, length: Any, power: float) -> Any:
    return (rate - end) * ((1 - step / length) ** power) + end
