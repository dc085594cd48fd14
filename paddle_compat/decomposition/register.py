"""`paddle.decomposition.register`: rules by which operators become primitive ones. They are kept; nothing here asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error

Rule = TypeVar("Rule", bound=Callable[..., Any])
_rules: dict[str, Callable[..., Any]] = {}


def register_decomp(op_type: str) -> Callable[[Rule], Rule]:
    """A decorator that makes a function the rule of an operator.

    Args:
        op_type (str): the operator, such as "pd_op.gelu".
    Returns:
        callable: hands the function back.
    Raises:
        TypeError: op_type is no text.
        AssertionError: the operator has a rule.

    Example:
        >>> from paddle_compat.decomposition import register
        >>> @register.register_decomp("my_op.twice")
        ... def twice(x):
        ...     return x + x
        >>> register.get_decomp_rule("my_op.twice") is twice
        True

    Follows Paddle 2.6.
    """
    if not isinstance(op_type, str):
        raise type_error("op_type", "str", op_type, "register_decomp")

    def register(rule: Rule) -> Rule:
        if op_type in _rules:
            raise failed_assertion("op_type", "an operator without a rule", op_type, "register_decomp")
        _rules[op_type] = rule
        return rule

    return register


def get_decomp_rule(op_type: str) -> Callable[..., Any] | None:
    """The rule of an operator.

    Args:
        op_type (str): the operator.
    Returns:
        callable|None: what `register_decomp` was given; None: nothing.

    Example:
        >>> from paddle_compat.decomposition import register
        >>> register.get_decomp_rule("nobody's") is None
        True

    Follows Paddle 2.6.
    """
    return _rules.get(op_type)


__all__ = ["get_decomp_rule", "register_decomp"]

__getattr__ = missing(__name__)
