"""The base of the learning rates of eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import unique_name
from paddle_compat.core.errors import PreconditionNotMetError, UnimplementedError
from paddle_compat.fluid.dygraph._varbase import VarBase


class LearningRateDecay:
    """Base of the schedulers: called once a step, it gives the rate and counts on.

    Args:
        begin, step (int): the first step's number, and how far the number goes on each time.
        dtype (str): data type of the rate.

    Follows Paddle 1.8.
    """

    def __init__(self, begin: int = 0, step: int = 1, dtype: str = "float32") -> None:
        self.step_num, self.step_size, self.dtype = begin, step, dtype
        self.keys: list[str] = []

    def __call__(self) -> Any:
        rate = self._variable(self.step())
        self.step_num += self.step_size
        return rate

    def _variable(self, rate: Any) -> Any:
        return rate if isinstance(rate, VarBase) else self.create_lr_var(rate)

    def create_lr_var(self, lr: float) -> VarBase:
        """A rate as VarBase.

        Args:
            lr (float): the rate.
        Returns:
            VarBase of shape (1,).

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.NoamDecay(0.01, 100).create_lr_var(0.5).numpy()
            array([0.5], dtype=float32)
        """
        return VarBase(np.array([lr], self.dtype), name=unique_name.generate("learning_rate"))

    def step(self) -> Any:
        """The rate at the present step.

        Returns:
            float or VarBase.
        Raises:
            UnimplementedError: the scheduler's class does not define it.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     float(fluid.dygraph.NoamDecay(1, 4).step())
            0.125
        """
        raise UnimplementedError(f"`{type(self).__name__}` has no `step`. Expected a subclass that defines it.")

    def _state_keys(self) -> None:
        """Say, in `keys`, which attributes are the state."""
        self.keys = ["step_num"]

    def state_dict(self) -> dict[str, Any]:
        """What `set_dict` takes.

        Returns:
            dict: the counters.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> fluid.dygraph.NoamDecay(0.01, 100).state_dict()
            {'step_num': 1}
        """
        self._state_keys()
        found = {key: self.__dict__[key] for key in self.keys if key in self.__dict__}
        return {key: value.numpy()[0] if isinstance(value, VarBase) else value for key, value in found.items()}

    def set_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state.

        Args:
            state_dict (dict): what `state_dict` returned.
        Raises:
            PreconditionNotMetError: a counter is missing.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> rate = fluid.dygraph.NoamDecay(0.01, 100)
            >>> rate.set_dict({"step_num": 7}); rate.state_dict()
            {'step_num': 7}
        """
        self._state_keys()
        for key in self.keys:
            if key not in state_dict:
                received = ", ".join(map(str, state_dict)) or "none"
                raise PreconditionNotMetError(f"The state of a scheduler lacks `{key}`. Expected {self.keys}. Received: {received}")
            self.__dict__[key] = state_dict[key]

    set_state_dict = set_dict
