"""`paddle.fluid.dygraph.container`: layers that hold layers or parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import EagerParamBase
from paddle_compat.core.variable import Parameter
from paddle_compat.fluid.dygraph.layers import Layer


class Sequential(Layer):
    """Layers one after the other.

    Args:
        layers (Layer|tuple): Layers, or pairs of a name and a Layer.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     net = fluid.dygraph.Sequential(("first", fluid.dygraph.Linear(2, 3)), ("last", fluid.dygraph.Linear(3, 1)))
        ...     len(net), net["last"].full_name(), list(net.state_dict())
        (2, 'linear_1', ['first.weight', 'first.bias', 'last.weight', 'last.bias'])

    Follows Paddle 1.8.
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        named = bool(layers) and isinstance(layers[0], tuple)
        for index, layer in enumerate(layers):
            name, layer = layer if named else (str(index), layer)
            self.add_sublayer(name, layer)

    def __getitem__(self, name: Any) -> Any:
        return self._sub_layers[str(name)]

    def __setitem__(self, name: Any, layer: Layer) -> None:
        self.add_sublayer(str(name), layer)

    def __delitem__(self, name: Any) -> None:
        del self._sub_layers[str(name)]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def forward(self, input: Any) -> Any:
        """Pass the input through all layers.

        Args:
            input (VarBase): what the first layer takes.
        Returns:
            What the last layer gives.
        """
        for layer in self._sub_layers.values():
            input = layer(input)
        return input


class LayerList(Layer):
    """A list of layers.

    Args:
        sublayers (iterable): Layers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     net = fluid.dygraph.LayerList([fluid.dygraph.Linear(2, 2) for _ in range(2)])
        ...     _ = net.append(fluid.dygraph.Dropout()).extend([fluid.dygraph.Linear(2, 1)])
        ...     net.insert(0, fluid.dygraph.Dropout())
        ...     [layer.full_name() for layer in net]
        ['dropout_1', 'linear_0', 'linear_1', 'dropout_0', 'linear_2']

    Follows Paddle 1.8.
    """

    def __init__(self, sublayers: Iterable[Any] | None = None) -> None:
        super().__init__()
        self.extend(sublayers if sublayers is not None else [])

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self._sub_layers.values())[idx])
        return self._sub_layers[str(idx)]

    def __setitem__(self, idx: int, sublayer: Layer) -> None:
        self.add_sublayer(str(idx), sublayer)

    def __delitem__(self, idx: Any) -> None:
        kept = list(self._sub_layers.values())
        del kept[idx]
        self._take(kept)

    def _take(self, layers: list[Any]) -> None:
        self._sub_layers.clear()
        self.extend(layers)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._sub_layers.values()))

    def append(self, sublayer: Any) -> LayerList:
        """Add a layer at the end.

        Args:
            sublayer (Layer): the layer.
        Returns:
            LayerList: itself.
        """
        self.add_sublayer(str(len(self)), sublayer)
        return self

    def insert(self, index: int, sublayer: Any) -> None:
        """Put a layer in front of the one at an index.

        Args:
            index (int): its new place.
            sublayer (Layer): the layer.
        Raises:
            AssertionError: there is no such index.
        """
        if not isinstance(index, int) or not 0 <= index < len(self):
            raise failed_assertion("index", f"an int in [0, {len(self)})", index, "LayerList.insert")
        layers = list(self)
        layers.insert(index, sublayer)
        self._take(layers)

    def extend(self, sublayers: Iterable[Any]) -> LayerList:
        """Add layers at the end.

        Args:
            sublayers (iterable): Layers.
        Returns:
            LayerList: itself.
        """
        for layer in sublayers:
            self.append(layer)
        return self


class ParameterList(Layer):
    """A list of parameters.

    Args:
        parameters (iterable): parameters.
    Raises:
        AssertionError: one is something else.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     made = [fluid.layers.create_parameter([2], "float32") for _ in range(2)]
        ...     held = fluid.dygraph.ParameterList(made)
        ...     len(held.append(fluid.layers.create_parameter([1], "float32"))), [p.shape for p in held]
        (3, [[2], [2], [1]])

    Follows Paddle 1.8.
    """

    def __init__(self, parameters: Iterable[Any] | None = None) -> None:
        super().__init__()
        for index, parameter in enumerate(parameters or []):
            if not isinstance(parameter, (EagerParamBase, Parameter)):
                raise failed_assertion("parameters", "Parameters", parameter, "ParameterList")
            self.add_parameter(str(index), parameter)

    def __getitem__(self, idx: int) -> Any:
        return self._parameters[str(idx)]

    def __setitem__(self, idx: int, param: Any) -> None:
        self.add_parameter(str(idx), param)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._parameters.values()))

    def append(self, parameter: Any) -> ParameterList:
        """Add a parameter at the end.

        Args:
            parameter (Parameter): the parameter.
        Returns:
            ParameterList: itself.
        Raises:
            TypeError: it is no parameter.
        """
        self.add_parameter(str(len(self)), parameter)
        return self


__all__ = ["LayerList", "ParameterList", "Sequential"]

__getattr__ = missing(__name__)
