"""`paddle.fluid.contrib.slim.nas.search_space`: the networks that a search may try."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError


class SearchSpace:
    """The networks that a search may try: for subclasses, which say all of it.

    Args:
        args, kwargs: of no effect.
    Raises:
        NotImplementedError: a subclass has to say it.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.nas import SearchSpace
        >>> class Widths(SearchSpace):
        ...     def init_tokens(self):
        ...         return [1, 1]
        ...     def range_table(self):
        ...         return [4, 4]
        ...     def create_net(self, tokens=None):
        ...         return tokens  # here: Programs, what they give, and readers
        ...     def get_model_latency(self, program):
        ...         return 0
        >>> space = Widths()
        >>> space.init_tokens(), space.range_table(), space.create_net([3, 1]), space.get_model_latency(None)
        ([1, 1], [4, 4], [3, 1], 0)

    Follows Paddle 1.8.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def init_tokens(self) -> list[int]:
        """The choices that are tried first.

        Returns:
            list of int.
        Raises:
            NotImplementedError: a subclass has to say it.
        """
        raise UnimplementedError("Abstract method.")

    def range_table(self) -> list[int]:
        """How many there are to choose from, for each choice.

        Returns:
            list of int.
        Raises:
            NotImplementedError: a subclass has to say it.
        """
        raise UnimplementedError("Abstract method.")

    def create_net(self, tokens: list[int]) -> tuple[Any, ...]:
        """The network of some choices.

        Args:
            tokens (list): the choices.
        Returns:
            tuple: the Programs that start, train and evaluate it, what is fetched in training and in evaluation, and their readers.
        Raises:
            NotImplementedError: a subclass has to say it.
        """
        raise UnimplementedError("Abstract method.")

    def get_model_latency(self, program: Any) -> float:
        """How long a network takes.

        Args:
            program (Program): the one that evaluates it.
        Returns:
            float.
        Raises:
            NotImplementedError: a subclass has to say it.
        """
        raise UnimplementedError("Abstract method.")


__all__ = ["SearchSpace"]

__getattr__ = missing(__name__)
