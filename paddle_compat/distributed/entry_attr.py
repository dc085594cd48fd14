"""`paddle.distributed.entry_attr`: which rows a sparse table takes in."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, invalid_argument


class EntryAttr:
    """Which rows a sparse table takes in: a base of the classes that say it.

    Example:
        >>> from paddle_compat.distributed.entry_attr import CountFilterEntry, EntryAttr
        >>> isinstance(CountFilterEntry(10), EntryAttr)
        True

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._name: str | None = None

    def _to_attr(self) -> str:
        raise UnimplementedError("`EntryAttr` is base class. Use ProbabilityEntry, CountFilterEntry or ShowClickEntry.")


class ProbabilityEntry(EntryAttr):
    """A new row is taken in with some probability.

    Args:
        probability (float): greater than 0 and less than 1.
    Raises:
        ValueError: another one.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.ProbabilityEntry(0.1)._to_attr()
        'probability_entry:0.1'

    Follows Paddle 2.6.
    """

    def __init__(self, probability: float) -> None:
        super().__init__()
        if not isinstance(probability, float) or not 0 < probability < 1:
            raise invalid_argument("probability", "a float in (0,1)", probability, "ProbabilityEntry")
        self._name = "probability_entry"
        self._probability = probability

    def _to_attr(self) -> str:
        return f"{self._name}:{self._probability}"


class CountFilterEntry(EntryAttr):
    """A row is taken in when it was asked for often enough.

    Args:
        count_filter (int): how often, 0 or more.
    Raises:
        ValueError: another one.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.CountFilterEntry(10)._to_attr()
        'count_filter_entry:10'

    Follows Paddle 2.6.
    """

    def __init__(self, count_filter: int) -> None:
        super().__init__()
        if not isinstance(count_filter, int) or count_filter < 0:
            raise invalid_argument("count_filter", "a valid integer greater or equal than 0", count_filter, "CountFilterEntry")
        self._name = "count_filter_entry"
        self._count_filter = count_filter

    def _to_attr(self) -> str:
        return f"{self._name}:{self._count_filter}"


class ShowClickEntry(EntryAttr):
    """A row counts how often it was shown and clicked at, by two variables of the Program.

    Args:
        show_name (str): the variable that says how often it was shown.
        click_name (str): the variable that says how often it was clicked at.
    Raises:
        ValueError: they are no str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.ShowClickEntry("show", "click")._to_attr()
        'show_click_entry:show:click'

    Follows Paddle 2.6.
    """

    def __init__(self, show_name: str, click_name: str) -> None:
        super().__init__()
        if not isinstance(show_name, str) or not isinstance(click_name, str):
            raise invalid_argument("show_name, click_name", "a str", (show_name, click_name), "ShowClickEntry")
        self._name = "show_click_entry"
        self._show_name, self._click_name = show_name, click_name

    def _to_attr(self) -> str:
        return f"{self._name}:{self._show_name}:{self._click_name}"


__all__ = ["CountFilterEntry", "EntryAttr", "ProbabilityEntry", "ShowClickEntry"]
__getattr__ = missing(__name__)
