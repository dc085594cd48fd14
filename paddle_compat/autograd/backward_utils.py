"""`paddle.autograd.backward_utils`: sets and tables of Variables, which compare by what they are, as their `==` is an operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable


class ValueWrapper:
    """A Variable that can be an entry of a set and the key of a dict.

    Args:
        value (Variable | ValueWrapper | None).
    Raises:
        TypeError: it is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueWrapper
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> ValueWrapper(x) == ValueWrapper(x), ValueWrapper(x) == x
        (True, False)

    Follows Paddle 3.3.
    """

    def __init__(self, value: Any) -> None:
        held = value._value if isinstance(value, ValueWrapper) else value
        if held is not None and not isinstance(held, Variable):
            raise type_error("value", "a Variable, or None", value, "ValueWrapper")
        self._value: Variable | None = held

    def __hash__(self) -> int:
        return hash(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueWrapper) and self._value is other._value


class ValueDict:
    """A dict whose keys are Variables.

    Args:
        iter (dict | ValueDict | None): what is in it.
        default_factory (callable | None): makes the value of a key that is not there.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueDict
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> found = ValueDict({x: 1})
        >>> found[x], x + 1 in found
        (1, False)

    Follows Paddle 3.3.
    """

    def __init__(self, iter: Any = None, *, default_factory: Callable[[], Any] | None = None) -> None:
        self._items: dict[ValueWrapper, Any] = {}
        self._default_factory = default_factory
        if iter is not None:
            self.update(iter)

    def copy(self) -> ValueDict:
        """Another one with the same in it.

        Returns:
            ValueDict.
        """
        made = ValueDict(default_factory=self._default_factory)
        made._items = dict(self._items)
        return made

    def update(self, other_dict: Any) -> None:
        """Take over another one's.

        Args:
            other_dict (dict | ValueDict).
        """
        for key, value in other_dict.items():
            self[key] = value

    def keys(self) -> Iterator[Any]:
        """The Variables.

        Returns:
            iterator of Variables.
        """
        return (key._value for key in self._items)

    def values(self) -> Any:
        """What stands beside them.

        Returns:
            dict_values.
        """
        return self._items.values()

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Both.

        Returns:
            iterator of pairs.
        """
        return ((key._value, value) for key, value in self._items.items())

    def get(self, key: Any, default: Any = None) -> Any:
        """What stands beside a Variable.

        Args:
            key (Variable).
            default: given where it is not there.
        Returns:
            the value.
        """
        return self[key] if key in self else default

    def pop(self, key: Any) -> Any:
        """Take a Variable out.

        Args:
            key (Variable).
        Returns:
            what stood beside it.
        Raises:
            KeyError: it is not there.
        """
        if key not in self:
            raise KeyError(f"{key} is not in ValueDict")
        return self._items.pop(ValueWrapper(key))

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """What stands beside a Variable; the default from now on, where nothing does.

        Args:
            key (Variable).
            default: a value.
        Returns:
            the value.
        """
        if key not in self:
            self[key] = default
        return self[key]

    def __setitem__(self, key: Any, val: Any) -> None:
        self._items[ValueWrapper(key)] = val

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            if self._default_factory is None:
                raise KeyError(f"{key} is not in ValueDict")
            self[key] = self._default_factory()
        return self._items[ValueWrapper(key)]

    def __bool__(self) -> bool:
        return bool(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return self.keys()

    def __contains__(self, key: Any) -> bool:
        return ValueWrapper(key) in self._items

    def __repr__(self) -> str:
        return f"ValueDict({', '.join(f'{key}: {value}' for key, value in self.items())})"


class ValueSet:
    """A set of Variables.

    Args:
        iter (iterable of Variable | None): what is in it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueSet
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> found = ValueSet([x, x])
        >>> len(found), x in found, x + 1 in found
        (1, True, False)

    Follows Paddle 3.3.
    """

    def __init__(self, iter: Iterable[Any] | None = None) -> None:
        self._set: set[ValueWrapper] = {ValueWrapper(value) for value in iter or ()}

    def copy(self) -> ValueSet:
        """Another one with the same in it.

        Returns:
            ValueSet.
        """
        return ValueSet(self._set)

    def add(self, val: Any) -> None:
        """Take a Variable in.

        Args:
            val (Variable).
        """
        self._set.add(ValueWrapper(val))

    def update(self, other: Iterable[Any]) -> None:
        """Take Variables in.

        Args:
            other (iterable of Variable).
        """
        self._set.update(map(ValueWrapper, other))

    def pop(self) -> Any:
        """Take any one out.

        Returns:
            Variable.
        """
        return self._set.pop()._value

    def remove(self, val: Any) -> None:
        """Take a Variable out.

        Args:
            val (Variable).
        Raises:
            KeyError: it is not there.
        """
        self._set.remove(ValueWrapper(val))

    def discard(self, val: Any) -> None:
        """Take a Variable out, where it is there.

        Args:
            val (Variable).
        """
        self._set.discard(ValueWrapper(val))

    def __and__(self, other: ValueSet) -> ValueSet:
        return ValueSet(self._set & other._set)

    def __sub__(self, other: ValueSet) -> ValueSet:
        return ValueSet(self._set - other._set)

    def __or__(self, other: ValueSet) -> ValueSet:
        return ValueSet(self._set | other._set)

    def __bool__(self) -> bool:
        return bool(self._set)

    def __len__(self) -> int:
        return len(self._set)

    def __iter__(self) -> Iterator[Any]:
        return (value._value for value in self._set)

    def __contains__(self, val: Any) -> bool:
        return ValueWrapper(val) in self._set

    def __repr__(self) -> str:
        return f"ValueSet({', '.join(map(str, self))})"


def some_in_set(value_list: Iterable[Any], value_set: Any) -> bool:
    """Whether any of the Variables is in the set.

    Args:
        value_list (iterable of Variable).
        value_set (ValueSet).
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueSet, some_in_set
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> some_in_set([x], ValueSet([x]))
        True

    Follows Paddle 3.3.
    """
    return any(value in value_set for value in value_list)


def return_map_value(value: Any, map: ValueDict) -> Any:
    """Where a table leads from a Variable, step by step.

    Args:
        value (Variable): where it begins.
        map (ValueDict): Variable to Variable.
    Returns:
        Variable: the first that the table does not lead on from.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueDict, return_map_value
        >>> paddle.enable_static()
        >>> x, y = paddle.static.data("x", [2]), paddle.static.data("y", [2])
        >>> return_map_value(x, ValueDict({x: y})).name
        'y'

    Follows Paddle 3.3.
    """
    while value in map:
        value = map[value]
    return value


def return_map_value_list(value: Iterable[Any], map: ValueDict) -> list[Any]:
    """Where a table leads from Variables.

    Args:
        value (iterable of Variable).
        map (ValueDict): Variable to Variable.
    Returns:
        list of Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import ValueDict, return_map_value_list
        >>> paddle.enable_static()
        >>> x, y = paddle.static.data("x", [2]), paddle.static.data("y", [2])
        >>> [each.name for each in return_map_value_list([x, y], ValueDict({x: y}))]
        ['y', 'y']

    Follows Paddle 3.3.
    """
    return [return_map_value(each, map) for each in value]


def all_input_stop_gradient_true(list_of_list: Iterable[Iterable[Any]]) -> bool:
    """Whether no gradient flows to any of the Variables.

    Args:
        list_of_list (list of lists of Variables).
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.autograd.backward_utils import all_input_stop_gradient_true
        >>> paddle.enable_static()
        >>> all_input_stop_gradient_true([[paddle.static.data("x", [2])]])
        True

    Follows Paddle 3.3.
    """
    return all(value.stop_gradient for values in list_of_list for value in values)


def all_output_grad_none(list_of_list: Iterable[Iterable[Any]]) -> bool:
    """Whether all of the gradients are None.

    Args:
        list_of_list (list of lists of Variables).
    Returns:
        bool.

    Example:
        >>> from paddle_compat.autograd.backward_utils import all_output_grad_none
        >>> all_output_grad_none([[None], []])
        True

    Follows Paddle 3.3.
    """
    return all(value is None for values in list_of_list for value in values)


__getattr__ = missing(__name__)
