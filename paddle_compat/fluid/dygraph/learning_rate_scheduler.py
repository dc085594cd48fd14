"""`paddle.fluid.dygraph.learning_rate_scheduler`: learning rates that change while an eager script trains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.fluid.dygraph._epoch_rates import (
    LambdaDecay,
    MultiStepDecay,
    ReduceLROnPlateau,
    StepDecay,
    _LearningRateEpochDecay,  # noqa: F401 - the base of scripts' own schedulers
)
from paddle_compat.fluid.dygraph._rates import LearningRateDecay


class PiecewiseDecay(LearningRateDecay):
    """One rate up to each boundary.

    Args:
        boundaries (list): steps at which the rate changes.
        values (list): the rates, one more than there are boundaries.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.PiecewiseDecay([1, 2], [1.0, 0.5, 0.25], 0)
        ...     [float(rate()) for _ in range(4)]
        [1.0, 0.5, 0.25, 0.25]

    Follows Paddle 1.8.
    """

    def __init__(self, boundaries: Sequence[int], values: Sequence[float], begin: int, step: int = 1, dtype: str = "float32") -> None:
        super().__init__(begin, step, dtype)
        self.boundaries, self.values = boundaries, values
        self.vars = list(values)

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            float, or past the last boundary a VarBase.
        """
        passed = sum(self.step_num >= boundary for boundary in self.boundaries)
        return self.vars[passed] if passed < len(self.boundaries) else self.create_lr_var(self.vars[passed])


class _Steps(LearningRateDecay):
    """Schedulers that divide the step's number by `decay_steps`."""

    def __init__(
        self, learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False, begin: int = 0, step: int = 1,
        dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__(begin, step, dtype)
        self.learning_rate, self.decay_steps, self.decay_rate, self.staircase = learning_rate, decay_steps, decay_rate, staircase

    def _passed(self) -> float:
        share = self.step_num / self.decay_steps
        return math.floor(share) if self.staircase else share

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            VarBase.
        """
        return self.create_lr_var(self.learning_rate * self._factor(self._passed()))

    def _factor(self, passed: float) -> float:
        return 1.0


class NaturalExpDecay(_Steps):
    """learning_rate * exp(-decay_rate * step / decay_steps).

    Args:
        learning_rate (float): the first rate.
        decay_steps (int), decay_rate (float): how fast it falls.
        staircase (bool): it falls every decay_steps steps only.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.NaturalExpDecay(0.5, 2, 1.0, staircase=True)
        ...     [round(float(rate()), 4) for _ in range(3)]
        [0.5, 0.5, 0.1839]

    Follows Paddle 1.8.
    """

    def _factor(self, passed: float) -> float:
        return math.exp(-self.decay_rate * passed)


class ExponentialDecay(_Steps):
    """learning_rate * decay_rate ** (step / decay_steps).

    Args:
        learning_rate (float): the first rate.
        decay_steps (int), decay_rate (float): how fast it falls.
        staircase (bool): it falls every decay_steps steps only.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.ExponentialDecay(0.5, 1, 0.5)
        ...     [float(rate()) for _ in range(3)]
        [0.5, 0.25, 0.125]

    Follows Paddle 1.8.
    """

    def _factor(self, passed: float) -> float:
        return float(self.decay_rate**passed)


class InverseTimeDecay(_Steps):
    """learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        learning_rate (float): the first rate.
        decay_steps (int), decay_rate (float): how fast it falls.
        staircase (bool): it falls every decay_steps steps only.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.InverseTimeDecay(0.5, 1, 1.0)
        ...     [round(float(rate()), 4) for _ in range(3)]
        [0.5, 0.25, 0.1667]

    Follows Paddle 1.8.
    """

    def _factor(self, passed: float) -> float:
        return 1.0 / (1.0 + self.decay_rate * passed)


class PolynomialDecay(LearningRateDecay):
    """From one rate to another along a power of the step.

    Args:
        learning_rate (float): the first rate.
        decay_steps (int): steps in which it falls.
        end_learning_rate (float): the last rate.
        power (float): the power.
        cycle (bool): start again behind each decay_steps steps.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.PolynomialDecay(1.0, 2, 0.0)
        ...     [float(rate()) for _ in range(4)]
        [1.0, 0.5, 0.0, 0.0]

    Follows Paddle 1.8.
    """

    def __init__(
        self, learning_rate: float, decay_steps: int, end_learning_rate: float = 0.0001, power: float = 1.0, cycle: bool = False,
        begin: int = 0, step: int = 1, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__(begin, step, dtype)
        self.learning_rate, self.decay_steps, self.end_learning_rate = learning_rate, decay_steps, end_learning_rate
        self.power, self.cycle = power, cycle

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            VarBase.
        """
        at, last = float(self.step_num), float(self.decay_steps)
        if self.cycle:
            last *= 1.0 if self.step_num == 0 else math.ceil(self.step_num / self.decay_steps)
        else:
            at = min(at, last)
        spread = self.learning_rate - self.end_learning_rate
        return self.create_lr_var(spread * (1 - at / last) ** self.power + self.end_learning_rate)


class CosineDecay(LearningRateDecay):
    """Half a cosine over the epochs.

    Args:
        learning_rate (float): the first rate.
        step_each_epoch (int): steps in an epoch.
        epochs (int): how many epochs there are.
        begin, step (int), dtype (str): as of `LearningRateDecay`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.CosineDecay(1.0, 1, 2)
        ...     [round(float(rate()), 4) for _ in range(3)]
        [1.0, 0.5, 0.0]

    Follows Paddle 1.8.
    """

    def __init__(
        self, learning_rate: float, step_each_epoch: int, epochs: int, begin: int = 0, step: int = 1, dtype: str = "float32"
    ) -> None:
        super().__init__(begin, step, dtype)
        self.learning_rate, self.step_each_epoch, self.epochs = learning_rate, step_each_epoch, epochs

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            VarBase.
        """
        epoch = math.floor(self.step_num / self.step_each_epoch)
        return self.create_lr_var(self.learning_rate * 0.5 * (math.cos(epoch * math.pi / self.epochs) + 1))


class NoamDecay(LearningRateDecay):
    """learning_rate * d_model ** -0.5 * min(step ** -0.5, step * warmup_steps ** -1.5).

    Args:
        d_model (float): width of the model.
        warmup_steps (int): steps in which the rate rises.
        begin, step (int), dtype (str): as of `LearningRateDecay`.
        learning_rate (float|VarBase): a factor.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.NoamDecay(1, 4)
        ...     [float(rate()) for _ in range(4)]
        [0.125, 0.25, 0.375, 0.5]

    Follows Paddle 1.8.
    """

    def __init__(
        self, d_model: float, warmup_steps: int, begin: int = 1, step: int = 1, dtype: str = "float32", learning_rate: Any = 1.0
    ) -> None:
        super().__init__(begin, step, dtype)
        self.learning_rate, self.d_model, self.warmup_steps = learning_rate, d_model, warmup_steps

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            VarBase.
        """
        lower = min(self.step_num**-0.5, self.warmup_steps**-1.5 * self.step_num)
        return self.create_lr_var(float(self.learning_rate) * self.d_model**-0.5 * lower)


class LinearLrWarmup(LearningRateDecay):
    """A straight line to another rate or scheduler.

    Args:
        learning_rate (float|LearningRateDecay): what follows.
        warmup_steps (int): steps of the line.
        start_lr, end_lr (float): its ends.
        begin, step (int), dtype (str): as of `LearningRateDecay`.
    Raises:
        TypeError: the rate is neither.
        AssertionError: the line falls.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.LinearLrWarmup(0.25, 2, 0.0, 1.0)
        ...     [float(rate()) for _ in range(3)]
        [0.5, 0.25, 0.25]

    Follows Paddle 1.8.
    """

    def __init__(
        self, learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float, begin: int = 1, step: int = 1, dtype: str = "float32"
    ) -> None:
        super().__init__(begin, step, dtype)
        if not isinstance(learning_rate, (int, float, LearningRateDecay)):
            raise type_error("learning_rate", "a number or a LearningRateDecay", learning_rate, "LinearLrWarmup")
        if not end_lr > start_lr:
            raise failed_assertion("end_lr", f"a number above start_lr, {start_lr}", end_lr, "LinearLrWarmup")
        self.learning_rate, self.warmup_steps, self.start_lr = learning_rate, warmup_steps, start_lr
        self.lr_ratio_before_warmup = (float(end_lr) - float(start_lr)) / float(warmup_steps)

    def step(self) -> Any:
        """The rate at the present step; the scheduler behind the line counts on from its own start.

        Returns:
            float or VarBase.
        """
        behind = self.learning_rate() if isinstance(self.learning_rate, LearningRateDecay) else self.learning_rate
        if self.step_num < self.warmup_steps:
            return self.lr_ratio_before_warmup * self.step_num + self.start_lr
        return behind


__all__ = [
    "CosineDecay", "ExponentialDecay", "InverseTimeDecay", "LambdaDecay", "LinearLrWarmup", "MultiStepDecay", "NaturalExpDecay",
    "NoamDecay", "PiecewiseDecay", "PolynomialDecay", "ReduceLROnPlateau", "StepDecay",
]  # fmt: skip

__getattr__ = missing(__name__)
