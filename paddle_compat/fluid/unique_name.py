"""`paddle.fluid.unique_name`: unique variable names."""

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core import unique_name as names
from paddle_compat.core.unique_name import DygraphParameterNameChecker as DygraphParameterNameChecker
from paddle_compat.core.unique_name import UniqueNameGenerator, generate, guard, switch

__all__ = ["UniqueNameGenerator", "generate", "generate_with_ignorable_key", "guard", "switch"]

_missing = missing(__name__)


def generate_with_ignorable_key(key: str) -> str:
    """A name that was not given before, which begins with the key in Programs and with `tmp` in eager mode.

    Args:
        key (str): the first part of the name.
    Returns:
        str: the name.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.unique_name.guard():
        ...     fluid.unique_name.generate_with_ignorable_key("fc_0.tmp")
        'fc_0.tmp_0'
        >>> with fluid.dygraph.guard(), fluid.unique_name.guard():
        ...     fluid.unique_name.generate_with_ignorable_key("fc_0.tmp")
        'tmp_0'

    Follows Paddle 1.8.
    """
    return generate("tmp" if mode.is_static() is False else key)  # scripts that never chose a mode write Programs


def __getattr__(name: str) -> Any:
    """The generator and the checker that are in use, which `guard` and `switch` exchange."""
    if name == "generator":
        return names._generator
    if name == "dygraph_parameter_name_checker":
        return names._checker
    return _missing(name)
