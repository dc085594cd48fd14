"""`paddle.distributed.fleet.data_generator`: scripts that turn lines into samples of named slots, between two pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError

_EXAMPLE = "[('words', [1926, 8, 17]), ('label', [1])]"


class DataGenerator:
    """What turns lines into samples; inherit from `MultiSlotDataGenerator` or `MultiSlotStringDataGenerator`.

    Example:
        >>> from paddle_compat.distributed.fleet.data_generator import DataGenerator
        >>> class Words(DataGenerator):
        ...     def generate_sample(self, line):
        ...         return lambda: [[1, 2], [3]]
        ...     def _gen_str(self, line):
        ...         return " ".join(map(str, line)) + "\\n"
        >>> words = Words()
        >>> list(words.generate_sample(None)()), Words().run_from_memory()
        1 2
        3
        ([[1, 2], [3]], None)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._proto_info: list[tuple[str, str]] | None = None
        self.batch_size_ = 32

    def set_batch(self, batch_size: int) -> None:
        """How many samples `generate_batch` gets.

        Args:
            batch_size (int): the number.
        """
        self.batch_size_ = batch_size

    def run_from_memory(self) -> None:
        """Print the samples that `generate_sample(None)` makes, one in a line."""
        self._print([None])

    def run_from_stdin(self) -> None:
        """Print the samples that `generate_sample` makes of each line of standard input, one in a line."""
        self._print(sys.stdin)

    def _print(self, lines: Iterable[Any]) -> None:
        samples: list[Any] = []
        for line in lines:
            for sample in self.generate_sample(line)():
                if sample is not None:
                    samples.append(sample)
                    if len(samples) == self.batch_size_:
                        self._flush(samples)
                        samples = []
        if samples:
            self._flush(samples)

    def _flush(self, samples: list[Any]) -> None:
        for sample in self.generate_batch(samples)():
            sys.stdout.write(self._gen_str(sample))

    def _gen_str(self, line: Any) -> str:
        raise UnimplementedError("Use MultiSlotDataGenerator or MultiSlotStringDataGenerator, or write _gen_str.")

    def generate_sample(self, line: Any) -> Callable[[], Iterable[Any]]:
        """To be written by the user: a function without arguments that yields the samples of a line.

        Args:
            line (str|None): a line; None where there are none.
        Returns:
            function: it yields lists of (slot, values); None counts as nothing.
        Raises:
            NotImplementedError: it has not been written.
        """
        raise UnimplementedError(f"`generate_sample` has to be written. Expected a function that yields lists such as {_EXAMPLE}.")

    def generate_batch(self, samples: list[Any]) -> Callable[[], Iterable[Any]]:
        """A function without arguments that yields what is printed of a batch: the samples; to be changed by the user.

        Args:
            samples (list): what `generate_sample` yielded.
        Returns:
            function: it yields samples.
        """

        def batch() -> Iterator[Any]:
            yield from samples

        return batch


class MultiSlotDataGenerator(DataGenerator):
    """What turns lines into samples of numbers: a line of output has, for each slot, how many values there are, and the values.

    Raises:
        ValueError: a sample is no list of names with lists of numbers, or its slots are not those of the first one.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> class Words(fleet.MultiSlotDataGenerator):
        ...     def generate_sample(self, line):
        ...         return lambda: [[("words", [1926, 8, 17]), ("label", [1])]]
        >>> words = Words()
        >>> words.set_batch(2)
        >>> words.run_from_memory()
        3 1926 8 17 1 1
        >>> [sample for sample in words.generate_batch([[("a", [1])]])()]
        [[('a', [1])]]
        >>> import io, sys
        >>> former, sys.stdin = sys.stdin, io.StringIO("a line")
        >>> words.run_from_stdin(); sys.stdin = former
        3 1926 8 17 1 1

    Follows Paddle 2.6.
    """

    def _gen_str(self, line: Any) -> str:
        _check_sample(line)
        known = self._proto_info
        if known is not None and len(line) != len(known):
            raise ValueError(f"the complete field set of two given line are inconsistent. Received: {len(line)} fields after {len(known)}")
        slots: list[tuple[str, str]] = []
        words: list[str] = []
        for i, (name, values) in enumerate(line):
            _check_slot(name, values)
            if known is not None and name != known[i][0]:
                raise ValueError(f"the field name of two given line are not match: require<{known[i][0]}>, get<{name}>.")
            floating = any(isinstance(value, float) for value in values) or (known is not None and known[i][1] == "float")
            slots.append((name, "float" if floating else "uint64"))
            words += [str(len(values)), *map(str, values)]
        self._proto_info = slots
        return " ".join(words) + "\n"


def _check_sample(line: Any) -> None:
    if not isinstance(line, (list, tuple)):
        raise ValueError(f"Invalid sample. Expected a list or tuple such as {_EXAMPLE}. Received: {line!r}")


def _check_slot(name: Any, values: Any) -> None:
    if not isinstance(name, str):
        raise ValueError(f"name{type(name)} must be in str type")
    if not isinstance(values, list):
        raise ValueError(f"elements{type(values)} must be in list type")
    if not values:
        raise ValueError(f"the elements of each field can not be empty, you need padding it in process(). Received: none in field {name!r}")
    for value in values:
        if not isinstance(value, (int, float)):
            raise ValueError(f"the type of element{type(value)} must be in int or float")


class MultiSlotStringDataGenerator(DataGenerator):
    """As `MultiSlotDataGenerator`, for values that are texts already; nothing is checked.

    Raises:
        ValueError: a sample is no list.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> class Words(fleet.MultiSlotStringDataGenerator):
        ...     def generate_sample(self, line):
        ...         return lambda: [[("words", ["1926", "08"]), ("label", ["1"])]]
        >>> words = Words()
        >>> words.set_batch(2)
        >>> words.run_from_memory()
        2 1926 08 1 1
        >>> [sample for sample in words.generate_batch([[("a", ["1"])]])()]
        [[('a', ['1'])]]
        >>> import io, sys
        >>> former, sys.stdin = sys.stdin, io.StringIO("a line")
        >>> words.run_from_stdin(); sys.stdin = former
        2 1926 08 1 1

    Follows Paddle 2.6.
    """

    def _gen_str(self, line: Any) -> str:
        _check_sample(line)
        words: list[str] = []
        for _, values in line:
            words += [str(len(values)), *values]
        return " ".join(words) + "\n"


__all__ = ["DataGenerator", "MultiSlotDataGenerator", "MultiSlotStringDataGenerator"]

__getattr__ = missing(__name__)
