"""Small functions that unit tests of `to_static` call by Paddle's names."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error


def type_name(v: Any) -> str:
    """The name of a value's class."""
    return type(v).__name__


def index_in_list(array_list: Sequence[Any], item: Any) -> int:
    """Where an item is, -1 where it is not there."""
    return array_list.index(item) if item in array_list else -1


def is_builtin(func: Any, name: str | None = None) -> bool:
    """Whether it is a function that Python has built in, the one of that name where one is given."""
    return inspect.isbuiltin(func) and func is not None and (name is None or func.__name__ == name)


def is_paddle_func(func: Any, ignore_white_list: bool = True) -> bool:
    """Whether a function, method, class or layer is Paddle's own."""
    from paddle_compat.nn.layer.layers import Layer

    if isinstance(func, Layer):
        func = type(func)
    module = inspect.getmodule(getattr(func, "__func__", func))
    return module is not None and module.__name__.partition(".")[0] in ("paddle", "paddle_compat")


def func_to_source_code(function: Callable[..., Any], dedent: bool = True) -> str:
    """The source of a function, its comments left out."""
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise type_error("function", "a function or a method", function, "func_to_source_code")
    lines = inspect.getsourcelines(function)[0]
    text = "".join("\n" if line.lstrip().startswith("#") else line for line in lines)
    return textwrap.dedent(text) if dedent else text


def ast_to_source_code(ast_node: ast.AST) -> str:
    """The source of a syntax tree."""
    return ast.unparse(ast_node) + "\n"


def ast_to_func(ast_root: ast.AST, dyfunc: Callable[..., Any], delete_on_exit: bool = True) -> tuple[Callable[..., Any], str]:
    """The function that a syntax tree defines under another one's name, seeing what that one sees; and the file that it is said to be in.

    Raises:
        TypeError: it is no syntax tree.
        ValueError: no function of that name is in it.
    """
    if not isinstance(ast_root, ast.AST):
        raise TypeError(f"Type of ast_root should be gast.AST or ast.AST, but received {type(ast_root)}. Expected a tree of `gast.parse`.")
    function = inspect.unwrap(dyfunc)
    file = function.__code__.co_filename
    seen = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    seen.pop(function.__name__, None)
    seen.setdefault("_jst", importlib.import_module("paddle_compat.jit.dy2static"))  # what a rewritten tree calls
    module = ast_root if isinstance(ast_root, ast.Module) else ast.Module([ast_root], [])  # type: ignore[list-item]
    exec(compile(ast.fix_missing_locations(module), file, "exec"), seen)
    if function.__name__ not in seen:
        raise ValueError(f"Function: {function.__name__} doesn't exist in the Module transformed from AST. Expected its definition.")
    return seen[function.__name__], file


def make_hashable(x: Any, error_msg: str | None = None) -> Any:
    """A value that can be hashed, in place of lists, dicts and sets."""
    if isinstance(x, (tuple, list, set)):
        return tuple(map(make_hashable, x))
    if isinstance(x, dict):
        return tuple(map(make_hashable, x.items()))
    try:
        hash(x)
    except TypeError:
        raise ValueError(error_msg or f"Expected arguments that can be hashed. Received: {type(x).__name__}") from None
    return x


def _compatible_non_tensor_spec(src_spec: Any, desired_spec: Any) -> bool:
    """Whether a recording for one value serves another."""
    try:
        return bool(hash(make_hashable(src_spec)) == hash(make_hashable(desired_spec)))
    except ValueError:
        return True


class GetterSetterHelper:
    """Variables of a rewritten function by their names, read and written in one go.

    Args:
        getter_func: gives the values of all names, in order.
        setter_func: takes them.
        name_lists: lists of names.
    """

    def __init__(self, getter_func: Callable[[], Any], setter_func: Callable[[Any], None], *name_lists: Sequence[str]) -> None:
        self.getter, self.setter = getter_func, setter_func
        self.name_list = sorted({name for names in name_lists for name in names or ()})
        self._places = {name: i for i, name in enumerate(self.name_list)}

    def union(self) -> list[str]:
        """All names."""
        return self.name_list

    def get(self, names: Sequence[str] | None) -> tuple[Any, ...]:
        """The values of some names."""
        assert set(names or ()) <= set(self.name_list), f"Expected names out of {self.name_list}. Received: {names}"
        values = self.getter() if names else ()
        return tuple(values[self._places[name]] for name in names or ())

    def set(self, names: Sequence[str] | None, values: Sequence[Any] | None) -> None:
        """Give some names values."""
        if not names:
            return
        all_values = list(self.getter())
        for name, value in zip(names, values or ()):
            all_values[self._places[name]] = value
        self.setter(all_values)


__all__: list[str] = []

__getattr__ = missing(__name__)
