"""Unique variable names: one counter per key, switchable for a scope of code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

TEMP_VAR_NAME = "_generated_var"
_EAGER_NAME = "dygraph_tmp"  # of what has no name of its own in eager mode


class UniqueNameGenerator:
    """Counts how often each key was asked for; `prefix` goes before every name.

    Args:
        prefix (str): goes in front of every name.

    Example:
        >>> from paddle_compat.fluid import unique_name
        >>> generator = unique_name.UniqueNameGenerator("my_")
        >>> generator("fc"), generator("fc")
        ('my_fc_0', 'my_fc_1')

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.ids: defaultdict[str, int] = defaultdict(int)
        self.prefix = prefix or ""

    def __call__(self, key: str) -> str:
        number = self.ids[key]
        self.ids[key] += 1
        return f"{self.prefix}{key}_{number}"


class DygraphParameterNameChecker:
    """Knows the names that parameters have in eager mode, where each may be given once.

    Example:
        >>> from paddle_compat.base.unique_name import DygraphParameterNameChecker
        >>> taken = DygraphParameterNameChecker()
        >>> taken("w"), taken("w")
        (False, True)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Whether the name is taken; from now on it is."""
        taken = name in self._names
        self._names.add(name)
        return taken


_generator = UniqueNameGenerator()
_checker = DygraphParameterNameChecker()


def generate(key: str) -> str:
    """The next name for a key: ``fc_0``, ``fc_1``, ... (Paddle 1.8 to 3.x).

    Args:
        key: what the name begins with.
    Returns:
        str: the key and a number.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.utils.unique_name.guard():
        ...     paddle.utils.unique_name.generate("fc")
        'fc_0'

    Follows Paddle 1.8 and 2.6.
    """
    return _generator(key)


def generate_with_ignorable_key(key: str) -> str:
    """As `generate`; in eager mode, where nobody asks for the names, all keys share one counter.

    Args:
        key (str): the first part of the name.
    Returns:
        str: the key and a number.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import unique_name
        >>> paddle.enable_static()
        >>> with unique_name.guard():
        ...     unique_name.generate_with_ignorable_key("fc_0.tmp")
        'fc_0.tmp_0'

    Follows Paddle 1.8 and 2.6.
    """
    from paddle_compat.core.mode import in_dygraph_mode

    return _generator(_EAGER_NAME if in_dygraph_mode() else key)


def is_parameter(name: str) -> bool:
    """Whether a parameter has that name already, in eager mode; from now on one has."""
    return _checker(name)


def switch(
    new_generator: UniqueNameGenerator | None = None, new_para_name_checker: DygraphParameterNameChecker | None = None
) -> tuple[UniqueNameGenerator, DygraphParameterNameChecker]:
    """Replace the generator and the checker of parameters' names (by fresh ones) and return the former two.

    Args:
        new_generator: counts the names from now on.
        new_para_name_checker: knows the parameters' names from now on.
    Returns:
        The former generator and checker.

    Example:
        >>> import paddle_compat as paddle
        >>> former = paddle.utils.unique_name.switch()
        >>> paddle.utils.unique_name.generate("fc")
        'fc_0'
        >>> _ = paddle.utils.unique_name.switch(*former)

    Follows Paddle 1.8 and 2.6.
    """
    global _generator, _checker
    former = _generator, _checker
    _generator = new_generator or UniqueNameGenerator()
    _checker = new_para_name_checker or DygraphParameterNameChecker()
    return former


@contextmanager
def guard(new_generator: UniqueNameGenerator | str | bytes | None = None) -> Iterator[None]:
    """Names inside the block start again from 0; a string given becomes their prefix.

    Args:
        new_generator: a generator, or a prefix.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.utils.unique_name.guard("my_"):
        ...     paddle.utils.unique_name.generate("fc")
        'my_fc_0'

    Follows Paddle 1.8 and 2.6.
    """
    if isinstance(new_generator, bytes):
        new_generator = new_generator.decode()
    if isinstance(new_generator, str):
        new_generator = UniqueNameGenerator(new_generator)
    former = switch(new_generator)
    try:
        yield
    finally:
        switch(*former)
