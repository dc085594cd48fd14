"""`paddle.base.layers.layer_function_generator`, where `paddle.tensor.layer_function_generator` was in Paddle 2.6, and `autodoc`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.core.op_protos import OpProtoHolder
from paddle_compat.tensor.layer_function_generator import (  # noqa: F401  # which moved there
    _snake,
    add_sample_code,
    escape_math,
    generate_activation_fn,
    generate_inplace_fn,
    generate_layer_fn,
    templatedoc,
)

F = TypeVar("F", bound=Callable[..., Any])


def autodoc(comment: str = "") -> Callable[[F], F]:
    """Write the documentation of a function from the description of the operator that is called as it is: its slots and attributes.

    Args:
        comment (str): what stands in front.
    Returns:
        A decorator.
    Raises:
        ValueError: there is no such operator.

    Example:
        >>> from paddle_compat.base.layers.layer_function_generator import autodoc
        >>> @autodoc("Multiplies.")
        ... def mul(x, y):
        ...     ...
        >>> print(mul.__doc__.splitlines()[0], "x (Variable)" in mul.__doc__)
        Multiplies. True

    Follows Paddle 2.6.
    """
    return described(comment, OpProtoHolder)


def described(comment: str, protos: Any) -> Callable[[F], F]:
    """What writes the documentation of a function, for either age of Paddle.

    Args:
        comment: what stands in front.
        protos: who describes operators.
    Returns:
        A decorator.
    """

    def decorate(function: F) -> F:
        proto = protos.instance().get_op_proto(function.__name__)
        lines = [f"    {_snake(slot.name)} ({'list of ' if slot.duplicable else ''}Variable)" for slot in proto.inputs]
        listed = "\n".join(lines + [f"    {attr.name}" for attr in proto.attrs if not attr.name.startswith("op_")])
        function.__doc__ = f"{comment}\nArgs:\n{listed}\nReturns:\n    Variable\n"
        return function

    return decorate


__all__: list[str] = []

__getattr__ = missing(__name__)
