"""`paddle.jit.dy2static.function_spec`: a function's parameters, and what its inputs look like."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit.dy2static._branches import mapped
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static.input import InputSpec


class FunctionSpec:
    """A function's parameters, and the specifications of its inputs.

    Args:
        function (callable): the function.
        input_spec (list): specifications of its inputs.
    Raises:
        TypeError: `input_spec` is no list or tuple.

    Example:
        >>> from paddle_compat.jit.dy2static.function_spec import FunctionSpec
        >>> spec = FunctionSpec(lambda a, b, c=1: a + b)
        >>> spec.args_name, spec.unified_args_and_kwargs((1,), {"b": 2})
        (['a', 'b', 'c'], ((1, 2, 1), {}))

    Follows Paddle 2.6.
    """

    def __init__(self, function: Callable[..., Any], input_spec: Any = None) -> None:
        if input_spec is not None and not isinstance(input_spec, (list, tuple)):
            raise TypeError(f"Invalid type for argument `input_spec`. Expected a list or tuple. Received: {type(input_spec).__name__}")
        self.dygraph_function = function
        self.input_spec: tuple[Any, ...] | None = None if input_spec is None else tuple(input_spec)
        self.flat_input_spec: list[Any] | None = None
        if input_spec is not None:
            self.flat_input_spec = []
            mapped(self.flat_input_spec.append, list(input_spec))
        named = [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.args_name = [p.name for p in named if p.name != "self"]
        self._defaults = {p.name: p.default for p in named if p.default is not p.empty}

    def unified_args_and_kwargs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call by position, with defaults filled in.

        Args:
            args (tuple): positional arguments.
            kwargs (dict): those by keyword.
        Returns:
            (args, what is left of kwargs)
        Raises:
            ValueError: there are too many, or one is missing.
        """
        if len(args) > len(self.args_name):
            raise ValueError(
                f"`{self.dygraph_function.__name__}` takes {len(self.args_name)} arguments, {self.args_name}. Received: {len(args)}"
            )
        left = dict(kwargs)
        filled = list(args)
        for name in self.args_name[len(args) :]:
            if name not in left and name not in self._defaults:
                raise ValueError(f"`{self.dygraph_function.__name__}()` needs the argument `{name}`. Received: {args} and {kwargs}")
            filled.append(left.pop(name) if name in left else self._defaults[name])
        return tuple(filled), left

    def args_to_input_spec(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The arguments with specifications for Tensors: those given, or made from the Tensors.

        Args:
            args (tuple): positional arguments.
            kwargs (dict): those by keyword.
        Returns:
            (args, kwargs)
        Raises:
            ValueError: there are keyword arguments beside specifications.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.jit.dy2static.function_spec import FunctionSpec
            >>> args, kwargs = FunctionSpec(lambda a, b: a + b).args_to_input_spec((paddle.ones([2]), 3), {})
            >>> args[0].name, args[0].shape, args[1]
            ('a', (2,), 3)
        """
        if self.input_spec is not None and kwargs:
            raise ValueError(f"Invalid value for argument `kwargs`. Expected none beside `input_spec`. Received: {kwargs}")
        specs = self.input_spec or ()
        found = [_described(arg, spec, name) for arg, spec, name in zip(args, [*specs, *[None] * len(args)], self.args_name)]
        if self.input_spec is not None:
            return found, []
        return tuple(found), {name: _described(v, None, name) for name, v in kwargs.items()}

    def __repr__(self) -> str:
        return f"function: {self.dygraph_function.__name__}({','.join(self.args_name)}), input_spec: {self.input_spec}"


def _described(value: Any, spec: Any, name: str) -> Any:
    if not isinstance(value, Tensor):
        return mapped(lambda leaf: _described(leaf, None, name), value) if isinstance(value, (list, tuple, dict)) else value
    shape, own = value.shape, spec.name if isinstance(spec, InputSpec) else None
    if isinstance(spec, InputSpec) and len(spec.shape) == len(shape) and all(d in (-1, n) for d, n in zip(spec.shape, shape)):
        shape = list(spec.shape)
    return InputSpec(shape, value.dtype, own or name, value.stop_gradient)


def get_parameters(layer_instance: Layer | None, include_sublayer: bool = True) -> OrderedDict[str, Any]:
    """The parameters of a layer, by their names.

    Args:
        layer_instance (Layer|None): the layer; None has none.
        include_sublayer (bool): whether those of the layers in it are among them.
    Returns:
        OrderedDict.
    Raises:
        TypeError: it is no layer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.dy2static.function_spec import get_parameters
        >>> len(get_parameters(paddle.nn.Linear(2, 3)))
        2

    Follows Paddle 3.3.
    """
    layer = _layer(layer_instance, "get_parameters")
    return OrderedDict() if layer is None else OrderedDict((p.name, p) for p in layer.parameters(include_sublayer))


def get_buffers(layer_instance: Layer | None, include_sublayer: bool = True) -> OrderedDict[str, Any]:
    """The buffers of a layer, by their names.

    Args:
        layer_instance (Layer|None): the layer; None has none.
        include_sublayer (bool): whether those of the layers in it are among them.
    Returns:
        OrderedDict.
    Raises:
        TypeError: it is no layer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.dy2static.function_spec import get_buffers
        >>> layer = paddle.nn.Linear(2, 3)
        >>> layer.register_buffer("seen", paddle.zeros([1]))
        >>> len(get_buffers(layer))
        1

    Follows Paddle 3.3.
    """
    layer = _layer(layer_instance, "get_buffers")
    return OrderedDict() if layer is None else OrderedDict((b.name, b) for b in layer.buffers(include_sublayer))


def _layer(value: Any, api: str) -> Layer | None:
    if value is not None and not isinstance(value, Layer):
        raise type_error("layer_instance", "a Layer", value, api)
    return value


__all__ = ["FunctionSpec", "get_buffers", "get_parameters"]

__getattr__ = missing(__name__)
