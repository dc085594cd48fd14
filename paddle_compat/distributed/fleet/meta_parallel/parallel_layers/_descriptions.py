"""Layers of a pipeline that are made later, on the stage that has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.spec_utils import LayerSpec, build_spec_layer, get_spec_layer
from paddle_compat.nn.layer.layers import Layer


class LayerDesc:
    """A layer that is made later.

    Args:
        layer_func (type|LayerSpec): the layer's class, or what describes it.
        inputs, kwargs: what it is made with.
    Raises:
        TypeError: it is no class of layers.

    Example:
        >>> import paddle_compat as paddle
        >>> desc = paddle.distributed.fleet.meta_parallel.LayerDesc(paddle.nn.Linear, 2, 3, bias_attr=False)
        >>> desc, desc.build_layer().weight.shape
        (Linear(2, 3, bias_attr=False), [2, 3])

    Follows Paddle 2.6.
    """

    def __init__(self, layer_func: Any, *inputs: Any, **kwargs: Any) -> None:
        kind = get_spec_layer(layer_func) if isinstance(layer_func, (type, LayerSpec)) else layer_func
        self.layer_func, self.inputs, self.kwargs = kind, inputs, kwargs
        self._made_of = layer_func
        if not (isinstance(kind, type) and issubclass(kind, Layer)):
            raise TypeError(f"The input(layer_func) should be a derived class of Layer. Received: {layer_func!r}")

    def build_layer(self, **extra_kwargs: Any) -> Layer:
        """Make the layer.

        Args:
            extra_kwargs: more that it is made with.
        Returns:
            Layer.
        """
        make = build_spec_layer if isinstance(self._made_of, LayerSpec) else lambda kind, *args, **kwargs: kind(*args, **kwargs)
        made: Layer = make(self._made_of, *self.inputs, **self.kwargs, **extra_kwargs)
        return made

    def __repr__(self) -> str:
        given = [*map(str, self.inputs), *(f"{name}={value}" for name, value in self.kwargs.items())]
        return f"{self.layer_func.__name__}({', '.join(given)})"


class SharedLayerDesc(LayerDesc):
    """A layer that comes at several places of a model, and is one: made once on each stage that has it, with the same values on all.

    Args:
        key (str): what the places call it.
        layer_func (type): the layer's class.
        forward_func (callable|None): called with the layer and the input at this place; None: the layer itself is called.
        shared_weight_attr (str|list): the parameters that stages share.
        inputs, kwargs: what it is made with.

    Example:
        >>> import paddle_compat as paddle
        >>> desc = paddle.distributed.fleet.meta_parallel.SharedLayerDesc("table", paddle.nn.Embedding, None, "weight", 5, 4)
        >>> desc.layer_name, desc.build_layer().weight.shape
        ('table', [5, 4])

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        key: str,
        layer_func: Any,
        forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: Any = "weight",
        *inputs: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(layer_func, *inputs, **kwargs)
        self.layer_name, self.forward_func, self.shared_weight_attr = key, forward_func, shared_weight_attr


class LocalSharedLayerDesc(SharedLayerDesc):
    """A layer that comes at several places of one stage, and is made once there; other stages have others of their own.

    Args:
        key, layer_func, forward_func, shared_weight_attr, inputs, kwargs: as of `SharedLayerDesc`.

    Example:
        >>> import paddle_compat as paddle
        >>> desc = paddle.distributed.fleet.meta_parallel.LocalSharedLayerDesc("table", paddle.nn.Embedding, None, "weight", 5, 4)
        >>> desc.layer_name, desc.shared_weight_attr
        ('table', ['weight'])

    Follows Paddle 3.3.
    """

    def __init__(
        self,
        key: str,
        layer_func: Any,
        forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: Any = "weight",
        *inputs: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(key, layer_func, forward_func, shared_weight_attr, *inputs, **kwargs)
        self.shared_weight_attr = attributes_of(self)


def attributes_of(desc: SharedLayerDesc) -> list[str]:
    """The names of the parameters that a layer shares."""
    given = desc.shared_weight_attr
    return [given] if isinstance(given, str) else list(given)
