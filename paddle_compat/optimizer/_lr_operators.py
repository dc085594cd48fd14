"""Learning rates that operators of a Program compute from a step counter; in eager mode, the schedulers instead."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer import _lr_cycles as cycles
from paddle_compat.optimizer import _lr_decays as decays
from paddle_compat.optimizer import _lr_formulas as formulas
from paddle_compat.optimizer._counter import step_counter
from paddle_compat.static.variables import make_global_var


def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Any:
    """A counter that every run of the Program advances.

    Args:
        counter_name (str|None): name of the variable; None: ``"@STEP_COUNTER@"``.
        begin (int): the value in the first run.
        step (int): what each run adds.
    Returns:
        Variable: int64, of shape [1].

    Follows Paddle 2.6.
    """
    return step_counter(2, counter_name or "@STEP_COUNTER@", begin, step)


def noam_decay(d_model: int, warmup_steps: int, learning_rate: float = 1.0) -> Any:
    """Linear warm-up, then decay by the inverse root of the step.

    Args:
        d_model (int), warmup_steps (int), learning_rate (float): as of `NoamDecay`.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode a `NoamDecay`.

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.NoamDecay(d_model, warmup_steps, learning_rate=learning_rate)
    with formulas.schedule():
        step = formulas.step_number(2, 1)
        return learning_rate * (d_model**-0.5) * (step**-0.5).minimum((warmup_steps**-1.5) * step)


def exponential_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * decay_rate^(step / decay_steps).

    Args:
        learning_rate (float|Variable): the first rate.
        decay_steps (int): steps in which the rate falls by decay_rate; not used in eager mode.
        decay_rate (float): the factor.
        staircase (bool): fall only every `decay_steps` steps; not used in eager mode.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode an `ExponentialDecay`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     rate = paddle.optimizer.lr.exponential_decay(0.1, 10, 0.5)
        ...     exe = paddle.static.Executor(paddle.CPUPlace())
        ...     _ = exe.run(paddle.static.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.0933, 0.0871]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.ExponentialDecay(learning_rate, decay_rate)
    return formulas.exponential(2, learning_rate, decay_steps, decay_rate, staircase)


def natural_exp_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * e^(-decay_rate * step / decay_steps).

    Args:
        learning_rate (float|Variable), decay_steps (int), decay_rate (float), staircase (bool): as of `exponential_decay`.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode a `NaturalExpDecay`.

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.NaturalExpDecay(learning_rate, decay_rate)
    return formulas.natural_exp(2, learning_rate, decay_steps, decay_rate, staircase)


def inverse_time_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        learning_rate (float|Variable), decay_steps (int), decay_rate (float), staircase (bool): as of `exponential_decay`.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode an `InverseTimeDecay`.

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.InverseTimeDecay(learning_rate, decay_rate)
    return formulas.inverse_time(2, learning_rate, decay_steps, decay_rate, staircase)


def polynomial_decay(
    learning_rate: Any, decay_steps: int, end_learning_rate: float = 0.0001, power: float = 1.0, cycle: bool = False
) -> Any:
    """From learning_rate to end_learning_rate in `decay_steps` steps, along a polynomial.

    Args:
        learning_rate (float|Variable), decay_steps (int), end_learning_rate (float), power (float), cycle (bool): as of
            `PolynomialDecay`.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode a `PolynomialDecay`.

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)
    from paddle_compat.static.nn.control_flow import cond
    from paddle_compat.tensor import full

    with formulas.schedule():
        step, length = formulas.step_number(2), decay_steps
        if cycle:
            rounds, one = (step / decay_steps).ceil(), full([1], 1.0, "float32")
            length = decay_steps * cond(step == 0.0, lambda: one, lambda: rounds)
        else:
            step = step.minimum(full([1], float(decay_steps), "float32"))
        return formulas.polynomial(learning_rate, end_learning_rate, step, length, power)


def piecewise_decay(boundaries: list[int], values: list[float]) -> Any:
    """One rate up to each boundary, and a last one after them.

    Args:
        boundaries (list): steps at which the rate changes.
        values (list): the rates, one more than boundaries.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode a `PiecewiseDecay`.
    Raises:
        ValueError: there is not one value more than boundaries.

    Follows Paddle 2.6.
    """
    if len(values) - len(boundaries) != 1:
        raise ValueError(
            f"Invalid value for argument `values` of `piecewise_decay`. Expected {len(boundaries) + 1} values, one "
            f"more than boundaries. Received: {len(values)}"
        )
    if mode.in_dygraph_mode():
        return decays.PiecewiseDecay(boundaries, values)
    from paddle_compat.static.nn.control_flow import Switch
    from paddle_compat.tensor import assign, full

    with formulas.schedule():
        step = formulas.step_number(2)
        rate = make_global_var(2, [1], 0.0, "float32", True, False, "learning_rate")
        with Switch() as switch:
            for boundary, value in zip(boundaries, values):
                with switch.case(step < full([1], float(boundary), "float32")):
                    assign(full([1], float(value), "float32"), rate)
            with switch.default():
                assign(full([1], float(values[-1]), "float32"), rate)
        return rate


def cosine_decay(learning_rate: Any, step_each_epoch: int, epochs: int) -> Any:
    """learning_rate / 2 * (cos(epoch * pi / epochs) + 1).

    Args:
        learning_rate (float|Variable): the first rate.
        step_each_epoch (int): steps of an epoch; not used in eager mode.
        epochs (int): epochs until the rate is zero.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode a `CosineAnnealingDecay`.
    Raises:
        TypeError: learning_rate is neither a float nor a Variable.

    Follows Paddle 2.6.
    """
    if not isinstance(learning_rate, (float, Variable)):
        raise type_error("learning_rate", "float or Variable", learning_rate, "cosine_decay")
    rate: Any = learning_rate
    if mode.in_dygraph_mode():
        return cycles.CosineAnnealingDecay(rate, epochs)
    return formulas.cosine(2, rate, step_each_epoch, epochs)


def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """A straight line from start_lr to end_lr, then another rate.

    Args:
        learning_rate (float|Variable|LRScheduler): the rate after the warm-up; it may itself be scheduled.
        warmup_steps (int): length of the warm-up.
        start_lr (float), end_lr (float): its ends.
    Returns:
        Variable: the rate, of shape [1]; in eager mode a `LinearWarmup`.

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        return decays.LinearWarmup(learning_rate, warmup_steps, start_lr, end_lr)
    from paddle_compat.static.nn.control_flow import cond
    from paddle_compat.tensor import assign, full

    with formulas.schedule():
        dtype = learning_rate.dtype if isinstance(learning_rate, Variable) else "float32"
        warm = make_global_var(2, [1], 0.0, dtype, True, False, "learning_rate_warmup")
        after = learning_rate if isinstance(learning_rate, Variable) else full([1], float(learning_rate), dtype)
        step, slope = formulas.step_number(2), float(end_lr) - float(start_lr)
        rate = cond(step < warmup_steps, lambda: start_lr + slope * (step / float(warmup_steps)), lambda: after)
        assign(rate, warm)
        return warm
