"""Scope: where variables have their data, by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError, invalid_argument, type_error
from paddle_compat.core.lod import LoDTensor, LoDTensorArray
from paddle_compat.core.selected_rows import SelectedRows


class _Vocab(dict[str, int]):
    """What `set_vocab` leaves in a variable."""


class _Texts(list[str]):
    """What `set_string_list` leaves in a variable."""


class ScopeVariable:
    """A named place in a Scope. `tensor` holds the data; `get_tensor()` gives it out.

    Args:
        name (str): its name.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> variable = paddle.static.Scope().var("w")
        >>> variable.is_initialized()
        False
        >>> variable.get_tensor().set(np.ones([2, 3], "float32"), paddle.CPUPlace())
        >>> variable.is_initialized(), variable.get_tensor().shape()
        (True, [2, 3])
        >>> variable.set_int(3); variable.get_int()
        3
        >>> variable.set_float(0.5); variable.get_float()
        0.5

    Follows Paddle 1.8 and 2.6.
    """

    __slots__ = ("name", "tensor", "other", "_number", "__weakref__")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tensor = LoDTensor()
        self.other: Any = None  # what is no tensor: an array, a reader, a rank table
        self._number: type | None = None  # int or float, where it holds one of these

    def get_tensor(self) -> LoDTensor:
        """The data as LoDTensor; `set` on it changes the variable.

        Returns:
            LoDTensor.
        Raises:
            InvalidArgumentError: it holds something else.
        """
        if self._number is not None:
            raise self._refusal("a LoDTensor", self._number)
        if self.other is not None and self.tensor.value is None:
            raise self._refusal("a LoDTensor", type(self.other))
        return self.tensor

    def _refusal(self, wanted: str, held: type) -> InvalidArgumentError:
        expected = f"Variable `{self.name}` does not hold {wanted}. Expected one that does."
        return InvalidArgumentError(f"{expected} Received: one with {held.__name__}")

    def get_lod_tensor_array(self) -> LoDTensorArray:
        """The data as a list of LoDTensors.

        Returns:
            LoDTensorArray.

        Example:
            >>> import paddle_compat as paddle
            >>> len(paddle.static.Scope().var("array").get_lod_tensor_array())
            0
        """
        if self.other is None:
            self.other = LoDTensorArray()
        return self.other

    def get_selected_rows(self) -> Any:
        """The rows that the variable holds, where it is a sparse one.

        Returns:
            SelectedRows.

        Example:
            >>> import paddle_compat as paddle
            >>> rows = paddle.static.Scope().var("table@GRAD").get_selected_rows()
            >>> rows.set_rows([4, 1]); rows.rows()
            [4, 1]
        """
        if not isinstance(self.other, SelectedRows):
            self.other = SelectedRows(_home=self.tensor)
        return self.other

    def is_initialized(self) -> bool:
        """Whether it holds data.

        Returns:
            bool.
        """
        return self.tensor.value is not None or self.other is not None

    def set_int(self, value: int) -> None:
        """Hold one integer.

        Args:
            value (int): becomes an int32 tensor of shape [1].
        """
        self.tensor.value, self._number = torch.tensor([value], dtype=torch.int32), int

    def set_float(self, value: float) -> None:
        """Hold one number in single precision.

        Args:
            value (float): becomes a float32 tensor of shape [1].
        """
        self.tensor.value, self._number = torch.tensor([value], dtype=torch.float32), float

    def get_float(self) -> float:
        """The one number it holds.

        Returns:
            float.
        Raises:
            RuntimeError: it holds nothing.
        """
        return float(self._held(float))

    def is_int(self) -> bool:
        """Whether `set_int` gave it an integer.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> variable = paddle.static.Scope().var("n")
            >>> variable.set_int(3); variable.is_int(), variable.is_float()
            (True, False)
        """
        return self._number is int

    def is_float(self) -> bool:
        """Whether `set_float` gave it a number.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> variable = paddle.static.Scope().var("x")
            >>> variable.set_float(0.5); variable.is_int(), variable.is_float()
            (False, True)
        """
        return self._number is float

    def _held(self, kind: type) -> torch.Tensor:
        if self._number is not kind:
            raise self._refusal(kind.__name__, self._number or LoDTensor)
        return self.tensor._tensor().reshape(-1)[0]

    def get_int(self) -> int:
        """The one integer it holds.

        Returns:
            int.
        Raises:
            RuntimeError: it holds nothing.
        """
        return int(self._held(int))

    def set_vocab(self, value: dict[str, int]) -> None:
        """Hold a vocabulary, as the operators of tokenizers read it.

        Args:
            value (dict): the number of each word.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.static.Scope().var("words").set_vocab({"a": 0})

        Follows Paddle 2.6.
        """
        self.other = _Vocab(value)

    def set_string_list(self, value: list[str]) -> None:
        """Hold texts, as the operators of tokenizers read them.

        Args:
            value (list): the texts.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.static.Scope().var("texts").set_string_list(["a", "b"])

        Follows Paddle 2.6.
        """
        self.other = _Texts(value)

    def get_map_tensor(self) -> NoReturn:
        """The vocabulary that the variable holds, which Paddle gives to no script.

        Raises:
            TypeError: it is a vocabulary.
            InvalidArgumentError: it is something else.

        Example:
            >>> import paddle_compat as paddle
            >>> words = paddle.static.Scope().var("words")
            >>> words.set_vocab({"a": 0})
            >>> try:
            ...     words.get_map_tensor()
            ... except TypeError:
            ...     print("a vocabulary")
            a vocabulary

        Follows Paddle 2.6.
        """
        raise self._unshown(_Vocab, "a vocabulary")

    def get_string_tensor(self) -> NoReturn:
        """The texts that the variable holds, which Paddle gives to no script.

        Raises:
            TypeError: these are texts.
            InvalidArgumentError: it is something else.

        Example:
            >>> import paddle_compat as paddle
            >>> texts = paddle.static.Scope().var("texts")
            >>> texts.set_string_list(["a", "b"])
            >>> try:
            ...     texts.get_string_tensor()
            ... except TypeError:
            ...     print("texts")
            texts

        Follows Paddle 2.6.
        """
        raise self._unshown(_Texts, "texts")

    def _unshown(self, kind: type, what: str) -> Exception:
        """Why such a value cannot be given."""
        if self.other is None and self.tensor.value is None:
            self.other = kind()
        if type(self.other) is not kind:
            return self._refusal(what, LoDTensor if self.other is None else type(self.other))
        return TypeError(f"Variable `{self.name}` cannot be shown. Expected one with a tensor. Received: one with {what}")

    def get_bytes(self) -> Any:
        """The bytes that `save_combine` left here.

        Returns:
            bytes.
        Raises:
            InvalidArgumentError: it holds something else.

        Example:
            >>> from paddle_compat.base import core
            >>> variable = core.Scope().var("file")
            >>> variable.get_bytes()  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.InvalidArgumentError: Variable `file` does not hold bytes. ...
        """
        if not isinstance(self.other, bytes):
            raise self._refusal("bytes", LoDTensor if self.other is None else type(self.other))
        return self.other

    def get_fetch_list(self) -> list[LoDTensor]:
        """The tensors that a run of `core.Executor` fetched, by column.

        Returns:
            List of LoDTensors.

        Example:
            >>> import paddle_compat as paddle
            >>> len(paddle.static.Scope().var("fetch").get_fetch_list())
            0
        """
        if self.other is None:
            self.other = LoDTensorArray()
        return self.other

    def get_lod_rank_table(self) -> Any:
        """The rank table that the variable holds.

        Returns:
            The table, None while there is none.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.static.Scope().var("table").get_lod_rank_table() is None
            True
        """
        return self.other

    def set_scope(self, scope: Scope) -> None:
        """Hold a Scope.

        Args:
            scope (Scope): the scope.

        Example:
            >>> import paddle_compat as paddle
            >>> variable, inner = paddle.static.Scope().var("scopes"), paddle.static.Scope()
            >>> variable.set_scope(inner); variable.get_scope() is inner
            True
        """
        self.other = scope

    def get_scope(self) -> Any:
        """The Scope that it holds.

        Returns:
            Scope.

        Example:
            >>> import paddle_compat as paddle
            >>> variable, inner = paddle.static.Scope().var("scopes"), paddle.static.Scope()
            >>> variable.set_scope(inner); variable.get_scope() is inner
            True
        """
        return self.other


class Scope:
    """Variables by name; a name that is not here is looked up in the parent scope.

    Args:
        parent (Scope): where names are looked up that are not here.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> scope = paddle.static.Scope()
        >>> scope.var("w").get_tensor().set(np.ones(2), paddle.CPUPlace())
        >>> kid = scope.new_scope()
        >>> kid.find_var("w").get_tensor().shape(), kid.local_var_names(), scope.local_var_names()
        ([2], [], ['w'])
        >>> scope.erase(["w"]); scope.find_var("w") is None
        True
        >>> scope.drop_kids()

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.vars: dict[str, ScopeVariable] = {}
        self.parent = parent
        self._children: list[Scope] = []
        self._can_reused = False
        self._changes = 0  # runs that changed something, but for those of replicas, which notice by it what others did

    def var(self, name: str) -> ScopeVariable:
        """The variable of that name in this very scope, made if need be.

        Args:
            name (str): a variable's name.
        Returns:
            The place of that name, empty when it is new.
        """
        found = self.vars.get(name)
        if found is None:
            found = self.vars[name] = ScopeVariable(name)
        return found

    def find_var(self, name: str) -> ScopeVariable | None:
        """The variable of that name here or in a parent; None when there is none.

        Args:
            name (str): a variable's name.
        Returns:
            The place of that name, or None.
        """
        scope: Scope | None = self
        while scope is not None:
            found = scope.vars.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def new_scope(self) -> Scope:
        """A child scope.

        Returns:
            Scope.
        """
        kid = Scope(self)
        self._children.append(kid)
        return kid

    def drop_kids(self) -> None:
        """Forget all child scopes."""
        self._children.clear()

    def _kids(self) -> list[Scope]:
        """The child scopes."""
        return list(self._children)

    def size(self) -> int:
        """How many variables this very scope has.

        Returns:
            int.

        Example:
            >>> import paddle_compat as paddle
            >>> scope = paddle.static.Scope()
            >>> _ = scope.var("w"); scope.size()
            1
        """
        return len(self.vars)

    def raw_address(self) -> int:
        """A number that no other living scope has.

        Returns:
            int.

        Example:
            >>> import paddle_compat as paddle
            >>> scope, other = paddle.static.Scope(), paddle.static.Scope()
            >>> scope.raw_address() == other.raw_address()
            False
        """
        return id(self)

    def local_var_names(self) -> list[str]:
        """Names of this scope's own variables.

        Returns:
            List of names.
        """
        return list(self.vars)

    def erase(self, names: list[str]) -> None:
        """Forget variables.

        Args:
            names (list): those that are not here are passed over.
        """
        for name in names:
            self.vars.pop(name, None)

    def _remove_from_pool(self) -> None:
        self.vars.clear()


_global_scope = Scope()


def global_scope() -> Scope:
    """The scope that executors use when none is given.

    Returns:
        Scope.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.global_scope().find_var("nobody") is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    return _global_scope


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Make a scope the global one inside the block.

    Args:
        scope: a Scope.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.static.scope_guard(paddle.static.Scope()):
        ...     paddle.static.global_scope().find_var("w") is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    former = switch_scope(scope)
    try:
        yield
    finally:
        switch_scope(former)


def switch_scope(scope: Scope) -> Scope:
    """Make a scope the global one, and give the former one."""
    global _global_scope
    former, _global_scope = _global_scope, scope
    return former


def find_value(name: str, scope: Scope | None = None) -> LoDTensor:
    """The LoDTensor of a variable, which may be empty still; ValueError when the scope has none."""
    found = (scope or _global_scope).find_var(name)
    if found is None:
        raise ValueError(f"Value of variable `{name}` is not in the scope. Expected one with a value; run the startup program first.")
    return found.tensor


def store_value(var: Any, value: Any, scope: Scope | None = None) -> None:
    """Set a variable's data, checking its kind and the shape."""
    if not isinstance(value, (np.ndarray, LoDTensor)) and not hasattr(value, "_t") and not hasattr(value, "__array__"):
        raise type_error("value", "a numpy array or tensor", value, "set_value")
    holder = find_value(var.name, scope)
    tensor = value.value if isinstance(value, LoDTensor) else getattr(value, "_t", value)
    if not isinstance(tensor, torch.Tensor):
        tensor = np.asarray(tensor)
    shape, given = holder.shape(), value.shape() if isinstance(value, LoDTensor) else list(tensor.shape)
    if shape != given:
        raise invalid_argument("value", f"shape {shape}, that of `{var.name}`", given, "set_value")
    holder._tensor()  # as in Paddle, what is empty still has to be made by a startup program first
    holder.set(tensor)
