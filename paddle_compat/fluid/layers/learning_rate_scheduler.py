"""`fluid.layers` learning-rate schedules: operators that compute the rate from a step counter inside the Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers
from paddle_compat.fluid.dygraph import learning_rate_scheduler as decays
from paddle_compat.optimizer import _lr_formulas as formulas

__all__ = [
    "cosine_decay", "exponential_decay", "inverse_time_decay", "linear_lr_warmup", "natural_exp_decay", "noam_decay",
    "piecewise_decay", "polynomial_decay",
]  # fmt: skip


def _is_eager() -> bool:
    mode.settle_by_imports()
    return not mode.settle_static()


def _decay_step_counter(begin: int = 0) -> Any:
    return formulas.step_number(1, begin)


def noam_decay(d_model: int, warmup_steps: int, learning_rate: float = 1.0) -> Any:
    """Linear warm-up, then decay by the inverse root of the step: that of the first Transformer.

    Args:
        d_model (int|Variable): width of the model.
        warmup_steps (int|Variable): length of the warm-up.
        learning_rate (float|Variable): factor on the whole.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.noam_decay(64, 100)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.0001, 0.0003, 0.0004]

    Follows Paddle 1.8.
    """
    if _is_eager():
        return decays.NoamDecay(d_model, warmup_steps, learning_rate=learning_rate)
    with formulas.schedule():
        step = _decay_step_counter(1)
        decaying = step**-0.5
        warming = (warmup_steps**-1.5) * step
        return learning_rate * (d_model**-0.5) * layers.elementwise_min(decaying, warming)


def exponential_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * decay_rate^(step / decay_steps).

    Args:
        learning_rate (float|Variable): the first rate.
        decay_steps (int): steps in which the rate falls by decay_rate.
        decay_rate (float): the factor.
        staircase (bool): fall only every `decay_steps` steps.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.exponential_decay(0.1, 10, 0.5)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.0933, 0.0871]

    Follows Paddle 1.8.
    """
    if _is_eager():
        return decays.ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase)
    return formulas.exponential(1, learning_rate, decay_steps, decay_rate, staircase)


def natural_exp_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * e^(-decay_rate * step / decay_steps).

    Args:
        learning_rate (float|Variable): the first rate.
        decay_steps (int), decay_rate (float): speed of the decay.
        staircase (bool): fall only every `decay_steps` steps.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.natural_exp_decay(0.1, 10, 0.5)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.0951, 0.0905]

    Follows Paddle 1.8.
    """
    if _is_eager():
        return decays.NaturalExpDecay(learning_rate, decay_steps, decay_rate, staircase)
    return formulas.natural_exp(1, learning_rate, decay_steps, decay_rate, staircase)


def inverse_time_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        learning_rate (float|Variable): the first rate.
        decay_steps (int), decay_rate (float): speed of the decay.
        staircase (bool): fall only every `decay_steps` steps.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.inverse_time_decay(0.1, 10, 0.5)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.0952, 0.0909]

    Follows Paddle 1.8.
    """
    if _is_eager():
        return decays.InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase)
    return formulas.inverse_time(1, learning_rate, decay_steps, decay_rate, staircase)


def polynomial_decay(
    learning_rate: Any, decay_steps: int, end_learning_rate: float = 0.0001, power: float = 1.0, cycle: bool = False
) -> Any:
    """From learning_rate to end_learning_rate in `decay_steps` steps, along a polynomial.

    Args:
        learning_rate (float|Variable): the first rate.
        decay_steps (int): length of the decay.
        end_learning_rate (float): the last rate.
        power (float): of the polynomial.
        cycle (bool): start again at the end, with a decay that is longer by `decay_steps` each time.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.polynomial_decay(0.1, 10)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.09, 0.08]

    Follows Paddle 1.8.
    """
    if _is_eager():
        return decays.PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)
    with formulas.schedule():
        step, length = _decay_step_counter(), decay_steps
        if cycle:
            rounds = layers.ceil(step / decay_steps)
            zero = layers.fill_constant(shape=[1], dtype="float32", value=0.0)
            one = layers.fill_constant(shape=[1], dtype="float32", value=1.0)
            with layers.Switch() as switch, switch.case(step == zero):
                layers.assign(input=one, output=rounds)
            length = decay_steps * rounds
        else:
            last = layers.fill_constant(shape=[1], dtype="float32", value=float(decay_steps))
            step = layers.elementwise_min(x=step, y=last)
        return formulas.polynomial(learning_rate, end_learning_rate, step, length, power)


def piecewise_decay(boundaries: list[int], values: list[float]) -> Any:
    """One rate up to each boundary, and a last one after them.

    Args:
        boundaries (list): steps at which the rate changes.
        values (list): the rates, one more than boundaries.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.
    Raises:
        ValueError: there is not one value more than boundaries.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.piecewise_decay([10, 20], [0.1, 0.05, 0.01])
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.1, 0.1]

    Follows Paddle 1.8.
    """
    if len(values) - len(boundaries) != 1:
        raise ValueError(
            f"Invalid value for argument `values` of `piecewise_decay`. Expected {len(boundaries) + 1} values, one "
            f"more than boundaries. Received: {len(values)}"
        )
    if _is_eager():
        return decays.PiecewiseDecay(boundaries, values, 0)
    with formulas.schedule():
        step = _decay_step_counter()
        rate = layers.create_global_var([1], 0.0, "float32", persistable=True, name="learning_rate")
        with layers.Switch() as switch:
            for boundary, value in zip(boundaries, values):
                limit = layers.fill_constant(shape=[1], dtype="float32", value=float(boundary), force_cpu=True)
                constant = layers.fill_constant(shape=[1], dtype="float32", value=float(value))
                with switch.case(step < limit):
                    layers.assign(constant, rate)
            constant = layers.fill_constant(shape=[1], dtype="float32", value=float(values[-1]))
            with switch.default():
                layers.assign(constant, rate)
        return rate


def cosine_decay(learning_rate: Any, step_each_epoch: int, epochs: int) -> Any:
    """learning_rate / 2 * (cos(epoch * pi / epochs) + 1).

    Args:
        learning_rate (float|Variable): the first rate.
        step_each_epoch (int): steps of an epoch.
        epochs (int): epochs until the rate is zero.
    Returns:
        Variable: the rate, float32 of shape [1]; in eager mode the scheduler of `fluid.dygraph`.
    Raises:
        TypeError: learning_rate is neither a float nor a Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.cosine_decay(0.1, 10, 5)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.1, 0.1, 0.1]

    Follows Paddle 1.8.
    """
    if not isinstance(learning_rate, (float, Variable)):
        raise type_error("learning_rate", "float or Variable", learning_rate, "cosine_decay")
    if _is_eager():
        return decays.CosineDecay(learning_rate, step_each_epoch, epochs)  # type: ignore[arg-type]
    return formulas.cosine(1, learning_rate, step_each_epoch, epochs)


def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """A straight line from start_lr to end_lr, then another rate.

    Args:
        learning_rate (float|Variable): the rate after the warm-up; it may itself be scheduled.
        warmup_steps (int): length of the warm-up.
        start_lr (float), end_lr (float): its ends.
    Returns:
        Variable: the rate, of shape [1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     rate = fluid.layers.linear_lr_warmup(0.1, 10, 0.0, 0.1)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(3)]
        [0.0, 0.01, 0.02]

    Follows Paddle 1.8.
    """
    dtype = learning_rate.dtype if isinstance(learning_rate, Variable) else "float32"
    slope = float(end_lr) - float(start_lr)
    if _is_eager():
        return decays.LinearLrWarmup(learning_rate, warmup_steps, start_lr, end_lr)
    with formulas.schedule():
        rate = layers.create_global_var([1], 0.0, dtype, persistable=True, name="learning_rate_warmup")
        step = _decay_step_counter()
        with layers.Switch() as switch:
            with switch.case(step < warmup_steps):
                layers.assign(start_lr + slope * (step / float(warmup_steps)), rate)
            with switch.default():
                if not isinstance(learning_rate, Variable):
                    learning_rate = layers.fill_constant(shape=[1], dtype=dtype, value=float(learning_rate))
                layers.assign(learning_rate, rate)
        return rate

__getattr__ = missing(__name__)
