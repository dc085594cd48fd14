"""Operator attributes as Paddle keeps them: the conversions that its bindings make, and the values that they refuse."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Number, Real
from typing import Any

import numpy as np

from paddle_compat.core.attribute_limits import limits
from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.attributes import INT32, value_kind
from paddle_compat.core.errors import UnimplementedError, invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.op_protos import attribute_kinds
from paddle_compat.core.proto import AttrType
from paddle_compat.core.variable import Variable

_NUMBERS = {AttrType.INT, AttrType.LONG, AttrType.FLOAT}


def fit_attributes(definition: Op, attrs: dict[str, Any], age: int) -> None:
    """Make the operator's attributes what Paddle stores, and refuse those of another type or value with Paddle's exceptions.

    Args:
        definition: the operator.
        attrs: its attributes, which are changed in place; what is None stays.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Raises:
        InvalidArgumentError: a value is of another kind (age 1), or not among those that the attribute may have.
        WrongInputError: a value is of another kind (age 2), or of none that Paddle knows.
        UnimplementedError: an empty list is given for a number (age 2).
    """
    type_ = definition.type
    kinds, limited = attribute_kinds(type_, age), limits(type_, age)
    for name, value in attrs.items():
        kind = kinds.get(name)
        if kind is None or value is None or value is definition.attrs.get(name):
            continue
        given = variables_of(value)
        if given and age == 1:
            raise type_error(name, "a value that is known while recording", given[0], type_)
        attrs[name] = kept = fitted(type_, name, kind, value, age)
        if name in limited and not given:
            limited[name].check(type_, name, kept.decode("latin-1") if isinstance(kept, bytes) else kept)


def fitted(op: str, name: str, kind: AttrType, value: Any, age: int) -> Any:
    """An attribute's value as the kind that the operator stores, by the conversions that Paddle's bindings make.

    Args:
        op: the operator's type.
        name: the attribute's name.
        kind: as what it is stored.
        value: what is given.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Returns:
        The value: a number for a number of another kind or an array of one element, a list for a list. Variables stay what they are.

    Raises:
        InvalidArgumentError: the value is of another kind (age 1).
        WrongInputError: the value is of another kind (age 2), or of none that Paddle knows.
        UnimplementedError: an empty list is given for a number (age 2).

    Example:
        >>> fitted("reduce_sum", "keep_dim", AttrType.BOOLEAN, 1, 1), fitted("reduce_sum", "dim", AttrType.INTS, [True], 2)
        (True, [1])
    """
    convert = _CONVERSIONS.get(kind.name.removesuffix("S"))
    if convert is None or isinstance(value, Variable):
        return value
    many = kind.name.endswith("S")
    try:
        if not many:
            return convert(value)
        if _is_list(value) and not (age == 1 and (_is_one(value) or kind is AttrType.FLOATS and _are_whole(value))):
            return [v if isinstance(v, Variable) else convert(v) for v in value]
    except TypeError:
        pass
    expected = ("a list of " if many else "") + kind.name.removesuffix("S").lower()
    if age == 2 and not many and _is_list(value) and not len(value):
        raise UnimplementedError(f"Invalid value for argument `{name}` of `{op}`. Expected {expected}. Received: an empty list")
    raise (invalid_argument if age == 1 and _is_readable(value) else type_error)(name, expected, value, op)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or isinstance(value, np.ndarray) and value.ndim == 1


def _are_whole(values: Any) -> bool:
    """Whether Paddle reads a list as one of whole numbers."""
    return len(values) > 0 and all(isinstance(v, Integral) for v in values)


def _is_readable(value: Any) -> bool:
    """Whether Paddle's bindings know a kind for a value; what they do not know is a TypeError of Python's."""
    if _is_list(value) and not _is_one(value):
        found = {value_kind(item) for item in value}
        return None not in found and (len(found) < 2 or found <= _NUMBERS)
    return value_kind(value) is not None or _is_one(value)


def _is_one(value: Any) -> bool:
    """Whether it is one number of NumPy's: a scalar, or an array of one element."""
    return isinstance(value, (np.generic, np.ndarray)) and value.size == 1 and value.dtype.kind in "biuf"


def _truth(value: Any) -> bool:
    if isinstance(value, Real) or _is_one(value):
        return bool(value)
    raise TypeError


def _long(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value  # VarType among them
    if isinstance(value, (Real, np.bool_)) or _is_one(value):
        return int(value)
    raise TypeError


def _int(value: Any) -> int:
    """Python's own fractions are refused, NumPy's lose what is behind the point."""
    if isinstance(value, float) or int(found := _long(value)) not in INT32:  # a range counts to find what is no plain int
        raise TypeError
    return found


def _fraction(value: Any) -> Any:
    """A whole number of Python's stays one: what is whole is computed exactly."""
    if isinstance(value, Number) and not isinstance(value, (bool, np.generic)):
        return value
    if isinstance(value, bool) or _is_one(value):
        return float(value)
    raise TypeError


def _text(value: Any) -> str | bytes:
    if isinstance(value, (str, bytes)):
        return value
    raise TypeError


# how an attribute of a kind is made of what is given
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"BOOLEAN": _truth, "INT": _int, "LONG": _long, "FLOAT": _fraction, "STRING": _text}
