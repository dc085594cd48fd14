"""`paddle.fluid.contrib.slim.searcher.controller`: which choices to try next."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError


class EvolutionaryController:
    """What gives choices to try: for subclasses.

    Args:
        args, kwargs: of no effect.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.searcher import EvolutionaryController
        >>> class First(EvolutionaryController):
        ...     def next_tokens(self):
        ...         return [0, 0]
        >>> First().next_tokens()
        [0, 0]

    Follows Paddle 1.8.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def update(self, tokens: list[int], reward: float) -> None:
        """Take note of how good some choices are.

        Args:
            tokens (list): the choices.
            reward (float): how good they are.
        Raises:
            NotImplementedError: a subclass has to say how.

        Example:
            >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
            >>> SAController([2]).update([0], 1.0)
        """
        raise UnimplementedError("Abstract method.")

    def reset(self, range_table: list[int], constrain_func: Any = None) -> None:
        """Begin anew.

        Args:
            range_table (list): how many there are to choose from, for each choice.
            constrain_func (callable): whether choices may be tried.
        Raises:
            NotImplementedError: a subclass has to say how.

        Example:
            >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
            >>> SAController([2]).reset([2], [0])
        """
        raise UnimplementedError("Abstract method.")

    def next_tokens(self) -> list[int]:
        """What to try next.

        Returns:
            list of int.
        Raises:
            NotImplementedError: a subclass has to say how.
        """
        raise UnimplementedError("Abstract method.")


class SAController(EvolutionaryController):
    """Simulated annealing: one choice changes at a time, and worse ones are taken ever more seldom.

    Args:
        range_table (list): how many there are to choose from, for each choice.
        reduce_rate (float): what the temperature is multiplied with at each step.
        init_temperature (float): the temperature at first.
        max_iter_number (int): how often choices are drawn that may not be tried.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
        >>> np.random.seed(0)
        >>> controller = SAController([7] * 6)
        >>> controller.reset([7] * 6, [1, 2, 3, 4, 5, 6])
        >>> tokens = controller.next_tokens()
        >>> tokens, controller.update(tokens, 0.5)
        ([1, 2, 3, 3, 5, 6], None)

    Follows Paddle 1.8.
    """

    def __init__(
        self, range_table: Any = None, reduce_rate: float = 0.85, init_temperature: float = 1024, max_iter_number: int = 300
    ) -> None:
        super().__init__()
        self._range_table, self._reduce_rate = range_table, reduce_rate
        self._init_temperature, self._max_iter_number = init_temperature, max_iter_number
        self._reward: float = -1
        self._max_reward: float = -1
        self._tokens: Any = None
        self._best_tokens: Any = None
        self._iter = 0

    def reset(self, range_table: Any, init_tokens: Any, constrain_func: Any = None) -> None:  # type: ignore[override]
        """Begin anew.

        Args:
            range_table (list): how many there are to choose from, for each choice.
            init_tokens (list): the first choices.
            constrain_func (callable): whether choices may be tried.
        """
        self._range_table, self._tokens, self._constrain_func, self._iter = range_table, init_tokens, constrain_func, 0

    def update(self, tokens: list[int], reward: float) -> None:
        """Go on from some choices, if they are better, or by chance.

        Args:
            tokens (list): the choices.
            reward (float): how good they are.
        """
        self._iter += 1
        temperature = self._init_temperature * self._reduce_rate**self._iter
        if reward > self._reward or np.random.random() <= math.exp((reward - self._reward) / temperature):
            self._reward, self._tokens = reward, tokens
        if reward > self._max_reward:
            self._max_reward, self._best_tokens = reward, tokens

    def next_tokens(self, control_token: Any = None) -> list[int]:
        """What to try next: the present choices with one changed.

        Args:
            control_token (list): the choices to change; None: the present ones.
        Returns:
            list of int.
        """
        before = list(self._tokens if control_token is None else control_token)
        place = self._place()
        count = self._range_table[place]
        changed = _with(before, place, (before[place] + np.random.randint(count - 1) + 1) % count)
        if self._constrain_func is None:
            return changed
        for _ in range(self._max_iter_number):
            if self._constrain_func(changed):
                break
            place = self._place()
            changed = _with(before, place, np.random.randint(self._range_table[place]))
        return changed

    def _place(self) -> int:
        return int(len(self._range_table) * np.random.random())


def _with(tokens: list[int], place: int, value: Any) -> list[int]:
    return [*tokens[:place], int(value), *tokens[place + 1 :]]


__all__ = ["EvolutionaryController", "SAController"]

__getattr__ = missing(__name__)
