"""What the learning-rate schedulers have in common."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.tensor import Tensor


def need(condition: bool, kind: type[Exception], api: str, argument: str, expected: str, received: Any) -> None:
    """Raise Paddle's exception for a bad argument unless the condition holds."""
    if not condition:
        raise kind(f"Invalid value for argument `{argument}` of `{api}`. Expected {expected}. Received: {received!r}")


class LRScheduler:
    """Base of the schedulers; a subclass defines `get_lr` in terms of `base_lr` and `last_epoch`.

    Args:
        learning_rate (float): the rate that the schedule starts from, kept as `base_lr`.
        last_epoch (int): the epoch before the first one; -1 starts anew.
        verbose (bool): print every step.
    Raises:
        TypeError: learning_rate is no number.
        ValueError: learning_rate is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> class Halving(paddle.optimizer.lr.LRScheduler):
        ...     def get_lr(self):
        ...         return self.base_lr / 2**self.last_epoch
        >>> scheduler = Halving(0.8)
        >>> scheduler.step()
        >>> scheduler()
        0.4

    Follows Paddle 2.6.
    """

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        api = type(self).__name__
        need(isinstance(learning_rate, (float, int)), TypeError, api, "learning_rate", "a number", learning_rate)
        need(learning_rate >= 0, ValueError, api, "learning_rate", "a number that is not negative", learning_rate)
        self.base_lr = float(learning_rate)
        self.last_lr = float(learning_rate)
        self.last_epoch = last_epoch
        self.verbose = verbose
        self._var_name: str | None = None
        self.step()

    def __call__(self) -> float:
        """The present learning rate."""
        return self.last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go on by one epoch, or to the epoch given.

        Args:
            epoch (int): the epoch to go to; None: the next one.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.StepDecay(0.5, step_size=2, gamma=0.5)
            >>> scheduler.step(); scheduler.step(); scheduler()
            0.25
        """
        if epoch is None:
            self.last_epoch += 1
            self.last_lr = self.get_lr()
        else:
            self.last_epoch = epoch
            # some schedules follow from the rate before; going to an epoch directly needs the formula
            self.last_lr = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._report()

    def _report(self) -> None:
        if self.verbose:
            print(f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {self.last_lr}.")

    def state_dict(self) -> dict[str, Any]:
        """What `set_state_dict` needs to go on from here: the entries named by `state_keys`.

        Returns:
            dict: name -> value.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.optimizer.lr.StepDecay(0.5, step_size=2).state_dict()
            {'last_epoch': 0, 'last_lr': 0.5}
        """
        self.state_keys()
        state = {key: self.__dict__[key] for key in self.keys if key in self.__dict__}
        return {key: float(value) if isinstance(value, Tensor) else value for key, value in state.items()}

    def state_keys(self) -> None:
        """Set `self.keys`, the names of the attributes that are the scheduler's state.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.StepDecay(0.5, step_size=2)
            >>> scheduler.state_keys(); scheduler.keys
            ['last_epoch', 'last_lr']
        """
        self.keys = ["last_epoch", "last_lr"]

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state.

        Args:
            state_dict (dict): what `state_dict` returned.
        Raises:
            RuntimeError: an entry is missing.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.StepDecay(0.5, step_size=2)
            >>> scheduler.set_state_dict({"last_epoch": 4, "last_lr": 0.125}); scheduler.last_epoch, scheduler()
            (4, 0.125)
        """
        self.state_keys()
        missing = [key for key in self.keys if key not in state_dict]
        if missing:
            raise RuntimeError(f"Invalid value for argument `state_dict`. Expected {self.keys}. Received none for: {missing}")
        self.__dict__.update({key: state_dict[key] for key in self.keys})
        if len(state_dict) > len(self.keys):
            warnings.warn(
                "There are some unused values in state_dict. Maybe the optimizer have different 'LearningRateDecay' "
                "when invoking state_dict and set_dict",
                stacklevel=2,
            )

    set_dict = set_state_dict

    def get_lr(self) -> float:
        """The learning rate at `self.last_epoch`.

        Returns:
            float.
        Raises:
            UnimplementedError: the subclass does not define it.

        Example:
            >>> import paddle_compat as paddle
            >>> scheduler = paddle.optimizer.lr.StepDecay(0.5, step_size=2, gamma=0.5)
            >>> scheduler.last_epoch = 5; scheduler.get_lr()
            0.125
        """
        raise UnimplementedError(f"{type(self).__name__} does not define get_lr.")
