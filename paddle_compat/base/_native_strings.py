"""Tensors of texts, `paddle.base.core.eager.StringTensor`, and their operators in `paddle._C_ops`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.place import CPUPlace

_numbers = itertools.count()


class StringTensor:
    """Texts in an array, on the CPU.

    Args:
        value (numpy.ndarray|StringTensor|Sequence[int]|None): the texts; a list of ints counts as dims.
        name (str|None): a name.
        dims (Sequence[int]|None): the shape of an array of empty texts, where there is no value.
    Raises:
        TypeError: value holds no texts.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> texts = paddle.base.core.eager.StringTensor(np.array(["One", "TWO"]))
        >>> paddle._C_ops.strings_lower(texts, True).numpy().tolist()
        ['one', 'two']

    Follows Paddle 2.6.
    """

    _texts: np.ndarray[Any, Any]

    def __init__(self, value: Any = None, name: str | None = None, *, dims: Sequence[int] | None = None) -> None:
        if isinstance(value, StringTensor):
            value = value._texts
        elif isinstance(value, (list, tuple)) and all(isinstance(size, int) for size in value):
            value, dims = None, value
        if value is None:
            value = np.full(tuple(dims or ()), "")
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "US":
            raise type_error("value", "a numpy array of texts", value, "StringTensor")
        self._texts = value.astype(str)
        self.name = name if name is not None else f"generated_string_tensor_{next(_numbers)}"

    @property
    def shape(self) -> list[int]:
        """How many texts there are in each dimension."""
        if SINCE_3:
            from paddle_compat.tensor._tensor_paddle3 import Size

            return Size(self._texts.shape)
        return list(self._texts.shape)

    @property
    def place(self) -> CPUPlace:
        """Where the texts lie."""
        return CPUPlace()

    def numpy(self) -> np.ndarray[Any, Any]:
        """The texts.

        Returns:
            numpy.ndarray: a copy.
        """
        return self._texts.copy()

    def _is_initialized(self) -> bool:
        return True


def _each(change: Callable[[str], str]) -> Callable[[StringTensor, bool], StringTensor]:
    def call(x: StringTensor, use_utf8_encoding: bool = True) -> StringTensor:
        if not isinstance(x, StringTensor):
            raise type_error("x", "StringTensor", x, "strings")
        changed = [
            change(text) if use_utf8_encoding else "".join(change(c) if c.isascii() else c for c in text) for text in x._texts.ravel()
        ]
        return StringTensor(np.array(changed, dtype=str).reshape(x._texts.shape))

    return call


def _upper(text: str) -> str:
    """Each letter for one letter, as Paddle's tables have them."""
    return "".join("\u1e9e" if c == "\u00df" else c.upper() if len(c.upper()) == 1 else c for c in text)


def _lower(text: str) -> str:
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _empty(shape: Sequence[int], place: Any = None) -> StringTensor:
    return StringTensor(dims=shape)


OPERATORS: dict[str, Callable[..., StringTensor]] = {
    "strings_empty": _empty,
    "strings_empty_like": lambda x, place=None: StringTensor(dims=x._texts.shape),
    "strings_lower": _each(_lower),
    "strings_upper": _each(_upper),
}
