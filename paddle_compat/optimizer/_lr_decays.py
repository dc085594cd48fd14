"""Learning rates that go one way: down, or up and then down, by a formula of the epoch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.optimizer._lr_base import LRScheduler, need


class NoamDecay(LRScheduler):
    """Linear warm-up, then decay by the inverse root of the epoch: that of the first Transformer.

    Args:
        d_model (int): width of the model.
        warmup_steps (int): length of the warm-up.
        learning_rate (float): factor on the whole.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        ValueError: d_model is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> scheduler = paddle.optimizer.lr.NoamDecay(d_model=64, warmup_steps=100)
        >>> scheduler.step()
        >>> round(scheduler(), 6)
        0.000125

    Follows Paddle 2.6.
    """

    def __init__(self, d_model: int, warmup_steps: int, learning_rate: float = 1.0, last_epoch: int = -1, verbose: bool = False) -> None:
        need(d_model > 0, ValueError, "NoamDecay", "d_model", "a positive number", d_model)
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        decaying = self.last_epoch**-0.5 if self.last_epoch else 1
        warming = self.warmup_steps**-1.5 * self.last_epoch
        return float(self.base_lr * self.d_model**-0.5 * min(decaying, warming))


class PiecewiseDecay(LRScheduler):
    """One rate up to each boundary, and a last one after them.

    Args:
        boundaries (list): epochs at which the rate changes.
        values (list): the rates, one more than boundaries.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        ValueError: no boundaries, or too few values.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.PiecewiseDecay([3, 6], [0.1, 0.01, 0.001])()
        0.1

    Follows Paddle 2.6.
    """

    def __init__(self, boundaries: Sequence[int], values: Sequence[float], last_epoch: int = -1, verbose: bool = False) -> None:
        need(len(boundaries) > 0, ValueError, "PiecewiseDecay", "boundaries", "at least one boundary", boundaries)
        expected = f"more than {len(boundaries)} values"
        need(len(values) > len(boundaries), ValueError, "PiecewiseDecay", "values", expected, values)
        self.boundaries = boundaries
        self.values = values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        passed = next((i for i, b in enumerate(self.boundaries) if self.last_epoch < b), len(self.values) - 1)
        return self.values[passed]


class NaturalExpDecay(LRScheduler):
    """learning_rate * e^(-gamma * epoch).

    Args:
        learning_rate (float): the first rate.
        gamma (float): speed of the decay.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        AssertionError: gamma is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.NaturalExpDecay(0.5, gamma=0.1)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        need(gamma > 0, AssertionError, "NaturalExpDecay", "gamma", "a positive number", gamma)
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(LRScheduler):
    """learning_rate / (1 + gamma * epoch).

    Args:
        learning_rate (float): the first rate.
        gamma (float): speed of the decay.
        last_epoch (int), verbose (bool): as of `LRScheduler`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.InverseTimeDecay(0.5, gamma=0.1)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class PolynomialDecay(LRScheduler):
    """From learning_rate to end_lr in `decay_steps` epochs, along a polynomial.

    Args:
        learning_rate (float): the first rate.
        decay_steps (int): length of the decay.
        end_lr (float): the last rate.
        power (float): of the polynomial.
        cycle (bool): start again at the end, with a decay that is longer by `decay_steps` each time.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        AssertionError: decay_steps or power is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.PolynomialDecay(0.5, decay_steps=20)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        fits = isinstance(decay_steps, int) and decay_steps > 0
        need(fits, AssertionError, "PolynomialDecay", "decay_steps", "a positive int", decay_steps)
        need(power > 0, AssertionError, "PolynomialDecay", "power", "a positive number", power)
        self.decay_steps = decay_steps
        self.end_lr = end_lr
        self.power = power
        self.cycle = cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        if self.cycle:
            length = self.decay_steps * max(math.ceil(self.last_epoch / self.decay_steps), 1)
            done = self.last_epoch / length
        else:
            done = min(self.last_epoch, self.decay_steps) / self.decay_steps
        return float((self.base_lr - self.end_lr) * (1 - done) ** self.power + self.end_lr)


class LinearWarmup(LRScheduler):
    """A straight line from start_lr to end_lr, then a rate or another schedule, which begins with its epoch 0.

    Args:
        learning_rate (float|LRScheduler): what follows the warm-up.
        warmup_steps (int): length of the warm-up.
        start_lr (float), end_lr (float): its ends.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: learning_rate is neither a number nor a scheduler.
        AssertionError: warmup_steps is not positive, or end_lr not above start_lr.

    Example:
        >>> import paddle_compat as paddle
        >>> scheduler = paddle.optimizer.lr.LinearWarmup(0.5, warmup_steps=20, start_lr=0, end_lr=0.5)
        >>> scheduler.step()
        >>> scheduler()
        0.025

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        api = "LinearWarmup"
        fits = isinstance(learning_rate, (float, int, LRScheduler))
        need(fits, TypeError, api, "learning_rate", "a number or an LRScheduler", learning_rate)
        fits = isinstance(warmup_steps, int) and warmup_steps > 0
        need(fits, AssertionError, api, "warmup_steps", "a positive int", warmup_steps)
        need(end_lr > start_lr, AssertionError, api, "end_lr", f"more than start_lr, {start_lr}", end_lr)
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps
        self.start_lr = start_lr
        self.end_lr = end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def state_dict(self) -> dict[str, Any]:
        """As of `LRScheduler`, with the state of the schedule that follows under "LinearWarmup_LR"."""
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned.

        Args:
            state_dict (dict): what it returned.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.LinearWarmup(0.5, warmup_steps=10, start_lr=0.0, end_lr=0.5)
            >>> scheduler.set_state_dict({"last_epoch": 5, "last_lr": 0.25}); scheduler()
            0.25
        """
        super().set_state_dict(state_dict)
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict.get("LinearWarmup_LR") or {})

    set_dict = set_state_dict

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        if self.last_epoch < self.warmup_steps:
            return (self.end_lr - self.start_lr) * float(self.last_epoch) / self.warmup_steps + self.start_lr
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.step(self.last_epoch - self.warmup_steps)
            return self.learning_rate()
        return self.learning_rate


class ExponentialDecay(LRScheduler):
    """learning_rate * gamma^epoch.

    Args:
        learning_rate (float): the first rate.
        gamma (float): factor of each epoch.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        AssertionError: gamma does not lie between 0 and 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.ExponentialDecay(0.5, gamma=0.9)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        need(0 < gamma < 1, AssertionError, "ExponentialDecay", "gamma", "a number between 0 and 1", gamma)
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return float(self.base_lr * self.gamma**self.last_epoch)


class MultiStepDecay(LRScheduler):
    """The rate times gamma at each milestone.

    Args:
        learning_rate (float): the first rate.
        milestones (list): epochs, increasing.
        gamma (float): the factor, below 1.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: milestones is no list or tuple.
        ValueError: milestones do not increase, or gamma is 1 or more.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.MultiStepDecay(0.5, milestones=[30, 50])()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        api = "MultiStepDecay"
        need(isinstance(milestones, (tuple, list)), TypeError, api, "milestones", "a list or tuple", milestones)
        fits = all(a < b for a, b in zip(milestones, milestones[1:]))
        need(fits, ValueError, api, "milestones", "increasing epochs", milestones)
        need(gamma < 1, ValueError, api, "gamma", "a number below 1", gamma)
        self.milestones = milestones
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        passed = sum(1 for milestone in self.milestones if self.last_epoch >= milestone)
        return float(self.base_lr * self.gamma**passed)


class StepDecay(LRScheduler):
    """The rate times gamma every `step_size` epochs.

    Args:
        learning_rate (float): the first rate.
        step_size (int): epochs between two steps.
        gamma (float): the factor, below 1.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: step_size is no int.
        ValueError: gamma is 1 or more.
        AssertionError: step_size is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.StepDecay(0.5, step_size=5)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, step_size: int, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        need(isinstance(step_size, int), TypeError, "StepDecay", "step_size", "an int", step_size)
        need(gamma < 1, ValueError, "StepDecay", "gamma", "a number below 1", gamma)
        need(step_size > 0, AssertionError, "StepDecay", "step_size", "a positive int", step_size)
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return float(self.base_lr * self.gamma ** (self.last_epoch // self.step_size))


class LambdaDecay(LRScheduler):
    """learning_rate times a function of the epoch.

    Args:
        learning_rate (float): the rate to be multiplied.
        lr_lambda (callable): epoch -> factor.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: lr_lambda is not callable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.LambdaDecay(0.5, lambda epoch: 0.95**epoch)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, lr_lambda: Callable[[int], float], last_epoch: int = -1, verbose: bool = False) -> None:
        need(callable(lr_lambda), TypeError, type(self).__name__, "lr_lambda", "a function of the epoch", lr_lambda)
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(LambdaDecay):
    """The rate of the epoch before times a function of the epoch.

    Args:
        learning_rate (float): the first rate.
        lr_lambda (callable): epoch -> factor.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: lr_lambda is not callable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.MultiplicativeDecay(0.5, lambda epoch: 0.95)()
        0.5

    Follows Paddle 2.6.
    """

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        return math.prod((self.lr_lambda(epoch) for epoch in range(1, self.last_epoch + 1)), start=self.base_lr)


class LinearLR(LRScheduler):
    """The rate times a factor that goes in a straight line from start_factor to end_factor.

    Args:
        learning_rate (float): the rate to be multiplied.
        total_steps (int): length of the line.
        start_factor (float), end_factor (float): its ends.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        ValueError: a factor lies outside (0, 1], or total_steps is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.LinearLR(0.5, total_steps=5, start_factor=0.5)()
        0.25

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        need(0 < start_factor <= 1, ValueError, "LinearLR", "start_factor", "above 0 and at most 1", start_factor)
        need(0 <= end_factor <= 1, ValueError, "LinearLR", "end_factor", "a number from 0 to 1", end_factor)
        need(total_steps > 0, ValueError, "LinearLR", "total_steps", "a positive number", total_steps)
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_steps = total_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`, from the one before."""
        if self.last_epoch == 0:
            return self.base_lr * self.start_factor
        if self.last_epoch > self.total_steps:
            return self.last_lr
        slope = self.end_factor - self.start_factor
        return self.last_lr * (1.0 + slope / (self.total_steps * self.start_factor + (self.last_epoch - 1) * slope))
