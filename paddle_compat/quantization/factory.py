"""`paddle.quantization.factory`: what makes a quanter or an observer for each layer."""

from __future__ import annotations

import abc
import sys
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.quantization.base_quanter import BaseQuanter


class ClassWithArguments(metaclass=abc.ABCMeta):
    """A class and what it will be called with: for subclasses.

    Args:
        args, kwargs: what the class is called with.

    Example:
        >>> from paddle_compat.quantization.observers import AbsmaxObserver
        >>> AbsmaxObserver(quant_bits=4).kwargs
        {'quant_bits': 4}

    Follows Paddle 2.6.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._args, self._kwargs = args, kwargs

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments without names.

        Returns:
            tuple: as they were given.
        """
        return self._args

    @property
    def kwargs(self) -> dict[str, Any]:
        """The arguments with names.

        Returns:
            dict: name -> argument.
        """
        return self._kwargs

    @abc.abstractmethod
    def _get_class(self) -> Any:
        """The class."""

    def __str__(self) -> str:
        given = [str(value) for value in self.args] + [f"{name}={value}" for name, value in self.kwargs.items()]
        return f"{type(self).__name__}({','.join(given)})"

    def __repr__(self) -> str:
        return str(self)


class QuanterFactory(ClassWithArguments):
    """Makes a quanter, or an observer, for each layer: for subclasses.

    Args:
        args, kwargs: what the quanter's class takes beside the layer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.factory import QuanterFactory
        >>> from paddle_compat.quantization.quanters.abs_max import FakeQuanterWithAbsMaxObserverLayer
        >>> class Coarse(QuanterFactory):
        ...     def _get_class(self): return FakeQuanterWithAbsMaxObserverLayer
        >>> Coarse(bit_length=2)._instance(paddle.nn.ReLU()).bit_length()
        2

    Follows Paddle 2.6.
    """

    def _instance(self, layer: Layer) -> BaseQuanter:
        made: BaseQuanter = self._get_class()(layer, *self.args, **self.kwargs)
        return made


ObserverFactory = QuanterFactory


def quanter(class_name: str) -> Callable[[type[BaseQuanter]], type[BaseQuanter]]:
    """Also make a factory of a class of quanters, and put it into the module that defines the class.

    Args:
        class_name (str): the factory's name. It takes what the class takes, without the layer.
    Returns:
        callable: a decorator of subclasses of `BaseQuanter`, which gives the class itself.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.factory import quanter
        >>> @quanter("Halving")
        ... class HalvingLayer(paddle.quantization.BaseQuanter):
        ...     def __init__(self, layer, by=2.0):
        ...         super().__init__()
        ...         self.by = by
        ...     def forward(self, input): return input / self.by
        ...     def scales(self): return None
        ...     def zero_points(self): return None
        ...     def quant_axis(self): return -1
        ...     def bit_length(self): return 8
        >>> Halving(by=4.0)
        Halving(by=4.0)

    Follows Paddle 2.6.
    """

    def decorate(target: type[BaseQuanter]) -> type[BaseQuanter]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            QuanterFactory.__init__(self, *args, **kwargs)

        factory = type(class_name, (QuanterFactory,), {"__init__": __init__, "_get_class": lambda self: target})
        names = sys._getframe(1).f_globals
        names[class_name] = factory
        if "__all__" in names:
            names["__all__"].append(class_name)
        return target

    return decorate


__all__ = ["ClassWithArguments", "ObserverFactory", "QuanterFactory", "quanter"]

__getattr__ = missing(__name__)
