"""Variable and Parameter as scripts ask for them: in eager mode every Tensor counts as a Variable, every trained one as a Parameter."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode, variable
from paddle_compat.core.tensor import EagerParamBase, Tensor


class Kind(type):
    """A class that stands for one of Programs and, in eager mode, one of Tensors, too.

    Attributes:
        eager, recorded: the two.
    """

    eager: type[Any]
    recorded: type[Any]

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.recorded) or (mode.in_dygraph_mode() and isinstance(instance, cls.eager))

    def __subclasscheck__(cls, subclass: type[Any]) -> bool:
        return issubclass(subclass, cls.recorded)

    def __setattr__(cls, name: str, value: Any) -> None:
        setattr(cls.recorded, name, value)  # a script adds a method to all Variables

    def __delattr__(cls, name: str) -> None:
        delattr(cls.recorded, name)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return cls.recorded(*args, **kwargs)

    def __repr__(cls) -> str:
        return f"<class 'paddle.base.framework.{cls.__name__}'>"


class Variable(variable.Variable, metaclass=Kind):
    __doc__ = variable.Variable.__doc__
    eager, recorded = Tensor, variable.Variable


class Parameter(variable.Parameter, metaclass=Kind):
    __doc__ = variable.Parameter.__doc__
    eager, recorded = EagerParamBase, variable.Parameter
