"""Layers that hold layers or parameters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.tensor import Tensor as Value  # `Tensor` is what the module shows, see `core._shown`
from paddle_compat.nn.layer.layers import _PARAMETERS, Layer


class Sequential(Layer):
    """Layers one after the other.

    Args:
        layers: Layers, (name, Layer) pairs, or one OrderedDict.

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.ReLU()))
        2

    Follows Paddle 2.6.
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], OrderedDict):
            layers = tuple(layers[0].items())
        for name, layer in layers if layers and isinstance(layers[0], (tuple, list)) else enumerate(layers):
            self.add_sublayer(str(name), layer)

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, slice):
            return type(self)(*list(self._sub_layers.values())[name])
        if isinstance(name, str):
            return self._sub_layers[name]
        if not -len(self) <= name < len(self):
            raise IndexError(f"Index out of range. Expected {-len(self)} to {len(self) - 1}. Received: {name}")
        return list(self._sub_layers.values())[name]

    def __setitem__(self, name: Any, layer: Layer) -> None:
        self.add_sublayer(str(name), layer)

    def __delitem__(self, name: Any) -> None:
        if str(name) not in self._sub_layers:
            raise failed_assertion("name", f"one of {list(self._sub_layers)}", name, "Sequential")
        del self._sub_layers[str(name)]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def forward(self, input: Any) -> Any:
        """Pass the input through all layers.

        Args:
            input: what the first layer takes.
        Returns:
            What the last layer gives.
        """
        for layer in self._sub_layers.values():
            input = layer(input)
        return input

    def append(self, module: Layer) -> Sequential:
        """Add a layer at the end, named after its place.

        Args:
            module: a Layer.
        Returns:
            Sequential: itself.

        Example:
            >>> import paddle_compat as paddle
            >>> len(paddle.nn.Sequential(paddle.nn.ReLU()).append(paddle.nn.Tanh()))
            2

        Follows Paddle 3.3.
        """
        self.add_sublayer(str(len(self)), module)
        return self

    def insert(self, index: int, module: Layer) -> Sequential:
        """Put a layer in front of the one at an index; all are named after their places then.

        Args:
            index: its new place.
            module: a Layer.
        Returns:
            Sequential: itself.
        Raises:
            AssertionError: it is no Layer.
            IndexError: there is no such place.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Sequential(paddle.nn.ReLU()).insert(0, paddle.nn.Tanh())[0]
            Tanh()

        Follows Paddle 3.3.
        """
        if not isinstance(module, Layer):
            raise failed_assertion("module", "a Layer", module, "Sequential.insert")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range. Expected {-len(self)} to {len(self)}. Received: {index}")
        layers = list(self._sub_layers.values())
        layers.insert(index, module)
        self._sub_layers.clear()
        return self.extend(layers)

    def extend(self, sequential: Iterable[Layer]) -> Sequential:
        """Add layers at the end.

        Args:
            sequential: Layers.
        Returns:
            Sequential: itself.

        Example:
            >>> import paddle_compat as paddle
            >>> len(paddle.nn.Sequential().extend([paddle.nn.ReLU(), paddle.nn.Tanh()]))
            2

        Follows Paddle 3.3.
        """
        for layer in sequential:
            self.append(layer)
        return self


@paddle3(modules="sublayers")
class LayerList(Layer):
    """A list of layers.

    Args:
        sublayers: Layers.

    Example:
        >>> import paddle_compat as paddle
        >>> layers = paddle.nn.LayerList([paddle.nn.ReLU()])
        >>> layers.append(paddle.nn.Tanh()).extend([paddle.nn.Sigmoid()]).insert(0, paddle.nn.Linear(2, 3))
        >>> [type(layer).__name__ for layer in layers]
        ['Linear', 'ReLU', 'Tanh', 'Sigmoid']

    Follows Paddle 2.6.
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        self.extend(sublayers or [])

    def _index(self, index: int) -> int:
        if not -len(self) <= index < len(self):
            raise IndexError(f"Index out of range. Expected {-len(self)} to {len(self) - 1}. Received: {index}")
        return index % len(self)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, str):
            return self._sub_layers[idx]
        layers = list(self._sub_layers.values())
        return type(self)(layers[idx]) if isinstance(idx, slice) else layers[self._index(idx)]

    def __setitem__(self, key: int, sublayer: Layer) -> None:
        if not isinstance(sublayer, Layer):
            raise type_error("sublayer", "a Layer", sublayer, "LayerList")
        self.add_sublayer(str(self._index(key)), sublayer)

    def __delitem__(self, key: Any) -> None:
        layers = list(self._sub_layers.values())
        del layers[key]
        self._sub_layers.clear()
        self.extend(layers)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._sub_layers.values()))

    def __iadd__(self, other: Iterable[Layer]) -> LayerList:
        return self.extend(other)

    def __add__(self, other: Iterable[Layer]) -> LayerList:
        return type(self)(self).extend(other)

    def append(self, sublayer: Layer) -> LayerList:
        """Add a layer at the end.

        Args:
            sublayer: a Layer.
        Returns:
            LayerList: itself.
        """
        self.add_sublayer(str(len(self)), sublayer)
        return self

    def insert(self, index: int, sublayer: Layer) -> None:
        """Put a layer in front of the one at an index.

        Args:
            index: its new place.
            sublayer: a Layer.
        Raises:
            AssertionError: there is no layer at that index.
        """
        if not isinstance(index, int) or not -len(self) <= index < len(self):
            raise failed_assertion("index", f"{-len(self)} to {len(self) - 1}", index, "LayerList.insert")
        if not isinstance(sublayer, Layer):
            raise failed_assertion("sublayer", "a Layer", sublayer, "LayerList.insert")
        layers = list(self._sub_layers.values())
        layers.insert(index, sublayer)
        self._sub_layers.clear()
        self.extend(layers)

    def extend(self, sublayers: Iterable[Layer]) -> LayerList:
        """Add layers at the end.

        Args:
            sublayers: Layers.
        Returns:
            LayerList: itself.
        """
        for layer in sublayers:
            self.append(layer)
        return self

    def pop(self, key: int | slice) -> Any:
        """Take a layer out.

        Args:
            key: its place, or places.
        Returns:
            The layer, or a LayerList.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.LayerList([paddle.nn.ReLU(), paddle.nn.Tanh()]).pop(0)
            ReLU()

        Follows Paddle 3.3.
        """
        layer = self[key]
        del self[key]
        return layer


@paddle3(modules="sublayers")
class LayerDict(Layer):
    """A dict of layers.

    Args:
        sublayers: a mapping, or pairs, of name and Layer.

    Example:
        >>> import paddle_compat as paddle
        >>> layers = paddle.nn.LayerDict({"act": paddle.nn.ReLU()})
        >>> layers.update({"last": paddle.nn.Tanh()})
        >>> list(layers.keys()), list(layers.values()), layers["act"]
        (['act', 'last'], [ReLU(), Tanh()], ReLU())
        >>> layers.pop("act")
        ReLU()
        >>> list(layers.items())
        [('last', Tanh())]
        >>> layers.clear(); len(layers)
        0

    Follows Paddle 2.6.
    """

    def __init__(self, sublayers: Any = None) -> None:
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def __getitem__(self, key: str) -> Any:
        return self._sub_layers[key]

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key: str) -> None:
        del self._sub_layers[key]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sub_layers)

    def __contains__(self, key: str) -> bool:
        return key in self._sub_layers

    def clear(self) -> None:
        """Forget all layers."""
        self._sub_layers.clear()

    def pop(self, key: str) -> Any:
        """Take a layer out.

        Args:
            key: its name.
        Returns:
            Layer: the one that had the name.
        Raises:
            KeyError: there is none.
        """
        return self._sub_layers.pop(key)

    def keys(self) -> Any:
        """The names.

        Returns:
            A view of strings, in order.
        """
        return self._sub_layers.keys()

    def items(self) -> Any:
        """Pairs of name and layer.

        Returns:
            A view of pairs, in order.
        """
        return self._sub_layers.items()

    def values(self) -> Any:
        """The layers.

        Returns:
            A view of layers, in order.
        """
        return self._sub_layers.values()

    def update(self, sublayers: Any) -> None:
        """Add layers.

        Args:
            sublayers: a mapping, or pairs, of name and Layer.
        Raises:
            AssertionError: it is neither.
        """
        if not isinstance(sublayers, Iterable):
            raise failed_assertion("sublayers", "a mapping, or pairs, of name and Layer", sublayers, "LayerDict")
        pairs = sublayers.items() if isinstance(sublayers, (Mapping, LayerDict)) else sublayers
        for name, layer in pairs:
            self.add_sublayer(name, layer)


class ParameterList(Layer):
    """A list of parameters.

    Args:
        parameters: the parameters.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.create_parameter([2, 3], "float32")
        >>> parameters = paddle.nn.ParameterList([weight])
        >>> len(parameters.append(paddle.create_parameter([1], "float32")))
        2
        >>> parameters[0] is weight
        True

    Follows Paddle 2.6.
    """

    def __init__(self, parameters: Iterable[Any] | None = None) -> None:
        super().__init__()
        for parameter in parameters or []:
            if not isinstance(parameter, _PARAMETERS):
                raise failed_assertion("parameters", "parameters", parameter, "ParameterList")
            self.append(parameter)

    def __getitem__(self, idx: int) -> Any:
        return self._parameters[str(idx)]

    def __setitem__(self, idx: int, param: Any) -> None:
        if SINCE_3 and mode.in_dygraph_mode():
            if not isinstance(param, Value):
                raise type_error("param", "a Parameter or a Tensor", param, "ParameterList")
            held = getattr(self, str(idx))
            stopped = held.stop_gradient
            held.data = Value(param._t.detach().clone())  # the parameter stays, and takes the value
            held.stop_gradient = stopped
            return
        if not isinstance(param, _PARAMETERS):
            raise failed_assertion("param", "a parameter", param, "ParameterList")
        self._parameters[str(idx)] = param

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._parameters.values()))

    def append(self, parameter: Any) -> ParameterList:
        """Add a parameter at the end.

        Args:
            parameter: a parameter.
        Returns:
            ParameterList: itself.
        """
        self.add_parameter(str(len(self)), parameter)
        return self


class ParameterDict(Layer):
    """Parameters by name.

    Args:
        parameters: a mapping, or (name, parameter) pairs.

    Example:
        >>> import paddle_compat as paddle
        >>> parameters = paddle.nn.ParameterDict({"scale": paddle.create_parameter([2, 3], "float32")})
        >>> parameters.update({"shift": paddle.create_parameter([1], "float32")})
        >>> list(parameters), len(parameters), parameters["shift"].shape
        (['scale', 'shift'], 2, [1])

    Follows Paddle 3.3.
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return self._parameters[key]

    def __setitem__(self, key: str, param: Any) -> None:
        self.add_parameter(key, param)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._parameters))

    def update(self, parameters: Any) -> None:
        """Take further parameters, or others in the place of those of the same names.

        Args:
            parameters: a mapping, or (name, parameter) pairs.
        Raises:
            AssertionError: parameters are neither.
        """
        if not isinstance(parameters, Iterable):
            raise failed_assertion("parameters", "names and parameters", parameters, "ParameterDict")
        for key, parameter in parameters.items() if isinstance(parameters, Mapping) else parameters:
            self.add_parameter(key, parameter)


ModuleDict, ModuleList = LayerDict, LayerList  # Paddle 3's names

__all__ = ["LayerDict", "LayerList", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]

__getattr__ = missing(__name__)
