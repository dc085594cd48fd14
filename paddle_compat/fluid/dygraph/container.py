"""`paddle.fluid.dygraph.container`: layers that hold layers or parameters."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.nn.layer import container


class Sequential(container.Sequential, Layer):
    """Layers one after the other.

    Args:
        layers (Layer|tuple): Layers, or pairs of a name and a Layer.
    Raises:
        AssertionError: one is something else.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     net = fluid.dygraph.Sequential(("first", fluid.dygraph.Linear(2, 3)), ("last", fluid.dygraph.Linear(3, 1)))
        ...     len(net), net["last"].full_name(), list(net.state_dict())
        (2, 'linear_1', ['first.weight', 'first.bias', 'last.weight', 'last.bias'])

    Follows Paddle 1.8.
    """

    def __init__(self, *layers: Any) -> None:
        if any(layer is None or isinstance(layer, list) for layer in layers):
            raise failed_assertion("layers", "Layers, or tuples of a name and a Layer", layers, "Sequential")
        super().__init__(*layers)

    def __getitem__(self, name: Any) -> Any:
        return self._sub_layers[str(name)]


class LayerList(container.LayerList, Layer):
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

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self._sub_layers.values())[idx])
        return self._sub_layers[str(idx)]

    def __setitem__(self, key: int, sublayer: Any) -> None:
        self.add_sublayer(str(key), sublayer)

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
        super().insert(index, sublayer)


class ParameterList(container.ParameterList, Layer):
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


__all__ = ["LayerList", "ParameterList", "Sequential"]

__getattr__ = missing(__name__)
