"""Learning rates that come back up, and the one that watches a metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat.core.tensor import Tensor
from paddle_compat.optimizer._lr_base import LRScheduler, need


class ReduceOnPlateau(LRScheduler):
    """The rate times `factor` when a metric has not become better for `patience` epochs.

    Args:
        learning_rate (float): the first rate.
        mode (str): "min" where a lower metric is better, "max" where a higher one is.
        factor (float): below 1.
        patience (int): how many epochs without progress are borne.
        threshold (float): what counts as progress, a part of the best metric ("rel") or an amount ("abs").
        threshold_mode (str): "rel" or "abs".
        cooldown (int): epochs after a reduction in which nothing is counted.
        min_lr (float): the lowest rate.
        epsilon (float): smaller reductions are left out.
        verbose (bool): print reductions.
    Raises:
        ValueError: an unknown mode, or a factor of 1 or more.
        TypeError: learning_rate is no number.

    Example:
        >>> import paddle_compat as paddle
        >>> scheduler = paddle.optimizer.lr.ReduceOnPlateau(1.0, factor=0.5, patience=1)
        >>> for loss in (3.0, 3.0, 3.0):
        ...     scheduler.step(loss)
        >>> scheduler()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        api = "ReduceOnPlateau"
        mode, threshold_mode = mode.lower(), threshold_mode.lower()
        need(mode in ("min", "max"), ValueError, api, "mode", "'min' or 'max'", mode)
        need(factor < 1, ValueError, api, "factor", "a number below 1", factor)
        need(threshold_mode in ("rel", "abs"), ValueError, api, "threshold_mode", "'rel' or 'abs'", threshold_mode)
        need(isinstance(learning_rate, (float, int)), TypeError, api, "learning_rate", "a number", learning_rate)
        self.mode = mode
        self.factor = factor
        self.threshold_mode = threshold_mode
        self.patience = patience
        self.threshold = threshold
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.epsilon = epsilon
        self.cooldown_counter = 0
        self.best: Any = None
        self.num_bad_epochs = 0
        # the base class would take a step, which here needs a metric
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch = 0
        self.verbose = verbose
        self._var_name = None

    def state_keys(self) -> None:
        """Set `self.keys`."""
        self.keys = ["cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr"]

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Go on by one epoch.

        Args:
            metrics (float|numpy.ndarray|Tensor): the metric, one element.
            epoch (int): the epoch to go to.
        Raises:
            TypeError: metrics is no number.
            AssertionError: metrics has several elements.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.ReduceOnPlateau(1.0, factor=0.5, patience=0)
            >>> scheduler.step(3.0); scheduler.step(3.0); scheduler()
            0.5
        """
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if isinstance(metrics, (Tensor, np.ndarray)):
            need(metrics.size == 1, AssertionError, "ReduceOnPlateau.step", "metrics", "one element", metrics)
        else:
            fits = isinstance(metrics, (int, float, np.float32, np.float64))
            need(fits, TypeError, "ReduceOnPlateau.step", "metrics", "a number, array or Tensor", metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(metrics, self.best):
            self.best = metrics
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
            reduced = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - reduced > self.epsilon:
                self.last_lr = reduced
                self._report()

    def _is_better(self, current: Any, best: Any) -> bool:
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return bool(current < best - margin if self.mode == "min" else current > best + margin)


class CosineAnnealingDecay(LRScheduler):
    """From learning_rate to eta_min in `T_max` epochs along a cosine, and back.

    Args:
        learning_rate (float): the highest rate.
        T_max (int): epochs from the highest to the lowest.
        eta_min (float): the lowest rate.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError: T_max is no int or eta_min no number.
        AssertionError: T_max is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.CosineAnnealingDecay(0.5, T_max=10)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float, T_max: int, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False) -> None:
        api = "CosineAnnealingDecay"
        need(isinstance(T_max, int), TypeError, api, "T_max", "an int", T_max)
        need(isinstance(eta_min, (float, int)), TypeError, api, "eta_min", "a number", eta_min)
        need(T_max > 0, AssertionError, api, "T_max", "a positive int", T_max)
        self.T_max = T_max
        self.eta_min = float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def _height(self, epoch: int) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`, from the one before."""
        if self.last_epoch == 0:
            return self.base_lr
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # the epoch before stood at the bottom, where the ratio below divides by zero
            return self.last_lr + (self.base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        ratio = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return ratio * (self.last_lr - self.eta_min) + self.eta_min

    def _get_closed_form_lr(self) -> float:
        return self.eta_min + (self.base_lr - self.eta_min) * self._height(self.last_epoch) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down along a cosine in `T_0` epochs, then from the top again, each time `T_mult` as long (SGDR).

    Args:
        learning_rate (float): the highest rate.
        T_0 (int): epochs of the first descent.
        T_mult (int): factor on the length of the next one.
        eta_min (float): the lowest rate.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        ValueError: T_0 or T_mult is no positive int; or an epoch is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.optimizer.lr.CosineAnnealingWarmRestarts(0.5, T_0=4)()
        0.5

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        api = "CosineAnnealingWarmRestarts"
        need(isinstance(T_0, int) and T_0 > 0, ValueError, api, "T_0", "a positive int", T_0)
        need(isinstance(T_mult, int) and T_mult >= 1, ValueError, api, "T_mult", "a positive int", T_mult)
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The learning rate `T_cur` epochs into a descent of `T_i`."""
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2

    def step(self, epoch: int | None = None) -> None:
        """Go on by one epoch, or to the epoch given.

        Args:
            epoch (int): the epoch to go to; None: the next one.
        """
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = epoch or 0
            need(epoch >= 0, ValueError, "CosineAnnealingWarmRestarts.step", "epoch", "a number not below 0", epoch)
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch)
        self.last_lr = self.get_lr()
        self._report()

    def _go_to(self, epoch: int) -> None:
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_i = self.T_0 * self.T_mult**restarts
            self.T_cur = epoch - self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)


class OneCycleLR(LRScheduler):
    """Up from a low rate to the highest and down again below the first, once (the 1cycle policy).

    Args:
        max_learning_rate (float): the highest rate.
        total_steps (int): length of the whole.
        divide_factor (float): the first rate is max_learning_rate / divide_factor.
        end_learning_rate (float): the last rate.
        phase_pct (float): the part of the steps in which the rate rises.
        anneal_strategy (str): "cos" or "linear".
        three_phase (bool): come down to the first rate as fast as it went up, then to the last.
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError, ValueError: an argument is of a wrong type or out of range, or the steps exceed `total_steps`.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.optimizer.lr.OneCycleLR(max_learning_rate=1.0, total_steps=100)(), 3)
        0.04

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: str = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        api = "OneCycleLR"
        for name, value in (("max_learning_rate", max_learning_rate), ("end_learning_rate", end_learning_rate)):
            need(isinstance(value, (float, int)), TypeError, api, name, "a number", value)
            need(value >= 0, ValueError, api, name, "a number that is not negative", value)
        need(isinstance(total_steps, int), TypeError, api, "total_steps", "an int", total_steps)
        need(total_steps > 0, ValueError, api, "total_steps", "a positive int", total_steps)
        need(isinstance(phase_pct, float), TypeError, api, "phase_pct", "a float", phase_pct)
        need(0 <= phase_pct <= 1, ValueError, api, "phase_pct", "a number from 0 to 1", phase_pct)
        need(isinstance(divide_factor, (float, int)), TypeError, api, "divide_factor", "a number", divide_factor)
        if three_phase:
            need(phase_pct < 0.5, ValueError, api, "phase_pct", "less than 0.5 with three phases", phase_pct)
        strategies = {"cos": self._cos_annealing, "linear": self._linear_annealing}
        need(anneal_strategy in strategies, ValueError, api, "anneal_strategy", "'cos' or 'linear'", anneal_strategy)
        self.total_steps = total_steps
        self.anneal_func = strategies[anneal_strategy]
        first, last = max_learning_rate / float(divide_factor), float(end_learning_rate)
        top = phase_pct * total_steps - 1
        if three_phase:
            ends, rates = [0, top, 2 * top, total_steps - 1], [first, max_learning_rate, first, last]
        else:
            ends, rates = [0, top, total_steps - 1], [first, max_learning_rate, last]
        # (start, end, rate there, rate here) of each phase
        self._phases = list(zip(ends, ends[1:], rates, rates[1:]))
        super().__init__(first, last_epoch, verbose)

    def _cos_annealing(self, start_lr: float, end_lr: float, pct: float) -> float:
        return end_lr + (start_lr - end_lr) / 2.0 * (math.cos(math.pi * pct) + 1)

    def _linear_annealing(self, start_lr: float, end_lr: float, pct: float) -> float:
        return (end_lr - start_lr) * pct + start_lr

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        step = self.last_epoch
        need(step <= self.total_steps, ValueError, "OneCycleLR", "epoch", f"at most {self.total_steps} steps", step)
        start, end, rate, goal = next((p for p in self._phases if step <= p[1]), self._phases[-1])
        return self.anneal_func(rate, goal, (step - start) / (end - start))


class CyclicLR(LRScheduler):
    """Up and down between two rates, again and again.

    Args:
        base_learning_rate (float), max_learning_rate (float): the two rates.
        step_size_up (int), step_size_down (int): epochs of each way; None: down takes as long as up.
        mode (str): "triangular"; "triangular2", where each cycle is half as high; "exp_range", where epoch x is as high
            as exp_gamma^x.
        exp_gamma (float): for "exp_range".
        scale_fn (callable): number -> height, in place of `mode`.
        scale_mode (str): what number scale_fn is given: that of the "cycle" or of the epoch ("iterations").
        last_epoch (int), verbose (bool): as of `LRScheduler`.
    Raises:
        TypeError, ValueError: an argument is of a wrong type or out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> scheduler = paddle.optimizer.lr.CyclicLR(0.5, 1.0, step_size_up=2)
        >>> scheduler.step()
        >>> scheduler()
        0.75

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: str = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        api = "CyclicLR"
        need(
            isinstance(max_learning_rate, (float, int)),
            TypeError,
            api,
            "max_learning_rate",
            "a number",
            max_learning_rate,
        )
        need(max_learning_rate >= 0, ValueError, api, "max_learning_rate", "a number not below 0", max_learning_rate)
        for name, size in (("step_size_up", step_size_up), ("step_size_down", step_size_down)):
            if size is not None or name == "step_size_up":
                need(isinstance(size, int), TypeError, api, name, "an int", size)
                assert size is not None
                need(size > 0, ValueError, api, name, "a positive int", size)
        need(isinstance(exp_gamma, float), TypeError, api, "exp_gamma", "a float", exp_gamma)
        # mode: (height of number x, what x counts)
        modes: dict[str, tuple[Callable[[float], float], str]] = {
            "triangular": (self._triangular_scale_fn, "cycle"),
            "triangular2": (self._triangular2_scale_fn, "cycle"),
            "exp_range": (self._exp_range_scale_fn, "iterations"),
        }
        need(mode in modes or scale_fn is not None, ValueError, api, "mode", f"one of {sorted(modes)}", mode)
        fits = scale_mode in ("cycle", "iterations")
        need(fits, ValueError, api, "scale_mode", "'cycle' or 'iterations'", scale_mode)
        up = float(step_size_up)
        self.cycle_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_up_pct = up / self.cycle_size
        self.max_lr = float(max_learning_rate)
        self.amplitude = self.max_lr - base_learning_rate
        self.mode = mode
        self.gamma = exp_gamma
        self.scale_fn, self.scale_mode = modes[mode] if scale_fn is None else (scale_fn, scale_mode)
        super().__init__(base_learning_rate, last_epoch, verbose)

    def _triangular_scale_fn(self, x: float) -> float:
        return 1.0

    def _triangular2_scale_fn(self, x: float) -> float:
        return float(1 / 2.0 ** (x - 1))

    def _exp_range_scale_fn(self, x: float) -> float:
        return float(self.gamma**x)

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`."""
        cycle = 1 + self.last_epoch // self.cycle_size
        done = 1.0 + self.last_epoch / self.cycle_size - cycle
        rising = done <= self.step_up_pct
        height = done / self.step_up_pct if rising else (1 - done) / (1 - self.step_up_pct)
        counted = cycle if self.scale_mode == "cycle" else self.last_epoch
        return self.base_lr + self.amplitude * height * self.scale_fn(counted)
