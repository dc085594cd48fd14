"""Learning rates that change by the epoch, or when a loss stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core.errors import UnimplementedError, failed_assertion, type_error
from paddle_compat.fluid.dygraph._rates import LearningRateDecay
from paddle_compat.fluid.dygraph._varbase import VarBase


class ReduceLROnPlateau(LearningRateDecay):
    """A rate that falls when a loss does not get better for a while.

    Args:
        learning_rate (float): the first rate.
        mode (str): "min" or "max": whether small or large losses are better.
        decay_rate (float): what the rate is multiplied with, below 1.
        patience (int): epochs without a better loss that are let pass.
        verbose (bool): print changes.
        threshold (float), threshold_mode (str): by how much a better loss is better, "rel" or "abs".
        cooldown (int): epochs after a change that do not count.
        min_lr (float): the least rate.
        eps (float): smaller changes are left.
        dtype (str): data type of the rate.
    Raises:
        ValueError: a mode is none of these, or decay_rate is 1 or more.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.ReduceLROnPlateau(1.0, patience=0, decay_rate=0.5)
        ...     for loss in (1.0, 2.0):
        ...         rate.step(fluid.dygraph.to_variable(np.array([loss], "float32")))
        ...     float(rate())
        0.5

    Follows Paddle 1.8.
    """

    def __init__(
        self, learning_rate: Any, mode: str = "min", decay_rate: float = 0.1, patience: int = 10, verbose: bool = False,
        threshold: float = 0.0001, threshold_mode: str = "rel", cooldown: int = 0, min_lr: float = 0, eps: float = 1e-08,
        dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__(dtype=dtype)
        mode, threshold_mode = mode.lower(), threshold_mode.lower()
        for name, value, known in (("mode", mode, ("min", "max")), ("threshold_mode", threshold_mode, ("rel", "abs"))):
            if value not in known:
                raise ValueError(f"Invalid value for argument `{name}` of `ReduceLROnPlateau`. Expected {known}. Received: {value!r}")
        self.mode, self.decay_rate = mode, _below_one(decay_rate, "ReduceLROnPlateau")
        self.threshold, self.threshold_mode = threshold, threshold_mode
        _checked_number(learning_rate, "ReduceLROnPlateau")
        self.learning_rate, self.verbose, self.patience = learning_rate, verbose, patience
        self.cooldown, self.min_lr, self.eps = cooldown, min_lr, eps
        self.cooldown_counter = self.num_bad_epochs = self.epoch_num = 0
        self.best_loss: Any = None

    def _state_keys(self) -> None:
        self.keys = ["cooldown_counter", "best_loss", "num_bad_epochs", "epoch_num", "learning_rate"]

    def __call__(self) -> Any:
        if not isinstance(self.learning_rate, VarBase):
            self.learning_rate = self.create_lr_var(self.learning_rate)
        return self.learning_rate

    def step(self, loss: Any) -> None:  # type: ignore[override]
        """Take the loss of an epoch.

        Args:
            loss (VarBase): of shape (1,).
        Raises:
            AssertionError: it has another shape.
        """
        if len(loss.shape) != 1 or loss.shape[0] != 1:
            raise failed_assertion("loss", "shape [1]; fluid.layers.mean makes it", loss.shape, "ReduceLROnPlateau.step")
        self.epoch_num += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        value = float(loss)
        if self.best_loss is None or self._is_better(value, float(self.best_loss)):
            self.best_loss, self.num_bad_epochs = np.dtype(self.dtype).type(value), 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            former = float(self.learning_rate)
            rate = max(float(np.float32(former * self.decay_rate)), float(np.float32(self.min_lr)))
            if former - rate > self.eps:
                if self.verbose:
                    print(f"Epoch {self.epoch_num}: reducing learning rate from {former} to {rate}.")
                self.learning_rate = self.create_lr_var(rate)

    def _is_better(self, current: float, best: float) -> bool:
        margin = abs(best) * self.threshold if self.threshold_mode == "rel" else self.threshold
        return current < best - margin if self.mode == "min" else current > best + margin


class _LearningRateEpochDecay(LearningRateDecay):
    """Schedulers whose rate changes by the epoch: `epoch()` counts on."""

    def __init__(self, learning_rate: Any, dtype: str = "float32") -> None:
        self.dtype, self.keys = dtype, []
        _checked_number(learning_rate, type(self).__name__)
        self.base_lr, self.epoch_num = float(learning_rate), 0
        self.learning_rate: Any = self.base_lr

    def _state_keys(self) -> None:
        self.keys = ["epoch_num", "learning_rate"]

    def __call__(self) -> Any:
        self.learning_rate = self._variable(self.learning_rate)
        return self.learning_rate

    def epoch(self, epoch: int | None = None) -> None:
        """Count on, or to an epoch.

        Args:
            epoch (int): its number; None: the next.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> rate = fluid.dygraph.StepDecay(0.5, 1)
            >>> rate.epoch(3); rate.state_dict()["epoch_num"]
            3
        """
        self.epoch_num = self.epoch_num + 1 if epoch is None else epoch
        self.learning_rate = self.get_lr()

    def step(self) -> Any:
        """The present rate.

        Returns:
            VarBase or float.
        """
        return self.learning_rate

    def get_lr(self) -> Any:
        """The rate of the present epoch.

        Returns:
            VarBase or float.
        Raises:
            UnimplementedError: the scheduler's class does not define it.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     float(fluid.dygraph.StepDecay(0.5, 1).get_lr())
            0.5
        """
        raise UnimplementedError(f"`{type(self).__name__}` has no `get_lr`. Expected a subclass that defines it.")

    def _decayed(self, rate: float, times: int) -> VarBase:
        """base_lr * rate ** times, in single precision."""
        return self.create_lr_var(float(np.float32(self.base_lr) * np.float32(rate) ** np.float32(times)))


class StepDecay(_LearningRateEpochDecay):
    """The rate falls every step_size epochs.

    Args:
        learning_rate (float): the first rate.
        step_size (int): epochs between two changes.
        decay_rate (float): what the rate is multiplied with, below 1.
    Raises:
        TypeError: step_size is no int.
        ValueError: decay_rate is 1 or more.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.StepDecay(1.0, 2, 0.5)
        ...     [(float(rate()), rate.epoch())[0] for _ in range(4)]
        [1.0, 1.0, 0.5, 0.5]

    Follows Paddle 1.8.
    """

    def __init__(self, learning_rate: float, step_size: int, decay_rate: float = 0.1) -> None:
        if not isinstance(step_size, int):
            raise type_error("step_size", "int", step_size, "StepDecay")
        self.step_size, self.decay_rate = step_size, _below_one(decay_rate, "StepDecay")
        super().__init__(learning_rate)

    def get_lr(self) -> VarBase:
        """The rate of the present epoch.

        Returns:
            VarBase.
        """
        return self._decayed(self.decay_rate, self.epoch_num // self.step_size)


class MultiStepDecay(_LearningRateEpochDecay):
    """The rate falls at each milestone.

    Args:
        learning_rate (float): the first rate.
        milestones (list): epochs, rising.
        decay_rate (float): what the rate is multiplied with, below 1.
    Raises:
        TypeError: milestones are no list.
        ValueError: milestones do not rise, or decay_rate is 1 or more.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.MultiStepDecay(1.0, [1, 3], 0.5)
        ...     [(float(rate()), rate.epoch())[0] for _ in range(4)]
        [1.0, 0.5, 0.5, 0.25]

    Follows Paddle 1.8.
    """

    def __init__(self, learning_rate: float, milestones: Sequence[int], decay_rate: float = 0.1) -> None:
        if not isinstance(milestones, (tuple, list)):
            raise type_error("milestones", "a list or tuple", milestones, "MultiStepDecay")
        if any(b <= a for a, b in zip(milestones, milestones[1:])):
            expected = "numbers that rise"
            raise ValueError(f"Invalid value for argument `milestones` of `MultiStepDecay`. Expected {expected}. Received: {milestones}")
        self.milestones, self.decay_rate = milestones, _below_one(decay_rate, "MultiStepDecay")
        super().__init__(learning_rate)

    def get_lr(self) -> VarBase:
        """The rate of the present epoch.

        Returns:
            VarBase.
        """
        return self._decayed(self.decay_rate, sum(self.epoch_num >= milestone for milestone in self.milestones))


class LambdaDecay(_LearningRateEpochDecay):
    """learning_rate * lr_lambda(epoch).

    Args:
        learning_rate (float): the first rate.
        lr_lambda (callable): epoch -> factor.
    Raises:
        TypeError: lr_lambda cannot be called.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     rate = fluid.dygraph.LambdaDecay(1.0, lambda epoch: 0.5 ** epoch)
        ...     [(float(rate()), rate.epoch())[0] for _ in range(3)]
        [1.0, 0.5, 0.25]

    Follows Paddle 1.8.
    """

    def __init__(self, learning_rate: float, lr_lambda: Callable[[int], float]) -> None:
        if not callable(lr_lambda):
            raise type_error("lr_lambda", "a function", lr_lambda, "LambdaDecay")
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate)

    def get_lr(self) -> float:
        """The rate of the present epoch.

        Returns:
            float.
        """
        return self.base_lr * self.lr_lambda(self.epoch_num)


def _below_one(rate: float, api: str) -> float:
    if rate >= 1.0:
        raise ValueError(f"Invalid value for argument `decay_rate` of `{api}`. Expected a number below 1. Received: {rate}")
    return rate


def _checked_number(rate: Any, api: str) -> None:
    if not isinstance(rate, (float, int)):
        raise type_error("learning_rate", "a number", rate, api)
