"""`paddle.fluid.unique_name`: unique variable names."""

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name as names
from paddle_compat.core.unique_name import DygraphParameterNameChecker as DygraphParameterNameChecker
from paddle_compat.core.unique_name import UniqueNameGenerator, generate, generate_with_ignorable_key, guard, switch

__all__ = ["UniqueNameGenerator", "generate", "generate_with_ignorable_key", "guard", "switch"]

_missing = missing(__name__)


def __getattr__(name: str) -> Any:
    """The generator and the checker that are in use, which `guard` and `switch` exchange."""
    if name == "generator":
        return names._generator
    if name == "dygraph_parameter_name_checker":
        return names._checker
    return _missing(name)
