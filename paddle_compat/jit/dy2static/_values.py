"""Variables made of Python values while recording."""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat.core import capture
from paddle_compat.core.dtype import VarType, default, is_float
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static.utils import RETURN_NO_VALUE_MAGIC_NUM, Dygraph2StaticException

NUMBERS = (bool, int, float)
paddle: Any = importlib.import_module("paddle_compat")


def call(type_: str, *inputs: Any, **attrs: Any) -> Any:
    """Record an operator by its type."""
    found = definition_of(type_)
    return found(*inputs, **attrs)


def as_bool(x: Variable) -> Variable:
    """The Variable as a condition. Eager mode takes what is greater than 0 for true; a function that is wholly recorded, all but 0."""
    if x.dtype == VarType.BOOL:
        return x
    made: Variable = call("greater_than", x, constant(0, x.dtype)) if capture.may_leave() else cast_bool(x)
    return made


def cast_bool(x: Variable) -> Any:
    """The Variable as bool: whether it is not 0."""
    return call("cast", x, in_dtype=x.dtype, out_dtype=VarType.BOOL)


def dtype_of(value: Any) -> Any:
    """The data type that a Python number takes as a Variable."""
    return "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else default()


def constant(value: Any, dtype: Any = None) -> Variable:
    """A Python number as a Variable: without dimensions, or of one number in Paddle 1.8."""
    made: Variable = paddle.full([1] if default_main_program().age == 1 else [], value, dtype if dtype is not None else dtype_of(value))
    made._weak = dtype is None
    return made


def like(value: Any, other: Variable) -> Variable:
    """A Python number as a Variable that can take another one's place."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    fits = is_float(other.dtype) or (whole and other.dtype != VarType.BOOL) or isinstance(value, bool) and other.dtype == VarType.BOOL
    made = constant(value, other.dtype if fits else None)
    made._weak = other._weak or not fits
    return made


def filler(other: Variable) -> Variable:
    """What stands for a value that was never set, where another Variable may be."""
    value: Any = RETURN_NO_VALUE_MAGIC_NUM if is_float(other.dtype) and other.dtype != VarType.FP16 else 0
    made: Variable = paddle.full([1 if d < 0 else d for d in other.shape], value, other.dtype)
    made._weak = other._weak
    return made


def refuse_reading() -> None:
    """Have Python say so where it asks a Variable of a recording for its value."""

    def refuse(what: str) -> Any:
        def method(self: Variable) -> Any:
            if capture.current is None:
                return default_of[what](self)
            raise Dygraph2StaticException(
                f"`{what}` of a Tensor is only known when the recorded Program runs. Expected code that `to_static` can rewrite, or one "
                f"that does not ask for the value. Received: Variable `{self.name}`"
            )

        return method

    def unknown(self: Variable) -> Any:
        raise TypeError(f"Variable `{self.name}` has no value while a Program is recorded")

    default_of: dict[str, Any] = {"bool": lambda self: True, "int": unknown, "float": unknown, "index": unknown}
    for what in default_of:
        setattr(Variable, f"__{what}__", refuse(what))
    for name, method in (("numpy", _numpy), ("item", _item)):
        setattr(Variable, name, method(getattr(Variable, name)))
    setattr(Variable, "__str__", _text(Variable.__str__))  # noqa: B010 - what mypy does not know of the class
    setattr(Variable, "__iter__", _items)  # noqa: B010 - what mypy does not know of the class


@contextmanager
def reading_refused(refused: bool) -> Iterator[None]:
    """Inside, where so, nobody is told the values of the Tensors that a recording meets: they may be others when the Program runs."""
    thread = threading.get_ident()

    def refusing(former: Any) -> Any:
        @functools.wraps(former)
        def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() == thread:
                raise Dygraph2StaticException(f"the value of Tensor `{self.name}` is only known when the recorded Program runs")
            return former(self, *args, **kwargs)

        return method

    former = {name: vars(Tensor)[name] for name in ("numpy", "_array", "item", "_one")} if refused else {}
    for name, method in former.items():
        setattr(Tensor, name, refusing(method))
    try:
        yield
    finally:
        for name, method in former.items():
            setattr(Tensor, name, method)


def _numpy(former: Any) -> Any:
    @functools.wraps(former)
    def numpy(self: Variable) -> Any:
        if capture.current is None:
            return former(self)
        if not capture.current.whole:
            raise Dygraph2StaticException(f"`numpy()` of Variable `{self.name}` is only known when the recorded Program runs")
        return detached(self)

    return numpy


def detached(x: Variable) -> Variable:
    """What `x.numpy()` is in a Program: the same values, through which no gradient flows."""
    made: Variable = call("assign", x)
    made._stop_gradient = True
    return made


def _text(former: Any) -> Any:
    @functools.wraps(former)
    def text(self: Variable) -> str:
        if capture.may_leave():
            raise Dygraph2StaticException(f"the text of Variable `{self.name}` is only known when the recorded Program runs")
        made: str = former(self)
        return made

    return text


def _item(former: Any) -> Any:
    @functools.wraps(former)
    def item(self: Variable, *args: Any) -> Any:
        if capture.may_leave():
            raise Dygraph2StaticException(f"`item()` of Variable `{self.name}` is only known when the recorded Program runs")
        return former(self, *args)

    return item


def _items(self: Variable) -> Any:
    if not self.shape or self.shape[0] < 0:
        raise TypeError(f"The number of items of Variable `{self.name}` is not known while a Program is recorded")
    return (self[i] for i in range(self.shape[0]))  # type: ignore[index]
